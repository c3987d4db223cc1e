"""18A2, 19A2: tiny frames of websockets neither stop the server nor fill its memory.
18A9: a text that is not UTF-8 is no server error.

18A2, 18A9 and 19A2 are findings in docs/security.md.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from starlette.types import Receive, Scope, Send

from cairn.slow_clients import LimitedWebSocketProtocol
from cairn.websocket_frames import MAX_FRAMES_AFTER_CLOSE, MAX_SMALL_FRAMES
from tests.abuse.connections import read_until_closed
from tests.abuse.test_unread import BODY_BYTES, UPGRADE, request, serving

# Masks of zeros do not change the content of a frame.
PING = b"\x89\x80\0\0\0\0"
LONG_PING = b"\x89\xfd" + bytes(4) + b"p" * 125
CLOSE = b"\x88\x80\0\0\0\0"
EMPTY_TEXT = b"\x81\x80\0\0\0\0"
FIRST_FRAGMENT = b"\x01\x80\0\0\0\0"
NEXT_FRAGMENT = b"\x00\x80\0\0\0\0"
POLICY_VIOLATION = (1008).to_bytes(2)


class Application:
    """Accepts websockets. It receives messages only while `reads` is set, sends a large message at `/large`, and closes
    the socket at `/closed`.
    """

    def __init__(self) -> None:
        self.reads = asyncio.Event()
        self.received: list[int] = []
        self.has_ended = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        if scope["path"] == "/large":
            await send({"type": "websocket.send", "bytes": bytes(BODY_BYTES)})
        if scope["path"] == "/closed":
            await send({"type": "websocket.close", "code": 1007})
            return
        await self.reads.wait()
        while (message := await receive())["type"] == "websocket.receive":
            self.received.append(len(message.get("text") or message.get("bytes") or ""))
        self.has_ended.set()


Socket = tuple[asyncio.StreamReader, asyncio.StreamWriter, LimitedWebSocketProtocol]


@asynccontextmanager
async def open_websocket(app: Application, path: str = "/") -> AsyncIterator[Socket]:
    async with serving(read_seconds=60, app=app) as (port, connections):
        reader, writer = await asyncio.open_connection(sock=request(port, "203.0.113.9", UPGRADE, path))
        await reader.readuntil(b"\r\n\r\n")
        [protocol] = [item for item in connections if isinstance(item, LimitedWebSocketProtocol)]
        yield reader, writer, protocol
        writer.close()


@pytest.mark.parametrize("frames", [PING * 40_000, FIRST_FRAGMENT + NEXT_FRAGMENT * 40_000], ids=["pings", "fragments"])
async def test_18a2_a_client_with_too_many_tiny_frames_is_disconnected(frames: bytes) -> None:
    app = Application()
    app.reads.set()
    async with open_websocket(app) as (reader, writer, _):
        writer.write(frames)
        received = await asyncio.wait_for(read_until_closed(reader), 20)

    assert POLICY_VIOLATION + b"too many small frames" in received
    assert received.count(b"\x8a\0") < 400, "almost all pings were not even parsed"


async def test_18a2_a_message_is_parsed_only_when_the_application_has_received_the_previous_ones() -> None:
    app = Application()
    async with open_websocket(app) as (_, writer, protocol):
        writer.write(EMPTY_TEXT * 20_000 + b"\x81\x82\0\0\0\0ok" + CLOSE)
        await asyncio.sleep(0.5)
        assert protocol.queue.qsize() < 200

        app.reads.set()
        await asyncio.wait_for(app.has_ended.wait(), 20)

    assert len(app.received) == 20_001
    assert app.received[-1] == 2, "all messages arrive, and in their order"


async def test_18a2_a_long_message_in_ordinary_fragments_arrives() -> None:
    app = Application()
    app.reads.set()
    fragment_head = b"\xfe" + (4096).to_bytes(2) + bytes(4)
    fragments = [b"\x02" + fragment_head, *[b"\x00" + fragment_head] * 200]
    message = b"".join(head + bytes(4096) for head in fragments) + b"\x80\x80\0\0\0\0"
    async with open_websocket(app) as (reader, writer, _):
        writer.write(message + PING)
        assert await asyncio.wait_for(reader.readexactly(2), 20) == b"\x8a\0"

    assert app.received == [201 * 4096]


async def test_18a2_pongs_are_not_collected_for_a_client_that_reads_nothing() -> None:
    app = Application()
    app.reads.set()
    async with open_websocket(app, "/large") as (reader, writer, protocol):
        # The stream of this test would otherwise read on behind our back.
        reader._transport.pause_reading()  # type: ignore[attr-defined] # there is no public name
        await asyncio.sleep(0.2)
        unread_before = protocol.unread_bytes()
        writer.write(LONG_PING * (MAX_SMALL_FRAMES - 2) + b"\x89\x82\0\0\0\0me")
        await asyncio.sleep(0.3)
        assert 0 < protocol.unread_bytes() <= unread_before

        reader._transport.resume_reading()  # type: ignore[attr-defined] # there is no public name
        await reader.readexactly(10 + BODY_BYTES)
        assert await asyncio.wait_for(reader.readexactly(4), 20) == b"\x8a\x02me", "the last ping has its pong"


@pytest.mark.parametrize("frame", [PING, EMPTY_TEXT], ids=["pings", "texts"])
async def test_19a2_a_client_that_goes_on_after_the_socket_was_closed_is_disconnected(frame: bytes) -> None:
    """Before this fix, it could send as many frames as it liked for ten seconds."""
    async with open_websocket(Application(), "/closed") as (reader, writer, protocol):
        assert (await asyncio.wait_for(reader.readexactly(4), 20))[2:] == (1007).to_bytes(2)
        writer.write(frame * MAX_FRAMES_AFTER_CLOSE)
        await asyncio.sleep(0.3)
        assert not protocol.transport.is_closing(), "these frames may have been sent before the client knew"

        started_at = asyncio.get_running_loop().time()
        writer.write(frame)
        await asyncio.wait_for(read_until_closed(reader), 20)
        assert asyncio.get_running_loop().time() - started_at < 3


async def test_18a9_a_text_that_is_not_utf_8_closes_the_socket_without_a_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    app = Application()
    app.reads.set()
    caplog.set_level("ERROR")
    async with open_websocket(app) as (reader, writer, _):
        writer.write(b"\x81\x81\0\0\0\0\xff")
        received = await asyncio.wait_for(read_until_closed(reader), 20)

    assert (1007).to_bytes(2) in received
    assert (app.received, caplog.records) == ([], [])
