"""Makes responses about accounts take the same time, so that the duration does not reveal who has an account."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

# Queuing an email takes much less time than this, and users do not notice the delay.
MIN_RESPONSE_SECONDS = 0.25


@asynccontextmanager
async def in_constant_time() -> AsyncIterator[None]:
    clock = asyncio.get_running_loop().time
    deadline = clock() + MIN_RESPONSE_SECONDS
    try:
        yield
    finally:
        await asyncio.sleep(deadline - clock())
