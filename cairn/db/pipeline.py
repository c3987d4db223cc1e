"""Runs a transaction of one statement in one round trip, with the pipeline mode of libpq.

Most requests are one statement. Without a pipeline, each takes three round trips: BEGIN with the role and settings, the
statement, and COMMIT. Sending and receiving three times was most of the cost of such a request, and asyncpg cannot send
a statement before the previous one has returned. Here the settings, the statement and a sync message are sent in one
write. PostgreSQL treats everything between two sync messages as one transaction, so an error rolls back all of it.

Three rules must always hold:

- All messages are encoded before the first one is sent. Otherwise an encoding error could leave half a transaction.
- A connection is used by only one caller at a time.
- A connection is closed if its result was not read completely.

The server process spends about half as much time on a list (375 instead of 673 microseconds) and on an insert (536
instead of 882), see decision 70. The bench measures it as "list with the pipeline".
"""

import asyncio
import select
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

APPLICATION_NAME = "cairn"
"""Both pools have the same name, because a pooler sends a statement whenever the name of the client changes."""

MAX_PREPARED_STATEMENTS = 256
"""The limit for one connection. The REST service prepares one statement for each kind of request and role."""

MAX_PREPARED_SQL_LENGTH = 4096
"""Longer statements, for example with many embeds, are not prepared. Those of the product are a third as long."""

MAX_PREPARED_TOTAL_LENGTH = 256 * 1024
"""The limit for all prepared statements of one connection, of which each character takes about 130 bytes of memory."""

MAX_TRANSFERRED_BYTES = 1024 * 1024
"""libpq never releases the buffer of its largest message, so a connection is closed after a transfer of this size."""

# These are module variables because access to enum members is slow, and each transaction needs a dozen of them.
_TEXT, _BINARY = pq.Format.TEXT, pq.Format.BINARY
_OK, _FAILED, _SYNC = pq.ExecStatus.COMMAND_OK, pq.ExecStatus.FATAL_ERROR, pq.ExecStatus.PIPELINE_SYNC
_ERROR_FIELD_CODES = {field: chr(field) for field in pq.DiagnosticField}


class PipelineConnection:
    """One libpq connection, read by the event loop and used by one caller at a time."""

    def __init__(
        self,
        connection: pq.abc.PGconn,
        on_closed: "Callable[[PipelineConnection], None]",
        *,
        prepares_statements: bool = True,
    ) -> None:
        self._connection = connection
        self._max_prepared_sql_length = MAX_PREPARED_SQL_LENGTH if prepares_statements else 0
        self._on_closed = on_closed
        self._loop = asyncio.get_running_loop()
        self.file_descriptor = connection.socket
        self._statement_names: OrderedDict[str, bytes] = OrderedDict()
        self._prepared_length = 0
        self._statement_count = 0
        self._commands: list[str | None] = []
        """One entry for each command in flight: the SQL if the command prepares a statement, else None."""
        self._results: list[pq.abc.PGresult] = []
        self._completion: asyncio.Future[None] | None = None
        self.transferred_bytes = 0
        self.lost = False
        connection.nonblocking = 1
        connection.enter_pipeline_mode()
        self._loop.add_reader(self.file_descriptor, self._read)
        self._is_watched = True
        # Without events to wait for, it reports only errors and the end of the connection.
        self._disconnection = select.poll()
        self._disconnection.register(self.file_descriptor, 0)

    @classmethod
    async def open(
        cls,
        url: str,
        on_closed: "Callable[[PipelineConnection], None]",
        *,
        timeout_seconds: int,
        prepares_statements: bool = True,
    ) -> "PipelineConnection":
        """`prepares_statements` must be false if a pooler may run each transaction on another connection."""
        conninfo = make_conninfo(
            url, client_encoding="UTF8", connect_timeout=timeout_seconds, application_name=APPLICATION_NAME
        )
        # libpq blocks while it resolves host names, so it connects in a thread. This is rare: connections are reused.
        connection = await asyncio.to_thread(pq.PGconn.connect, conninfo.encode())
        if connection.status != pq.ConnStatus.OK:
            raise ConnectionLost(connection.get_error_message())
        return cls(connection, on_closed, prepares_statements=prepares_statements)

    async def execute(self, settings: Mapping[str, str], sql: str, values: Sequence[Value]) -> Row:
        """Returns the first row of the statement; its values are in PostgreSQL's text format."""
        # Everything is encoded before anything is sent. Half a transaction would become the start of the next one.
        encoded_settings = [value.encode() for value in settings.values()]
        _refuse_nul(b"".join(encoded_settings))
        encoded_values = [_encode(value) for value in values]
        completion = self._completion = self._loop.create_future()
        try:
            self._evict_statements()
            self._send(_settings_sql(tuple(settings)), encoded_settings, [_TEXT] * len(encoded_settings))
            self._send(sql, encoded_values, [_format(value) for value in values])
            self._connection.pipeline_sync()
        except psycopg.OperationalError as lost:
            raise ConnectionLost(str(lost)) from lost
        self._write()
        await completion
        return self._first_row()

    def time_out(self) -> None:
        self._fail(TimeoutError("no result in time"))

    def close(self) -> None:
        self._stop_watching()
        self._connection.finish()

    def _stop_watching(self) -> None:
        """Ends the callbacks of the event loop, once only.

        When the server closes the connection, libpq closes the socket at once. A new connection may then get the same
        file descriptor, and a second removal would end the callbacks of the new one, which would wait forever.
        """
        if self._is_watched:
            self._is_watched = False
            self._loop.remove_reader(self.file_descriptor)
            self._loop.remove_writer(self.file_descriptor)

    def _evict_statements(self) -> None:
        """Deallocates the least recently used statements. This is sent first, as a failed command stops later ones."""
        while len(self._statement_names) > MAX_PREPARED_STATEMENTS or self._prepared_length > MAX_PREPARED_TOTAL_LENGTH:
            sql, name = self._statement_names.popitem(last=False)
            self._prepared_length -= len(sql)
            self._connection.send_query_params(b"deallocate " + name, None)
            self._commands.append(None)

    def _send(self, sql: str, encoded_values: Sequence[bytes], formats: Sequence[pq.Format]) -> None:
        self.transferred_bytes += sum(map(len, encoded_values))
        if len(sql) > self._max_prepared_sql_length:
            self._connection.send_query_params(sql.encode(), encoded_values, param_formats=formats)
            self._commands.append(None)
            return
        name = self._statement_names.get(sql)
        if name is None:
            self._statement_count += 1
            name = self._statement_names[sql] = b"statement_%d" % self._statement_count
            self._prepared_length += len(sql)
            self._connection.send_prepare(name, sql.encode())
            self._commands.append(sql)
        else:
            self._statement_names.move_to_end(sql)
        self._connection.send_query_prepared(name, encoded_values, formats)
        self._commands.append(None)

    def _write(self) -> None:
        try:
            unsent = self._connection.flush()
        except psycopg.OperationalError as lost:
            self._fail(lost)
            return
        if unsent:
            self._loop.add_writer(self.file_descriptor, self._write)
        else:
            self._loop.remove_writer(self.file_descriptor)

    def _read(self) -> None:
        try:
            self._connection.consume_input()
            # uvloop calls the reader only once after an error of the socket. So if the server has closed the
            # connection, everything that it sent before is read now, until libpq reports the end.
            while not self._process_results() and self._disconnection.poll(0):
                self._connection.consume_input()
        except psycopg.OperationalError as lost:
            self._fail(lost)

    def _process_results(self) -> bool:
        """Returns whether the transaction is complete."""
        connection = self._connection
        while not connection.is_busy():
            result = connection.get_result()
            # None marks the end of the results of one command.
            if result is None:
                if self._completion is None:
                    return False
            elif result.status == _SYNC:
                self._complete()
                return True
            else:
                self._results.append(result)
        return False

    def _complete(self) -> None:
        completion, self._completion = self._completion, None
        if completion is not None and not completion.done():
            completion.set_result(None)

    def _fail(self, cause: Exception) -> None:
        completion, self._completion = self._completion, None
        self.lost = True
        # A socket at end of file stays readable, so the event loop would call the reader forever.
        self._stop_watching()
        if completion is None:
            self._on_closed(self)
        elif not completion.done():
            completion.set_exception(ConnectionLost(str(cause)))

    def _first_row(self) -> Row:
        """Returns the first row of the last command, or raises the error of the command that failed."""
        results, commands = self._results, self._commands
        self._results, self._commands = [], []
        for result, prepared_sql in zip(results, commands, strict=False):
            if prepared_sql is not None and result.status != _OK and prepared_sql in self._statement_names:
                # The server does not have this statement, so the next transaction has to prepare it again.
                del self._statement_names[prepared_sql]
                self._prepared_length -= len(prepared_sql)
        for result in results:
            if result.status == _FAILED:
                raise _postgres_error(result)
        last = results[-1]
        row = [last.get_value(0, column) for column in range(last.nfields)] if last.ntuples else []
        self.transferred_bytes += sum(map(len, filter(None, row)))
        return tuple(row)


@lru_cache(maxsize=64)
def _settings_sql(names: tuple[str, ...]) -> str:
    """The names of the settings are in the SQL. Only a few sets of names occur, so prepared statements are reused."""
    set_configs = (f"set_config('{name}', ${number}, true)" for number, name in enumerate(names, start=1))
    return f"select {', '.join(set_configs)}"


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
    """libpq treats NUL as the end of a text and would send a truncated value."""
    if b"\x00" in encoded:
        raise asyncpg.CharacterNotInRepertoireError('invalid byte sequence for encoding "UTF8": 0x00')


def _postgres_error(result: pq.abc.PGresult) -> asyncpg.PostgresError:
    """Builds an asyncpg exception, so that callers handle all errors of PostgreSQL in the same way."""
    fields = {code: result.error_field(field) for field, code in _ERROR_FIELD_CODES.items()}
    return asyncpg.PostgresError.new({code: text.decode() for code, text in fields.items() if text is not None})
