"""The server side at work inside a test: the worker's loops on a test's own database."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from cairn import messaging, waivers
from cairn.db import Database
from cairn.jobs import Bell, Job, dispatch, open_queue, work
from cairn.messaging import MessagingSettings


@asynccontextmanager
async def worker_running(
    database: Database, login_url: str, bell: Bell, *, mail: MessagingSettings | None = None, more: Sequence[Job] = ()
) -> AsyncIterator[None]:
    jobs = [*messaging.jobs(database, mail or MessagingSettings()), *waivers.jobs(database), *more]

    async def tail() -> None:
        async with bell.listening() as woken:
            while True:
                woken.clear()
                while await dispatch(database, jobs):
                    pass
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(0.5):
                        await woken.wait()

    async with open_queue(login_url, jobs, bell) as queue:
        tasks = [asyncio.create_task(tail()), asyncio.create_task(work(queue))]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
