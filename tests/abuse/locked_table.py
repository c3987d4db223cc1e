"""Locks a table, so that requests that read it have to wait, as they do behind a slow query."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import httpx

from cairn.db import Connection


async def count_waiting_reads(
    admin: Connection, table: str, requests: list[Coroutine[Any, Any, httpx.Response]]
) -> tuple[int, list[httpx.Response]]:
    """Returns how many of the requests waited for the locked table at the same time, and the responses."""
    async with admin.transaction():
        await admin.execute(f"lock table {table} in access exclusive mode")
        tasks = [asyncio.create_task(request) for request in requests]
        pause = asyncio.create_task(asyncio.sleep(1.5))
        largest_count = await largest_waiting_count(admin, table, until=pause)
    return largest_count, await asyncio.gather(*tasks)


async def largest_waiting_count(admin: Connection, table: str, *, until: "asyncio.Future[Any]") -> int:
    """Returns the largest number of transactions that waited for the table at once, until the future was done."""
    largest_count = 0
    while not until.done():
        count = await admin.fetchval(
            "select count(*) from pg_locks where not granted and relation = to_regclass($1)", table
        )
        largest_count = max(largest_count, count)
        await asyncio.sleep(0.02)
    return largest_count
