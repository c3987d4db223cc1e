"""A request whose headers are too large is rejected before it has been received completely."""

import asyncio
import re

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from uvicorn.server import ServerState

from cairn.header_limit import MAX_BYTES_BETWEEN_PARTS, MAX_HEADER_BYTES, MAX_HEADERS, MAX_LIST_ENTRIES, MAX_URL_BYTES
from cairn.one_write import OneWriteProtocol
from tests.test_one_write import RecordingTransport


def request(headers: bytes = b"", body: bytes = b"") -> bytes:
    length = b"Content-Length: %d\r\n" % len(body)
    return b"POST / HTTP/1.1\r\nHost: cairn\r\n" + length + headers + b"\r\n" + body


@pytest.mark.parametrize("chunk_bytes", [1000, 65536, 256 * 1024])
async def test_only_headers_beyond_the_limit_are_rejected(chunk_bytes: int) -> None:
    one_long_header = request(b"Accept: " + b"a," * 3 * MAX_HEADER_BYTES)
    many_headers = request(b"Accept: a/b\r\n" * MAX_HEADER_BYTES)
    allowed_request = request(b"Prefer: " + b"a" * 40_000 + b"\r\n", b"x" * 2 * MAX_HEADER_BYTES)

    assert await statuses(one_long_header, chunk_bytes) == [b"HTTP/1.1 400"]
    assert await statuses(many_headers, chunk_bytes) == [b"HTTP/1.1 400"]
    assert await statuses(allowed_request + allowed_request, chunk_bytes) == [b"HTTP/1.1 200"] * 2


def open_protocol() -> OneWriteProtocol:
    config = uvicorn.Config(PlainTextResponse("accepted"), http=OneWriteProtocol, lifespan="off", log_config=None)
    config.load()
    return OneWriteProtocol(config=config, server_state=ServerState(), app_state={})


async def statuses(requests: bytes, chunk_bytes: int) -> list[bytes]:
    """Sends the requests in chunks of `chunk_bytes` and returns the status lines of the responses."""
    protocol = open_protocol()
    transport = RecordingTransport()
    protocol.connection_made(transport)
    for start in range(0, len(requests), chunk_bytes):
        if not transport.closed:
            protocol.data_received(requests[start : start + chunk_bytes])
            await asyncio.sleep(0)
    while protocol.tasks:
        await asyncio.gather(*protocol.tasks)
    await asyncio.sleep(0)
    protocol.connection_lost(None)
    return re.findall(rb"HTTP/1.1 \d+", b"".join(transport.writes))


SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: cairn\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n"
OTHER_PROTOCOL = b"Connection: Upgrade\r\nUpgrade: h2c\r\n"


@pytest.mark.parametrize("chunk_bytes", [1, 100, 65536])
@pytest.mark.parametrize("length", [b"Content-Length: %d\r\n" % len(SMUGGLED), b"Transfer-Encoding: chunked\r\n"])
async def test_19a1_a_request_with_a_body_cannot_ask_for_another_protocol(chunk_bytes: int, length: bytes) -> None:
    """19A1 in docs/security.md: before this fix, the body was taken for another request, with headers of its own."""
    head = b"GET / HTTP/1.1\r\nHost: cairn\r\n" + length + OTHER_PROTOCOL + b"\r\n"

    assert await statuses(head + SMUGGLED, chunk_bytes) == [b"HTTP/1.1 400"]


@pytest.mark.parametrize("chunk_bytes", [1, 65536])
async def test_19a1_nothing_is_read_after_a_request_for_another_protocol(chunk_bytes: int) -> None:
    head = b"GET / HTTP/1.1\r\nHost: cairn\r\nContent-Length: 0\r\n" + OTHER_PROTOCOL + b"\r\n"

    assert await statuses(request() + head + SMUGGLED, chunk_bytes) == [b"HTTP/1.1 200"] * 2


async def test_17l8_too_many_headers_are_rejected() -> None:
    """17L8 in docs/security.md: joining repeated headers takes time, even if all of them are empty."""
    # The request has two more headers.
    assert await statuses(request(b"A:\r\n" * (MAX_HEADERS - 2)), 65536) == [b"HTTP/1.1 200"]
    assert await statuses(request(b"A:\r\n" * (MAX_HEADERS - 1)), 65536) == [b"HTTP/1.1 400"]


async def test_17l8_a_long_url_counts_with_the_headers() -> None:
    url = b"/rest/v1/" + b"x" * (MAX_HEADER_BYTES * 3 // 8)
    for header_bytes, status in ((MAX_HEADER_BYTES // 2, b"200"), (MAX_HEADER_BYTES * 3 // 4, b"400")):
        long_request = request(b"Prefer: " + b"a" * header_bytes + b"\r\n").replace(b"/", url, 1)
        assert await statuses(long_request, 256 * 1024) == [b"HTTP/1.1 " + status]


async def test_18a4_headers_have_a_limited_number_of_list_entries() -> None:
    """18A4 in docs/security.md: splitting a list of 64,000 entries takes up to a tenth of a second."""
    for name in (b"Prefer", b"If-None-Match", b"Upload-Metadata", b"Sec-WebSocket-Protocol"):
        longest_list = name + b": " + b"abcde," * MAX_LIST_ENTRIES + b"\r\n"
        assert await statuses(request(longest_list), 65536) == [b"HTTP/1.1 200"]
        assert await statuses(request(longest_list + b"Accept: a,b\r\n"), 1000) == [b"HTTP/1.1 400"]


async def test_18a4_only_the_rest_service_gets_very_long_urls() -> None:
    path = b"/auth/v1/verify?"
    for url, status in (
        (path + b"a" * (MAX_URL_BYTES - len(path)), b"200"),
        (path + b"&" * (MAX_URL_BYTES + 1 - len(path)), b"400"),
        (b"/rest/v1/x?id=in.(" + b"a," * 25_000, b"200"),
    ):
        assert await statuses(request().replace(b"/", url, 1), 65536) == [b"HTTP/1.1 " + status]


@pytest.mark.parametrize("trailers", [b"a:\r\n" * 20_000, b"a:" + b"a" * 80_000], ids=["many", "long"])
async def test_18a5_trailers_of_a_chunked_body_are_limited(trailers: bytes) -> None:
    """18A5 in docs/security.md: trailers were kept without a limit, and a long one was copied again and again."""
    protocol, transport = open_protocol(), RecordingTransport()
    protocol.connection_made(transport)
    protocol.data_received(b"POST / HTTP/1.1\r\nHost: cairn\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n")
    received_bytes = 0
    for start in range(0, len(trailers), 1000):
        if not transport.closed:
            received_bytes += 1000
            protocol.data_received(trailers[start : start + 1000])

    assert transport.closed
    assert received_bytes <= MAX_BYTES_BETWEEN_PARTS + 1000
    assert protocol.headers == [(b"host", b"cairn"), (b"transfer-encoding", b"chunked")]
    await asyncio.gather(*protocol.tasks)


@pytest.mark.parametrize("chunk_bytes", [1, 1000, 256 * 1024])
async def test_18a5_a_long_chunked_body_with_trailers_is_accepted(chunk_bytes: int) -> None:
    head = b"POST / HTTP/1.1\r\nHost: cairn\r\nTransfer-Encoding: chunked\r\n\r\n"
    upload = head + b"2000\r\n" + b"x" * 0x2000 + b"\r\n" + b"3\r\nabc\r\n" * 3000 + b"0\r\nChecksum: 1\r\n\r\n"

    assert await statuses(upload + request(body=b"x" * 40_000), chunk_bytes) == [b"HTTP/1.1 200"] * 2
