"""Waits for a change that another process or task makes in the database."""

import asyncio

from cairn.db import Connection

# How long a test waits for something that normally happens within a second. Only a test that fails waits this long.
PATIENCE_SECONDS = 120.0


async def wait_until_true(connection: Connection, query: str, *, timeout_seconds: float = PATIENCE_SECONDS) -> None:
    """Waits until the query, which returns one boolean, returns true."""
    async with asyncio.timeout(timeout_seconds):
        while not await connection.fetchval(query):  # noqa: ASYNC110 - the result changes in the database
            await asyncio.sleep(0.05)
