"""Seen from below: what the transport is told, and when."""

import asyncio
from collections.abc import Iterable

from cairn.one_write import ENOUGH_BYTES, Gathering


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
