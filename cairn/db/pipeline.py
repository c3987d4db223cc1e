"""A transaction of one statement in one round trip, by libpq's pipeline.

Settings, statement and the end of the transaction leave in one write: whatever stands between two syncs is one
transaction, so an error anywhere in it undoes all of it. Decision 0070 says what this saves.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

import asyncpg
import psycopg
from psycopg import pq
from psycopg.conninfo import make_conninfo

from cairn.db.connection_lost import ConnectionLost

Value: TypeAlias = str | int | bytes | bytearray | Sequence[str]
Row: TypeAlias = tuple[bytes | None, ...]

PREPARED_STATEMENTS = 256
"""Prepared on each connection. The data service alone has one for every question and role."""

HEAVY_BYTES = 1024 * 1024
"""libpq never gives back the room a message once took, so a connection that carried this much is not used again."""

# Looked up once: an enumeration's members are slow to reach, and each trip needs a dozen.
_TEXT, _BINARY = pq.Format.TEXT, pq.Format.BINARY
_DONE, _FAILED, _SYNCED = pq.ExecStatus.COMMAND_OK, pq.ExecStatus.FATAL_ERROR, pq.ExecStatus.PIPELINE_SYNC
_FIELDS = {field: chr(field) for field in pq.DiagnosticField}


class PipelineConnection:
    """One libpq connection, read by the event loop, and used by one traveller at a time."""

    def __init__(self, connection: pq.abc.PGconn, ended: "Callable[[PipelineConnection], None]") -> None:
        self._connection = connection
        self._ended = ended
        self._loop = asyncio.get_running_loop()
        self._socket = connection.socket
        self._prepared: OrderedDict[str, bytes] = OrderedDict()
        self._numbered = 0
        self._sent: list[str | None] = []
        """One for each command under way, the statement where it is the preparing of one."""
        self._results: list[pq.abc.PGresult] = []
        self._arrival: asyncio.Future[None] | None = None
        self.carried = 0
        self.lost = False
        connection.nonblocking = 1
        connection.enter_pipeline_mode()
        self._loop.add_reader(self._socket, self._read)

    @classmethod
    async def open(
        cls, url: str, ended: "Callable[[PipelineConnection], None]", *, seconds: int
    ) -> "PipelineConnection":
        conninfo = make_conninfo(url, client_encoding="UTF8", connect_timeout=seconds, application_name="cairn")
        # In a thread, as libpq looks up names while it blocks; connections are opened once and kept.
        connection = await asyncio.to_thread(pq.PGconn.connect, conninfo.encode())
        if connection.status != pq.ConnStatus.OK:
            raise ConnectionLost(connection.get_error_message())
        return cls(connection, ended)

    async def execute(self, settings: Mapping[str, str], sql: str, values: Sequence[Value]) -> Row:
        """The first row of the statement, its values as Postgres writes them."""
        # All written before anything is sent: half a transaction would be the beginning of the next one.
        opening = [value.encode() for value in settings.values()]
        _refuse_nul(b"".join(opening))
        written = [_written(value) for value in values]
        arrival = self._arrival = self._loop.create_future()
        try:
            self._make_room()
            self._send(_opening(tuple(settings)), opening, [_TEXT] * len(opening))
            self._send(sql, written, [_format(value) for value in values])
            self._connection.pipeline_sync()
        except psycopg.OperationalError as lost:
            raise ConnectionLost(str(lost)) from lost
        self._write()
        await arrival
        return self._row()

    def give_up(self) -> None:
        self._lose(TimeoutError("no answer in time"))

    def close(self) -> None:
        self._loop.remove_reader(self._socket)
        self._loop.remove_writer(self._socket)
        self._connection.finish()

    def _make_room(self) -> None:
        """First of all, as what follows may be undone."""
        if len(self._prepared) > PREPARED_STATEMENTS:
            _, name = self._prepared.popitem(last=False)
            self._connection.send_query_params(b"deallocate " + name, None)
            self._sent.append(None)

    def _send(self, sql: str, written: Sequence[bytes], formats: Sequence[pq.Format]) -> None:
        name = self._prepared.get(sql)
        if name is None:
            self._numbered += 1
            name = self._prepared[sql] = b"trip_%d" % self._numbered
            self._connection.send_prepare(name, sql.encode())
            self._sent.append(sql)
        else:
            self._prepared.move_to_end(sql)
        self._connection.send_query_prepared(name, written, formats)
        self._sent.append(None)
        self.carried += sum(map(len, written))

    def _write(self) -> None:
        try:
            unsent = self._connection.flush()
        except psycopg.OperationalError as lost:
            self._lose(lost)
            return
        if unsent:
            self._loop.add_writer(self._socket, self._write)
        else:
            self._loop.remove_writer(self._socket)

    def _read(self) -> None:
        connection = self._connection
        try:
            connection.consume_input()
            while not connection.is_busy():
                result = connection.get_result()
                if result is None:
                    if self._arrival is None:
                        return
                elif result.status == _SYNCED:
                    self._arrive()
                    return
                else:
                    self._results.append(result)
        except psycopg.OperationalError as lost:
            self._lose(lost)

    def _arrive(self) -> None:
        arrival, self._arrival = self._arrival, None
        if arrival is not None and not arrival.done():
            arrival.set_result(None)

    def _lose(self, cause: Exception) -> None:
        arrival, self._arrival = self._arrival, None
        self.lost = True
        # Nothing more will be read from it, and a socket at its end is readable for ever.
        self._loop.remove_reader(self._socket)
        if arrival is None:
            self._ended(self)
        elif not arrival.done():
            arrival.set_exception(ConnectionLost(str(cause)))

    def _row(self) -> Row:
        results, sent, self._results, self._sent = self._results, self._sent, [], []
        for result, prepared in zip(results, sent, strict=False):
            if prepared is not None and result.status != _DONE:
                self._prepared.pop(prepared, None)
        for result in results:
            if result.status == _FAILED:
                raise _error(result)
        last = results[-1]
        row = [last.get_value(0, column) for column in range(last.nfields)] if last.ntuples else []
        self.carried += sum(map(len, filter(None, row)))
        return tuple(row)


@lru_cache(maxsize=64)
def _opening(names: tuple[str, ...]) -> str:
    """With the names written out: they are few and our own, and what is prepared need not be sent each time."""
    set_each = (f"set_config('{name}', ${number}, true)" for number, name in enumerate(names, start=1))
    return f"select {', '.join(set_each)}"


def _format(value: Value) -> pq.Format:
    return _BINARY if isinstance(value, (bytes, bytearray)) else _TEXT


def _written(value: Value) -> bytes:
    if isinstance(value, bytes | bytearray):
        return bytes(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        return b"%d" % value
    return _text("{" + ",".join(_element(element) for element in value) + "}")


def _element(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _text(text: str) -> bytes:
    written = text.encode()
    _refuse_nul(written)
    return written


def _refuse_nul(written: bytes) -> None:
    """libpq ends a text at its first NUL, and would hand on a shorter one than was meant."""
    if b"\x00" in written:
        raise asyncpg.CharacterNotInRepertoireError('invalid byte sequence for encoding "UTF8": 0x00')


def _error(result: pq.abc.PGresult) -> asyncpg.PostgresError:
    """The same exceptions as everywhere else, so that one translation of refusals serves both ways to the database."""
    told = {letter: result.error_field(field) for field, letter in _FIELDS.items()}
    return asyncpg.PostgresError.new({letter: said.decode() for letter, said in told.items() if said is not None})
