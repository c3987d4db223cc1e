"""A locked table stands for a list that takes long to read."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import httpx

from cairn.db import Connection


async def count_waiting_reads(
    admin: Connection, table: str, requests: list[Coroutine[Any, Any, httpx.Response]]
) -> tuple[int, list[httpx.Response]]:
    """Returns how many of the requests wanted to read the table at the same time, and the responses."""
    async with admin.transaction():
        await admin.execute(f"lock table {table} in access exclusive mode")
        tasks = [asyncio.create_task(request) for request in requests]
        largest_count = 0
        for _ in range(20):
            await asyncio.sleep(0.05)
            count = await admin.fetchval(
                f"select count(*) from pg_locks where not granted and relation = '{table}'::regclass"
            )
            largest_count = max(largest_count, count)
    return largest_count, await asyncio.gather(*tasks)
