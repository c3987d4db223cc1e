"""Collects what a client receives while servers are restarted or replaced."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress

from cairn.kit import cancel_and_wait
from tests.faults.test_supervision import wait_until
from tests.realtime.test_real_client import RealClient


class LiveChanges:
    """What a supabase-js client receives, and how often it has joined its channel."""

    def __init__(self) -> None:
        self.received: list[str] = []
        self.join_count = 0

    async def collect(self, client: RealClient) -> None:
        while True:
            # While a server is starting, nothing arrives.
            with suppress(TimeoutError):
                kind, value = await client.next_output()
                if kind == "change":
                    self.received.append(value["new"]["id"])
                elif kind == "system":
                    self.join_count += 1

    async def wait_for(self, count: int) -> None:
        """Waits until this many changes have arrived, and a moment longer in case one arrives twice."""
        with suppress(TimeoutError):
            async with asyncio.timeout(90):
                while len(self.received) < count:  # noqa: ASYNC110 - another task collects
                    await asyncio.sleep(0.1)
        await asyncio.sleep(1)


@asynccontextmanager
async def live_changes(
    real_client: AbstractAsyncContextManager[RealClient], timeout_seconds: float
) -> AsyncIterator[LiveChanges]:
    """Yields the changes once the client has joined its channel."""
    live = LiveChanges()
    async with real_client as client:
        task = asyncio.create_task(live.collect(client))
        try:
            await wait_until(lambda: live.join_count > 0, timeout_seconds=timeout_seconds)
            yield live
        finally:
            await cancel_and_wait([task])
