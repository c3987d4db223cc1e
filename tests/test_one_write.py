"""The headers and the body of a response are sent with one write."""

import asyncio
from collections.abc import Iterable

from cairn.one_write import FLUSH_BYTES, CollectingTransport


class RecordingTransport(asyncio.Transport):
    def __init__(self) -> None:
        super().__init__()
        self.writes: list[bytes] = []
        self.closed = False

    def writelines(self, parts: Iterable[bytes]) -> None:  # type: ignore[override] # the server writes bytes only
        self.writes.append(b"".join(parts))

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


async def test_headers_and_body_are_written_together() -> None:
    network = RecordingTransport()
    transport = CollectingTransport(network)

    transport.write(b"headers")
    transport.write(b"body")
    assert network.writes == []
    await asyncio.sleep(0)
    transport.write(b"the next response")
    await asyncio.sleep(0)

    assert network.writes == [b"headersbody", b"the next response"]


async def test_closing_the_transport_first_writes_what_it_collected() -> None:
    network = RecordingTransport()
    transport = CollectingTransport(network)

    transport.write(b"the last response")
    transport.close()
    await asyncio.sleep(0)

    assert (network.writes, network.closed) == ([b"the last response"], True)


async def test_a_large_body_is_written_without_waiting_for_the_event_loop() -> None:
    network = RecordingTransport()
    transport = CollectingTransport(network)

    for _ in range(4):
        transport.write(b"x" * FLUSH_BYTES)

    assert sum(map(len, network.writes)) == 4 * FLUSH_BYTES


async def test_nothing_is_written_to_a_closed_connection() -> None:
    network = RecordingTransport()
    transport = CollectingTransport(network)

    transport.write(b"too late")
    network.closed = True
    await asyncio.sleep(0)

    assert network.writes == []
