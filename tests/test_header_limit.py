"""Requests with too large headers are rejected while they are received."""

import asyncio
import re

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from uvicorn.server import ServerState

from cairn.header_limit import MAX_HEADER_BYTES
from cairn.one_write import OneWriteProtocol
from tests.test_one_write import RecordingTransport


def request(headers: bytes = b"", body: bytes = b"") -> bytes:
    length = b"Content-Length: %d\r\n" % len(body)
    return b"POST / HTTP/1.1\r\nHost: cairn\r\n" + length + headers + b"\r\n" + body


@pytest.mark.parametrize("step", [1000, 65536, 256 * 1024])
async def test_headers_beyond_the_limit_are_rejected(step: int) -> None:
    one_long_header = request(b"Accept: " + b"a," * 3 * MAX_HEADER_BYTES)
    many_headers = request(b"Accept: a/b\r\n" * MAX_HEADER_BYTES)
    large_but_allowed = request(b"Prefer: " + b"a," * 20_000 + b"\r\n", b"x" * 2 * MAX_HEADER_BYTES)

    assert await statuses(one_long_header, step) == [b"HTTP/1.1 400"]
    assert await statuses(many_headers, step) == [b"HTTP/1.1 400"]
    assert await statuses(large_but_allowed + large_but_allowed, step) == [b"HTTP/1.1 200"] * 2


async def statuses(sent: bytes, step: int) -> list[bytes]:
    """The status lines of the responses to `sent`, which arrives in chunks of `step` bytes."""
    config = uvicorn.Config(PlainTextResponse("seen"), http=OneWriteProtocol, lifespan="off", log_config=None)
    config.load()
    protocol = OneWriteProtocol(config=config, server_state=ServerState(), app_state={})
    recorded = RecordingTransport()
    protocol.connection_made(recorded)
    for start in range(0, len(sent), step):
        if not recorded.closed:
            protocol.data_received(sent[start : start + step])
            await asyncio.sleep(0)
    while protocol.tasks:
        await asyncio.gather(*protocol.tasks)
    await asyncio.sleep(0)
    protocol.connection_lost(None)
    return re.findall(rb"HTTP/1.1 \d+", b"".join(recorded.written))
