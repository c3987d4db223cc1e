"""The application and the background tasks that must run while it serves."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Self

from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import ASGIApp

from cairn.db import Database, Principal
from cairn.jobs import OutboxNotifier
from cairn.kit import cancel_and_wait
from cairn.realtime.broadcast import deliver_from_bus
from cairn.realtime.change_feed import ChangeFeed
from cairn.realtime.channels import Channel, Channels
from cairn.realtime.context import RealtimeContext
from cairn.realtime.maintenance import run_maintenance
from cairn.realtime.message_bus import MessageBus
from cairn.realtime.presence import PresenceTracker
from cairn.realtime.resume import store_positions
from cairn.realtime.routes import routes
from cairn.realtime.settings import RealtimeSettings
from cairn.realtime.tokens import run_token_checks

log = logging.getLogger(__name__)


class Realtime:
    """Mount `app` at `/realtime/v1` and keep this context manager open while it serves. Otherwise joins are refused."""

    def __init__(
        self,
        database: Database,
        *,
        notifier: OutboxNotifier,
        principal_of: Callable[[str], Principal],
        settings: RealtimeSettings,
    ) -> None:
        channels, bus = Channels(), MessageBus(database.url)
        presence = PresenceTracker(channels, bus)
        channels.on_leave = self._handle_leave
        bus.on_process_lost = presence.remove_process
        bus.on_message = self._handle_bus_message
        feed = ChangeFeed(database, notifier, channels)
        self._context = RealtimeContext(database, feed, channels, bus, presence, settings, principal_of)
        self._tasks: list[asyncio.Task[None]] = []
        # Broadcasts of other processes, which are delivered one after the other.
        self._received_broadcasts: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.app: ASGIApp = routes(self._context)

    async def __aenter__(self) -> Self:
        context = self._context
        self._tasks = [
            asyncio.create_task(context.feed.run()),
            asyncio.create_task(context.bus.run()),
            asyncio.create_task(self._deliver_received_broadcasts()),
            asyncio.create_task(run_token_checks(context.database, context.channels, context.settings.token_check)),
            asyncio.create_task(run_maintenance(context.database, context.feed)),
        ]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await cancel_and_wait(self._tasks)
        await self._context.bus.announce_shutdown()

    async def prepare_to_stop(self) -> None:
        """Call this before the sockets are closed. Their clients then continue on another server without a gap."""
        context = self._context
        context.is_stopping = True
        await context.feed.wait_for_joins()
        await store_positions(context)
        # What is delivered must have been written to the sockets before they are closed.
        while any(channel.send_queue.queued_bytes for channel in context.channels):  # noqa: ASYNC110 - many queues
            await asyncio.sleep(0.02)

    def _handle_leave(self, channel: Channel) -> None:
        self._context.presence.untrack(channel)
        self._context.kept.remove(channel)
        self._context.change_units.remove(channel)

    def _handle_bus_message(self, process: str, kind: str, payload: dict[str, Any]) -> None:
        if kind == "broadcast":
            self._received_broadcasts.put_nowait(payload)
        else:
            self._context.presence.handle_bus_message(process, kind, payload)

    async def _deliver_received_broadcasts(self) -> None:
        while True:
            payload = await self._received_broadcasts.get()
            try:
                await deliver_from_bus(self._context.channels, payload)
            except Exception:
                log.exception("a broadcast of another server was not delivered")


def service(
    database: Database,
    *,
    notifier: OutboxNotifier,
    principal_of: Callable[[str], Principal],
    settings: RealtimeSettings,
) -> Starlette:
    """Returns a standalone application that runs the background tasks during its lifespan."""
    realtime = Realtime(database, notifier=notifier, principal_of=principal_of, settings=settings)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with realtime:
            yield

    return Starlette(routes=[Mount("/", realtime.app)], lifespan=lifespan)
