"""The pool of pipeline connections. A connection is reused until it is lost or its buffers have grown too large."""

import asyncio
from collections.abc import Mapping, Sequence

import asyncpg

from cairn.db.connection_lost import ConnectionLost
from cairn.db.errors import DatabaseBusy, DatabaseUnreachable
from cairn.db.pipeline import MAX_TRANSFERRED_BYTES, PipelineConnection, Row, Value

POOL_WAIT_SECONDS = 2.0
STATEMENT_TIMEOUT_SECONDS = 60.0
_CONNECT_TIMEOUT_SECONDS = 5


class PipelinePool:
    def __init__(self, url: str, size: int, *, prepares_statements: bool = True) -> None:
        self._url = url
        self._prepares_statements = prepares_statements
        self._slots = asyncio.Semaphore(size)
        self._idle: list[PipelineConnection] = []
        self.used = 0

    async def run(self, settings: Mapping[str, str], sql: str, values: Sequence[Value]) -> Row:
        await self._acquire()
        self.used += 1
        try:
            return await self._execute(settings, sql, values)
        except ConnectionLost as lost:
            raise DatabaseUnreachable from lost
        finally:
            self.used -= 1
            self._slots.release()

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()

    async def _acquire(self) -> None:
        # A slot is usually free. Then no timer is needed, which would cost time on every request.
        if not self._slots.locked():
            await self._slots.acquire()
            return
        try:
            async with asyncio.timeout(POOL_WAIT_SECONDS):
                await self._slots.acquire()
        except TimeoutError as timeout:
            raise DatabaseBusy from timeout

    async def _execute(self, settings: Mapping[str, str], sql: str, values: Sequence[Value]) -> Row:
        connection = self._idle.pop() if self._idle else await self._open()
        connection.transferred_bytes = 0
        completed = False
        timeout = asyncio.get_running_loop().call_later(STATEMENT_TIMEOUT_SECONDS, connection.time_out)
        try:
            row = await connection.execute(settings, sql, values)
            completed = True
            return row
        except asyncpg.PostgresError:
            completed = True
            raise
        finally:
            timeout.cancel()
            self._release(connection, usable=completed)

    async def _open(self) -> PipelineConnection:
        return await PipelineConnection.open(
            self._url,
            self._discard,
            timeout_seconds=_CONNECT_TIMEOUT_SECONDS,
            prepares_statements=self._prepares_statements,
        )

    def _release(self, connection: PipelineConnection, *, usable: bool) -> None:
        """Makes the connection available again, unless a result is pending or its buffers have grown too large."""
        if usable and not connection.lost and connection.transferred_bytes < MAX_TRANSFERRED_BYTES:
            self._idle.append(connection)
        else:
            connection.close()

    def _discard(self, connection: PipelineConnection) -> None:
        """Called when the server closes an idle connection, for example because the database restarts."""
        if connection in self._idle:
            self._idle.remove(connection)
            connection.close()
