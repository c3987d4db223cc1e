"""Waits for a change that another process or task makes in the database."""

import asyncio

from cairn.db import Connection


async def wait_until_true(connection: Connection, query: str, *, timeout_seconds: float = 20.0) -> None:
    """Waits until the query, which returns one boolean, returns true."""
    async with asyncio.timeout(timeout_seconds):
        while not await connection.fetchval(query):  # noqa: ASYNC110 - the result changes in the database
            await asyncio.sleep(0.05)
