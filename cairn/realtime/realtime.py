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
from cairn.realtime.changes import Feed
from cairn.realtime.channels import Channels
from cairn.realtime.presence import Presences
from cairn.realtime.relay import Relay
from cairn.realtime.routes import routes
from cairn.realtime.settings import RealtimeSettings
from cairn.realtime.switchboard import Switchboard
from cairn.realtime.tidy import keep_tidy
from cairn.realtime.tokens import keep_checking


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
        channels, relay = Channels(), Relay(database.url)
        presences = Presences(channels, relay)
        channels.on_leaving, relay.on_silence, relay.on_word = presences.untrack, presences.lose, self._hear
        feed = Feed(database, notifier, channels)
        self._board = Switchboard(database, feed, channels, relay, presences, settings, principal_of)
        self._tasks: list[asyncio.Task[None]] = []
        self.app: ASGIApp = routes(self._board)

    async def __aenter__(self) -> Self:
        board = self._board
        self._tasks = [
            asyncio.create_task(board.feed.run()),
            asyncio.create_task(board.relay.run()),
            asyncio.create_task(keep_checking(board.database, board.channels, board.settings.token_check)),
            asyncio.create_task(keep_tidy(board.database, board.feed)),
        ]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._board.relay.farewell()

    def _hear(self, process: str, kind: str, told: dict[str, Any]) -> None:
        """A word from another server process."""
        if kind == "broadcast":
            hear(self._board.channels, told)
        else:
            self._board.presences.hear(process, kind, told)


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
