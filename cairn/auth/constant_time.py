"""The same time for every answer, so that waiting tells nobody who has an account."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

# Far more than the rows of a mail take, far less than a person notices.
RESPONSE_SECONDS = 0.25


@asynccontextmanager
async def in_constant_time() -> AsyncIterator[None]:
    clock = asyncio.get_running_loop().time
    until = clock() + RESPONSE_SECONDS
    try:
        yield
    finally:
        await asyncio.sleep(until - clock())
