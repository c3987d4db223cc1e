"""The server side at work inside a test: the worker's loops on a test's own database."""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from cairn import messaging, waivers
from cairn.db import Database
from cairn.jobs import Bell, Job, dispatch, open_queue, work
from cairn.messaging import MessagingSettings, PostRoom, Pusher, PushSettings, key_seal, new_push_key
from cairn.storage import Blobs, StorageSettings, new_sealing_key, open_shelf
from cairn.waivers import Desk, DocumentSettings, load_seal, open_desk


def desk_in(data: Path, database: Database) -> Desk:
    """Documents are filed in the bucket, whose bytes lie in this folder."""
    settings = StorageSettings.model_validate({"sealing_key": new_sealing_key()})
    blobs = Blobs(database, open_shelf(settings, data / "storage"), settings)
    return open_desk(blobs, data, "https://waivers.example")


KEY_SEAL = key_seal("a secret of the tests, and of nothing else")


def post_room(database: Database, desk: Desk, mail: MessagingSettings | None = None) -> PostRoom:
    sources, objections = waivers.attachment_sources(database, desk), waivers.objections(database)
    return PostRoom(database, mail or MessagingSettings(), KEY_SEAL, sources, objections)


def push_settings(**more: object) -> PushSettings:
    return PushSettings.model_validate({"private_key": new_push_key(), **more})


@asynccontextmanager
async def worker_running(
    database: Database,
    login_url: str,
    bell: Bell,
    *,
    mail: MessagingSettings | None = None,
    push: PushSettings | None = None,
    more: Sequence[Job] = (),
    desk: Desk | None = None,
) -> AsyncIterator[None]:
    """Without a desk of the test's own, the bytes of documents lie in a folder that goes with the worker."""
    with tempfile.TemporaryDirectory() as folder:
        desk = desk or desk_in(Path(folder), database)
        seal = load_seal(desk.data, DocumentSettings())
        pusher = Pusher(push or push_settings(), "waivers@cairn.example")
        room = post_room(database, desk, mail)
        ours = [*messaging.jobs(room), *waivers.jobs(database, desk, seal, pusher, room.settings)]
        async with jobs_running(database, login_url, bell, [*ours, *more]):
            yield


@asynccontextmanager
async def jobs_running(database: Database, login_url: str, bell: Bell, jobs: Sequence[Job]) -> AsyncIterator[None]:
    """These and no others, for stories that need not wait for documents."""

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
