"""Runs each scheduled task in only one of the workers.

The database stores when each task is due again. The first worker that sees that a task is due stores the next time and
runs the task, and the others wait. If that worker is killed, the task runs again when it is next due, in another
worker.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable

from cairn.db import SERVICE, Database


async def run_scheduled(
    database: Database, name: str, every_seconds: float, run: Callable[[], Awaitable[bool | None]]
) -> None:
    """Never returns. If `run` fails or returns False, another worker may try it immediately."""
    while True:
        wait_seconds = await claim(database, name, every_seconds)
        if wait_seconds == 0:
            wait_seconds = await _run_once(database, name, every_seconds, run)
        await asyncio.sleep(wait_seconds)


async def claim(database: Database, name: str, every_seconds: float) -> float:
    """Returns 0 if the task is due, and the caller must run it. Otherwise returns the seconds until it is due.

    A time that is much further away than one period was stored before the clock was set back, so it does not count. A
    time that is only a little further away does count: the transaction of another worker began later, but was faster.
    """
    async with database.acting_as(SERVICE) as connection:
        wait_seconds: float = await connection.fetchval(
            """
            with claimed as (
                insert into jobs.schedule as s (name, due_at) values ($1, now() + $2 * interval '1 second')
                on conflict (name) do update set due_at = excluded.due_at
                 where s.due_at not between now() and excluded.due_at + interval '1 minute'
                returning name
            )
            select case when exists (select from claimed) then 0
                        else greatest(extract(epoch from s.due_at - now()), 0.1) end::float8
              from (values (1)) as one (row)
              left join jobs.schedule s on s.name = $1
            """,
            name,
            every_seconds,
        )
    return wait_seconds


async def _run_once(
    database: Database, name: str, every_seconds: float, run: Callable[[], Awaitable[bool | None]]
) -> float:
    """Returns how long to wait before the next claim."""
    started_at = time.monotonic()
    try:
        is_done = await run()
    except Exception:
        await _release(database, name)
        raise
    if is_done is False:
        await _release(database, name)
        return every_seconds
    return max(every_seconds - (time.monotonic() - started_at), 0)


async def _release(database: Database, name: str) -> None:
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update jobs.schedule set due_at = now() where name = $1", name)
