"""Raw connections for tests, because an HTTP library would never send half of a request."""

import asyncio
import resource
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from tests.abuse.honest import ATTACKER_ADDRESS
from tests.serving import RunningServer

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]
MAX_CONNECTIONS_PER_NETWORK = 1000
# The timeouts are shorter than the defaults, so that the tests are short.
SLOW_CLIENT_SETTINGS = {
    "CAIRN_CONNECTIONS__PER_NETWORK": str(MAX_CONNECTIONS_PER_NETWORK),
    "CAIRN_CONNECTIONS__HEAD_TIMEOUT": "PT4S",
    "CAIRN_CONNECTIONS__BODY_TIMEOUT": "PT4S",
    "CAIRN_CONNECTIONS__BODY_MIN_BYTES": "2000",
    "CAIRN_CONNECTIONS__READ_TIMEOUT": "PT4S",
}


def allow_many_files() -> None:
    """Raises this process's limit on open files, because each connection counts as an open file."""
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))


async def connect(
    server: RunningServer,
    first_bytes: bytes = b"",
    *,
    address: str = ATTACKER_ADDRESS,
    receive_buffer: int | None = None,
) -> Connection:
    """Opens a connection from `address` and sends `first_bytes` on it."""
    host, port = server.url.removeprefix("http://").split(":")
    connection = socket.socket()
    if receive_buffer is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.bind((address, 0))
    connection.setblocking(False)
    await asyncio.get_running_loop().sock_connect(connection, (host, int(port)))
    reader, writer = await asyncio.open_connection(sock=connection)
    writer.write(first_bytes)
    return reader, writer


@contextmanager
def closed_at_end(connections: Sequence[Connection]) -> Iterator[None]:
    """Closes the connections even if the test fails, because open ones would disturb the next test."""
    try:
        yield
    finally:
        for _, writer in connections:
            writer.close()


async def trickle(writer: asyncio.StreamWriter, part: bytes, *, every_seconds: float) -> None:
    """Sends the part again and again until the connection is closed."""
    with suppress(ConnectionError):
        while not writer.is_closing():
            writer.write(part)
            await asyncio.sleep(every_seconds)


async def read_until_closed(reader: asyncio.StreamReader) -> bytes:
    received = bytearray()
    with suppress(ConnectionError):
        while part := await reader.read(65_536):
            received += part
    return bytes(received)
