"""Makes every response take the same time, so that the duration does not reveal who has an account."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

# Much longer than writing the rows of an email takes, and too short for users to notice.
RESPONSE_SECONDS = 0.25


@asynccontextmanager
async def in_constant_time() -> AsyncIterator[None]:
    clock = asyncio.get_running_loop().time
    until = clock() + RESPONSE_SECONDS
    try:
        yield
    finally:
        await asyncio.sleep(until - clock())
