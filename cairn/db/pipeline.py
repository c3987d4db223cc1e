"""Runs a transaction of one statement in one round trip, by the pipeline mode of libpq.

Most requests are one statement. The plain way takes three round trips: BEGIN with role and settings, the statement, and
COMMIT; sending, waiting and receiving three times was most of the cost of such a request, and asyncpg cannot send a
statement before the previous one has returned. Here settings, statement and sync message are sent in one write.
PostgreSQL treats everything between two syncs as one transaction, so an error anywhere rolls back all of it. Three
things must stay true: all messages are encoded before the first is sent, so that an encoding error cannot leave half a
transaction behind; a connection is used by one caller at a time; and a connection whose result was not read to its end
is closed. The server process spends about half as much time on a list or an insert (673 to 375 and 882 to 536
microseconds, decision 70); the bench row is "list with the pipeline".
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
"""The most prepared statements on one connection. The data service has one for each kind of request and role."""

MAX_TRANSFERRED_BYTES = 1024 * 1024
"""libpq never releases the buffer of its largest message, so a connection is closed after a transfer of this size."""

# Bound once: access to enum members is slow, and each transaction needs a dozen of them.
_TEXT, _BINARY = pq.Format.TEXT, pq.Format.BINARY
_OK, _FAILED, _SYNC = pq.ExecStatus.COMMAND_OK, pq.ExecStatus.FATAL_ERROR, pq.ExecStatus.PIPELINE_SYNC
_FIELDS = {field: chr(field) for field in pq.DiagnosticField}


class PipelineConnection:
    """One libpq connection, read by the event loop and used by one caller at a time."""

    def __init__(self, connection: pq.abc.PGconn, on_closed: "Callable[[PipelineConnection], None]") -> None:
        self._connection = connection
        self._on_closed = on_closed
        self._loop = asyncio.get_running_loop()
        self._socket = connection.socket
        self._prepared: OrderedDict[str, bytes] = OrderedDict()
        self._prepared_count = 0
        self._sent: list[str | None] = []
        """One entry for each command in flight: the SQL if the command prepares a statement, else None."""
        self._results: list[pq.abc.PGresult] = []
        self._completion: asyncio.Future[None] | None = None
        self.transferred_bytes = 0
        self.lost = False
        connection.nonblocking = 1
        connection.enter_pipeline_mode()
        self._loop.add_reader(self._socket, self._read)

    @classmethod
    async def open(
        cls, url: str, on_closed: "Callable[[PipelineConnection], None]", *, seconds: int
    ) -> "PipelineConnection":
        conninfo = make_conninfo(url, client_encoding="UTF8", connect_timeout=seconds, application_name="cairn")
        # In a thread, because libpq blocks while it resolves host names. Connections are kept, so this is rare.
        connection = await asyncio.to_thread(pq.PGconn.connect, conninfo.encode())
        if connection.status != pq.ConnStatus.OK:
            raise ConnectionLost(connection.get_error_message())
        return cls(connection, on_closed)

    async def execute(self, settings: Mapping[str, str], sql: str, values: Sequence[Value]) -> Row:
        """Returns the first row of the statement; its values are in PostgreSQL's text format."""
        # Everything is encoded before anything is sent: half a transaction would become the start of the next one.
        encoded_settings = [value.encode() for value in settings.values()]
        _refuse_nul(b"".join(encoded_settings))
        encoded_values = [_encode(value) for value in values]
        completion = self._completion = self._loop.create_future()
        try:
            self._evict_statement()
            self._send(_settings_sql(tuple(settings)), encoded_settings, [_TEXT] * len(encoded_settings))
            self._send(sql, encoded_values, [_format(value) for value in values])
            self._connection.pipeline_sync()
        except psycopg.OperationalError as lost:
            raise ConnectionLost(str(lost)) from lost
        self._write()
        await completion
        return self._row()

    def time_out(self) -> None:
        self._fail(TimeoutError("no result in time"))

    def close(self) -> None:
        self._loop.remove_reader(self._socket)
        self._loop.remove_writer(self._socket)
        self._connection.finish()

    def _evict_statement(self) -> None:
        """Comes first in the transaction, because the commands after it may fail."""
        if len(self._prepared) > PREPARED_STATEMENTS:
            _, name = self._prepared.popitem(last=False)
            self._connection.send_query_params(b"deallocate " + name, None)
            self._sent.append(None)

    def _send(self, sql: str, encoded: Sequence[bytes], formats: Sequence[pq.Format]) -> None:
        name = self._prepared.get(sql)
        if name is None:
            self._prepared_count += 1
            name = self._prepared[sql] = b"statement_%d" % self._prepared_count
            self._connection.send_prepare(name, sql.encode())
            self._sent.append(sql)
        else:
            self._prepared.move_to_end(sql)
        self._connection.send_query_prepared(name, encoded, formats)
        self._sent.append(None)
        self.transferred_bytes += sum(map(len, encoded))

    def _write(self) -> None:
        try:
            unsent = self._connection.flush()
        except psycopg.OperationalError as lost:
            self._fail(lost)
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
                    if self._completion is None:
                        return
                elif result.status == _SYNC:
                    self._complete()
                    return
                else:
                    self._results.append(result)
        except psycopg.OperationalError as lost:
            self._fail(lost)

    def _complete(self) -> None:
        completion, self._completion = self._completion, None
        if completion is not None and not completion.done():
            completion.set_result(None)

    def _fail(self, cause: Exception) -> None:
        completion, self._completion = self._completion, None
        self.lost = True
        # A socket at end of file stays readable, and the event loop would call the reader without end.
        self._loop.remove_reader(self._socket)
        if completion is None:
            self._on_closed(self)
        elif not completion.done():
            completion.set_exception(ConnectionLost(str(cause)))

    def _row(self) -> Row:
        results, sent, self._results, self._sent = self._results, self._sent, [], []
        for result, prepared in zip(results, sent, strict=False):
            if prepared is not None and result.status != _OK:
                self._prepared.pop(prepared, None)
        for result in results:
            if result.status == _FAILED:
                raise _error(result)
        last = results[-1]
        row = [last.get_value(0, column) for column in range(last.nfields)] if last.ntuples else []
        self.transferred_bytes += sum(map(len, filter(None, row)))
        return tuple(row)


@lru_cache(maxsize=64)
def _settings_sql(names: tuple[str, ...]) -> str:
    """The names are part of the SQL: there are only a few sets of them, so the prepared statement is reused."""
    set_each = (f"set_config('{name}', ${number}, true)" for number, name in enumerate(names, start=1))
    return f"select {', '.join(set_each)}"


def _format(value: Value) -> pq.Format:
    return _BINARY if isinstance(value, (bytes, bytearray)) else _TEXT


def _encode(value: Value) -> bytes:
    if isinstance(value, bytes | bytearray):
        return bytes(value)
    if isinstance(value, str):
        return _encode_text(value)
    if isinstance(value, int):
        return b"%d" % value
    return _encode_text("{" + ",".join(_quoted_element(element) for element in value) + "}")


def _quoted_element(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _encode_text(text: str) -> bytes:
    encoded = text.encode()
    _refuse_nul(encoded)
    return encoded


def _refuse_nul(encoded: bytes) -> None:
    """libpq takes NUL for the end of a text and would send a truncated value."""
    if b"\x00" in encoded:
        raise asyncpg.CharacterNotInRepertoireError('invalid byte sequence for encoding "UTF8": 0x00')


def _error(result: pq.abc.PGresult) -> asyncpg.PostgresError:
    """Raised as an exception of asyncpg, so that all errors of PostgreSQL are translated in one place."""
    fields = {code: result.error_field(field) for field, code in _FIELDS.items()}
    return asyncpg.PostgresError.new({code: text.decode() for code, text in fields.items() if text is not None})
