"""Headers and body of a response are one write."""

import asyncio
from collections.abc import Iterable

from cairn.one_write import FLUSH_BYTES, CollectingTransport


class RecordingTransport(asyncio.Transport):
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


async def test_headers_and_body_are_written_together() -> None:
    recorded = RecordingTransport()
    transport = CollectingTransport(recorded)

    transport.write(b"headers")
    transport.write(b"body")
    assert recorded.written == []
    await asyncio.sleep(0)
    transport.write(b"the next response")
    await asyncio.sleep(0)

    assert recorded.written == [b"headersbody", b"the next response"]


async def test_closing_loses_nothing() -> None:
    recorded = RecordingTransport()
    transport = CollectingTransport(recorded)

    transport.write(b"the last response")
    transport.close()
    await asyncio.sleep(0)

    assert (recorded.written, recorded.closed) == ([b"the last response"], True)


async def test_a_large_body_is_not_collected() -> None:
    recorded = RecordingTransport()
    transport = CollectingTransport(recorded)

    for _ in range(4):
        transport.write(b"x" * FLUSH_BYTES)

    assert sum(map(len, recorded.written)) == 4 * FLUSH_BYTES


async def test_nothing_is_written_to_a_closed_connection() -> None:
    recorded = RecordingTransport()
    transport = CollectingTransport(recorded)

    transport.write(b"too late")
    recorded.closed = True
    await asyncio.sleep(0)

    assert recorded.written == []
