"""The room as a whole: its application, and the two tasks behind it that run while it is entered."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Self

from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import ASGIApp

from cairn.db import Database, Principal
from cairn.jobs import Bell
from cairn.realtime.changes import Feed
from cairn.realtime.channels import Channels
from cairn.realtime.routes import routes
from cairn.realtime.settings import RealtimeSettings
from cairn.realtime.switchboard import Switchboard
from cairn.realtime.tokens import keep_checking


class Realtime:
    """Mount `app` at `/realtime/v1` and keep this entered while it serves; without that, joins are refused."""

    def __init__(
        self,
        database: Database,
        *,
        bell: Bell,
        principal_of: Callable[[str], Principal],
        settings: RealtimeSettings,
    ) -> None:
        channels = Channels()
        self._feed = Feed(database, bell, channels)
        self._board = Switchboard(database, self._feed, channels, settings, principal_of)
        self._tasks: list[asyncio.Task[None]] = []
        self.app: ASGIApp = routes(self._board)

    async def __aenter__(self) -> Self:
        board = self._board
        self._tasks = [
            asyncio.create_task(self._feed.run()),
            asyncio.create_task(keep_checking(board.database, board.channels, board.settings.token_check)),
        ]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def service(
    database: Database, *, bell: Bell, principal_of: Callable[[str], Principal], settings: RealtimeSettings
) -> Starlette:
    """For serving this room by itself: the tasks live as long as the application does."""
    realtime = Realtime(database, bell=bell, principal_of=principal_of, settings=settings)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with realtime:
            yield

    return Starlette(routes=[Mount("/", realtime.app)], lifespan=lifespan)
