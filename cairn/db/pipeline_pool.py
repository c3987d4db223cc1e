"""The connections for transactions of one statement: opened when they are needed, kept while they live."""

import asyncio
from collections.abc import Mapping, Sequence

import asyncpg

from cairn.db.connection_lost import ConnectionLost
from cairn.db.errors import DatabaseBusy, DatabaseUnreachable
from cairn.db.pipeline import HEAVY_BYTES, PipelineConnection, Row, Value

POOL_WAIT_SECONDS = 2.0
STATEMENT_SECONDS = 60.0
_CONNECT_SECONDS = 5


class PipelinePool:
    def __init__(self, url: str, size: int) -> None:
        self._url = url
        self._free = asyncio.Semaphore(size)
        self._waiting: list[PipelineConnection] = []

    async def run(self, settings: Mapping[str, str], sql: str, values: Sequence[Value]) -> Row:
        await self._take_a_place()
        try:
            return await self._execute(settings, sql, values)
        except ConnectionLost as lost:
            raise DatabaseUnreachable from lost
        finally:
            self._free.release()

    def close(self) -> None:
        while self._waiting:
            self._waiting.pop().close()

    async def _take_a_place(self) -> None:
        if not self._free.locked():
            await self._free.acquire()
            return
        try:
            async with asyncio.timeout(POOL_WAIT_SECONDS):
                await self._free.acquire()
        except TimeoutError as busy:
            raise DatabaseBusy from busy

    async def _execute(self, settings: Mapping[str, str], sql: str, values: Sequence[Value]) -> Row:
        connection = self._waiting.pop() if self._waiting else await self._opened()
        connection.carried = 0
        arrived = False
        late = asyncio.get_running_loop().call_later(STATEMENT_SECONDS, connection.give_up)
        try:
            row = await connection.execute(settings, sql, values)
            arrived = True
            return row
        except asyncpg.PostgresError:
            arrived = True
            raise
        finally:
            late.cancel()
            self._put_back(connection, usable=arrived)

    async def _opened(self) -> PipelineConnection:
        return await PipelineConnection.open(self._url, self._ended, seconds=_CONNECT_SECONDS)

    def _put_back(self, connection: PipelineConnection, *, usable: bool) -> None:
        """One whose answer is still to come, or that has grown too large, is not used again."""
        if usable and not connection.lost and connection.carried < HEAVY_BYTES:
            self._waiting.append(connection)
        else:
            connection.close()

    def _ended(self, connection: PipelineConnection) -> None:
        """Told by a connection that ends while nobody uses it, as all do when the database restarts."""
        if connection in self._waiting:
            self._waiting.remove(connection)
            connection.close()
