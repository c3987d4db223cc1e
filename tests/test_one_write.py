"""Seen from below: what the transport is told, and when."""

import asyncio
import re
from collections.abc import Iterable

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from uvicorn.server import ServerState

from cairn.one_write import ENOUGH_BYTES, MOST_HEAD_BYTES, Gathering, OneWriteProtocol


class Wire(asyncio.Transport):
    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.closed = False

    def writelines(self, parts: Iterable[bytes]) -> None:  # type: ignore[override] # bytes only
        self.written.append(b"".join(parts))

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


async def test_what_is_written_in_one_turn_is_one_write() -> None:
    wire = Wire()
    gathering = Gathering(wire)

    gathering.write(b"head")
    gathering.write(b"body")
    assert wire.written == []
    await asyncio.sleep(0)
    gathering.write(b"the next answer")
    await asyncio.sleep(0)

    assert wire.written == [b"headbody", b"the next answer"]


async def test_closing_loses_nothing() -> None:
    wire = Wire()
    gathering = Gathering(wire)

    gathering.write(b"farewell")
    gathering.close()
    await asyncio.sleep(0)

    assert (wire.written, wire.closed) == ([b"farewell"], True)


async def test_a_large_body_is_passed_on_as_it_comes() -> None:
    wire = Wire()
    gathering = Gathering(wire)

    for _ in range(4):
        gathering.write(b"x" * ENOUGH_BYTES)

    assert sum(map(len, wire.written)) == 4 * ENOUGH_BYTES


async def test_nobody_writes_to_who_has_left() -> None:
    wire = Wire()
    gathering = Gathering(wire)

    gathering.write(b"too late")
    wire.closed = True
    await asyncio.sleep(0)

    assert wire.written == []


def request(headers: bytes = b"", body: bytes = b"") -> bytes:
    length = b"Content-Length: %d\r\n" % len(body)
    return b"POST / HTTP/1.1\r\nHost: cairn\r\n" + length + headers + b"\r\n" + body


@pytest.mark.parametrize("step", [1000, 65536, 256 * 1024])
async def test_a_head_without_end_is_not_read(step: int) -> None:
    endless = request(b"Accept: " + b"a," * 3 * MOST_HEAD_BYTES)
    many = request(b"Accept: a/b\r\n" * MOST_HEAD_BYTES)
    large = request(b"Prefer: " + b"a," * 20_000 + b"\r\n", b"x" * 2 * MOST_HEAD_BYTES)

    assert await answers(endless, step) == [b"HTTP/1.1 400"]
    assert await answers(many, step) == [b"HTTP/1.1 400"]
    assert await answers(large + large, step) == [b"HTTP/1.1 200"] * 2


async def answers(sent: bytes, step: int) -> list[bytes]:
    """The beginning of each answer, to what comes in parts of so many bytes."""
    config = uvicorn.Config(PlainTextResponse("seen"), http=OneWriteProtocol, lifespan="off", log_config=None)
    config.load()
    protocol = OneWriteProtocol(config=config, server_state=ServerState(), app_state={})
    wire = Wire()
    protocol.connection_made(wire)
    for start in range(0, len(sent), step):
        if not wire.closed:
            protocol.data_received(sent[start : start + step])
            await asyncio.sleep(0)
    while protocol.tasks:
        await asyncio.gather(*protocol.tasks)
    await asyncio.sleep(0)
    protocol.connection_lost(None)
    return re.findall(rb"HTTP/1.1 \d+", b"".join(wire.written))
