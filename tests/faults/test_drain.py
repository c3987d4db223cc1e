"""A proxy can keep connections to the server open, and loses no request when the server stops."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx
import pytest

from tests.faults.test_supervision import get, wait_until
from tests.serving import RunningServer, serving

HEAD_SECONDS, KEEP_ALIVE_SECONDS = 2, 9
GET = b"GET /health/live HTTP/1.1\r\nHost: cairn\r\n\r\n"


@pytest.mark.accept("OPS-41")
async def test_an_idle_connection_outlives_the_timeout_of_a_half_sent_request(tmp_path: Path) -> None:
    settings = {
        "CAIRN_CONNECTIONS__HEAD_TIMEOUT": f"PT{HEAD_SECONDS}S",
        "CAIRN_CONNECTIONS__KEEP_ALIVE": f"PT{KEEP_ALIVE_SECONDS}S",
    }
    with serving(tmp_path, settings=settings, worker=False) as server:
        async with connected(server) as (reader, writer):
            first = await request(reader, writer)
            # uvicorn's own timeout is five seconds.
            await asyncio.sleep(6)
            second = await request(reader, writer)
            writer.write(GET[:10])
            half = await asyncio.wait_for(reader.read(), KEEP_ALIVE_SECONDS)
        async with connected(server) as (reader, writer):
            await request(reader, writer)
            end = await asyncio.wait_for(reader.read(), 3 * KEEP_ALIVE_SECONDS)

    assert first.startswith(b"HTTP/1.1 200")
    assert second.startswith(b"HTTP/1.1 200")
    assert half.startswith(b"HTTP/1.1 408"), "a half-sent request is refused before the idle time is over"
    assert end == b"", "an idle connection is closed without a response"


@pytest.mark.accept("OPS-41")
async def test_a_server_that_stops_is_not_ready_and_finishes_its_requests(tmp_path: Path) -> None:
    body = json.dumps({"email": "rosa@rio-rafting.example", "password": "seven rivers and a lake"}).encode()
    with serving(tmp_path, settings={"CAIRN_CONNECTIONS__DRAIN": "PT5S"}, worker=False) as server:
        head = f"POST /auth/v1/signup HTTP/1.1\r\nHost: cairn\r\napikey: {server.anon_key}\r\n"
        async with connected(server) as (reader, writer), connected(server) as (idle_reader, idle_writer):
            await request(idle_reader, idle_writer)
            writer.write(f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode())
            writer.write(body[:20])

            server.process.send_signal(signal.SIGTERM)
            await wait_until(lambda: get(server, "/health/ready").json()["checks"] == {"server": "is about to stop"})
            live = get(server, "/health/live")
            last_on_idle = await request(idle_reader, idle_writer)
            writer.write(body[20:])
            response = await asyncio.wait_for(reader.read(), 20)
        exit_status = await asyncio.to_thread(server.process.wait, 30)

        with pytest.raises(httpx.ConnectError):
            get(server, "/health/live")

    assert live.status_code == 200
    assert b"connection: close" in last_on_idle, "the proxy opens its next connection elsewhere"
    assert response.startswith(b"HTTP/1.1 200"), "a request that has begun is finished"
    assert exit_status == 0


@asynccontextmanager
async def connected(server: RunningServer) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    host, port = server.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        yield reader, writer
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def request(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    writer.write(GET)
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 20)
    return head + await asyncio.wait_for(reader.readuntil(b"}"), 20)
