"""17A4: requests that a client sends before it has received the responses to earlier ones do not fill the memory.

17A4 is a finding in docs/security.md.
"""

import asyncio
import re

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from cairn.settings import ConnectionSettings
from cairn.slow_clients import ConnectionLimits, LimitedProtocol
from tests.test_one_write import RecordingTransport

REQUEST = b"HEAD / HTTP/1.1\r\nHost: cairn\r\n\r\n"
MAX_WAITING_REQUESTS = 16


class Connection:
    """A connection to a server that responds as soon as `may_respond` is set."""

    def __init__(self) -> None:
        self.may_respond = asyncio.Event()
        self.transport = RecordingTransport()
        config = uvicorn.Config(self._respond, interface="asgi3", lifespan="off", log_config=None)
        config.load()
        limits = ConnectionLimits(ConnectionSettings(), trusted_proxies="127.0.0.1")
        self.protocol = LimitedProtocol(config=config, server_state=ServerState(), app_state={}, limits=limits)
        self.protocol.connection_made(self.transport)

    async def _respond(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        await self.may_respond.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body"})

    async def response_count(self) -> int:
        """Waits until all requests that are not discarded have a response, and returns the number of responses."""
        self.may_respond.set()
        while self.protocol.tasks:
            await asyncio.gather(*self.protocol.tasks)
        await asyncio.sleep(0)
        return len(re.findall(rb"HTTP/1.1 200", b"".join(self.transport.writes)))


@pytest.mark.parametrize("requests_per_chunk", [1, 2000])
async def test_17a4_a_connection_on_which_too_many_requests_wait_is_closed(requests_per_chunk: int) -> None:
    connection = Connection()

    for _ in range(2000 // requests_per_chunk):
        connection.protocol.data_received(REQUEST * requests_per_chunk)

    assert connection.transport.closed
    assert len(connection.protocol.pipeline) == 0
    assert len(connection.protocol.tasks) <= 1


async def test_17a4_a_few_requests_may_wait_for_the_responses_to_earlier_ones() -> None:
    connection = Connection()

    connection.protocol.data_received(REQUEST * (1 + MAX_WAITING_REQUESTS))

    assert not connection.transport.closed
    assert await connection.response_count() == 1 + MAX_WAITING_REQUESTS
