"""The room as a whole: its application, and the tasks behind it that run while it is entered."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Self

from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import ASGIApp

from cairn.db import Database, Principal
from cairn.jobs import OutboxNotifier
from cairn.realtime.broadcast import hear
from cairn.realtime.change_feed import ChangeFeed
from cairn.realtime.channels import Channels
from cairn.realtime.context import RealtimeContext
from cairn.realtime.maintenance import run_maintenance
from cairn.realtime.message_bus import MessageBus
from cairn.realtime.presence import PresenceTracker
from cairn.realtime.routes import routes
from cairn.realtime.settings import RealtimeSettings
from cairn.realtime.tokens import run_token_checks


class Realtime:
    """Mount `app` at `/realtime/v1` and keep this entered while it serves; without that, joins are refused."""

    def __init__(
        self,
        database: Database,
        *,
        notifier: OutboxNotifier,
        principal_of: Callable[[str], Principal],
        settings: RealtimeSettings,
    ) -> None:
        channels, relay = Channels(), MessageBus(database.url)
        presences = PresenceTracker(channels, relay)
        channels.on_leaving, relay.on_silence, relay.on_word = presences.untrack, presences.lose, self._hear
        feed = ChangeFeed(database, notifier, channels)
        self._context = RealtimeContext(database, feed, channels, relay, presences, settings, principal_of)
        self._tasks: list[asyncio.Task[None]] = []
        self.app: ASGIApp = routes(self._context)

    async def __aenter__(self) -> Self:
        context = self._context
        self._tasks = [
            asyncio.create_task(context.feed.run()),
            asyncio.create_task(context.relay.run()),
            asyncio.create_task(run_token_checks(context.database, context.channels, context.settings.token_check)),
            asyncio.create_task(run_maintenance(context.database, context.feed)),
        ]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._context.relay.farewell()

    def _hear(self, process: str, kind: str, told: dict[str, Any]) -> None:
        """A word from another server process."""
        if kind == "broadcast":
            hear(self._context.channels, told)
        else:
            self._context.presences.hear(process, kind, told)


def service(
    database: Database,
    *,
    notifier: OutboxNotifier,
    principal_of: Callable[[str], Principal],
    settings: RealtimeSettings,
) -> Starlette:
    """For serving this room by itself: the tasks live as long as the application does."""
    realtime = Realtime(database, notifier=notifier, principal_of=principal_of, settings=settings)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with realtime:
            yield

    return Starlette(routes=[Mount("/", realtime.app)], lifespan=lifespan)
