"""Compresses responses with gzip, for clients that accept it."""

import asyncio
import zlib
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing
from dataclasses import replace

from cairn.rest.response.model import Response

MIN_COMPRESSED_BYTES = 1024
"""Bodies up to this size are sent as they are: compressing them saves less time than it takes."""

# Measured with rows of waivers: level 3 makes 10 rows (3.7 KB) to a fifth in 22 µs, and 1,000 rows (370 KB) to an
# eighth in 2.5 ms. Level 6 gains one percent of the size and takes six times as long for 1,000 rows. The default window
# and memory (15 and 8) take 60 µs for 10 rows, because they are cleared for each response, and gain nothing.
_LEVEL = 3
_WINDOW_BITS = 13
_MEMORY_LEVEL = 6
_GZIP_FORMAT = 16
"""Added to the window bits, this makes zlib write the header and checksum of gzip."""

THREAD_FROM_BYTES = 64 * 1024
"""Larger bodies are compressed in a thread, because other requests would wait for half a millisecond or more."""

MAX_THREADS = 2
"""If this many large bodies are being compressed, further ones are sent as they are."""

# A function that sets one of these headers describes the body as it is.
_HEADERS_OF_PLAIN_BODIES = frozenset({"content-encoding", "content-length", "etag", "vary"})
_STATUSES_WITHOUT_BODY = frozenset({204, 304})


class Compressor:
    def __init__(self) -> None:
        self._running_threads = 0

    async def compress(self, response: Response, request_headers: Iterable[tuple[bytes, bytes]]) -> Response:
        """Returns the response with a compressed body, if it is large enough and the client accepts that."""
        body = response.body
        if isinstance(body, bytes) and len(body) <= MIN_COMPRESSED_BYTES:
            return response
        if not _may_be_compressed(response) or not accepts_gzip(request_headers):
            return response
        if not isinstance(body, bytes):
            return _with_encoding(response, _compressed_parts(body))
        if len(body) < THREAD_FROM_BYTES:
            return _with_encoding(response, _compressed(body))
        if self._running_threads >= MAX_THREADS:
            return response
        self._running_threads += 1
        try:
            return _with_encoding(response, await asyncio.to_thread(_compressed, body))
        finally:
            self._running_threads -= 1


def accepts_gzip(request_headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Reads `Accept-Encoding`. A weight of 0 means that the coding is not accepted, and `*` means all others."""
    weights: dict[str, float] = {}
    for name, value in request_headers:
        if name == b"accept-encoding":
            for item in value.decode("latin-1").lower().split(","):
                coding, _, parameter = item.partition(";")
                weights[coding.strip()] = _weight(parameter)
    return weights.get("gzip", weights.get("*", 0.0)) > 0


def _weight(parameter: str) -> float:
    name, _, value = parameter.partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0


def _may_be_compressed(response: Response) -> bool:
    set_by_function = {name.lower() for name, _ in response.header_overrides}
    return response.status not in _STATUSES_WITHOUT_BODY and not set_by_function & _HEADERS_OF_PLAIN_BODIES


def _with_encoding(response: Response, body: bytes | AsyncGenerator[bytes, None]) -> Response:
    vary = response.headers.get("Vary")
    # Errors have no Vary header. A cache must not send the compressed body to clients that do not accept it.
    headers = {**response.headers, "Content-Encoding": "gzip", "Vary": vary or "Accept-Encoding"}
    return replace(response, headers=headers, body=body)


def _compressed(body: bytes) -> bytes:
    compressor = _new_compressor()
    return compressor.compress(body) + compressor.flush()


async def _compressed_parts(parts: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """Compresses a streamed body part by part, so that only one part is in memory."""
    compressor = _new_compressor()
    async with aclosing(parts):
        async for part in parts:
            is_large = len(part) >= THREAD_FROM_BYTES
            compressed = await asyncio.to_thread(compressor.compress, part) if is_large else compressor.compress(part)
            if compressed:
                yield compressed
    yield compressor.flush()


def _new_compressor() -> "zlib._Compress":
    return zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP_FORMAT + _WINDOW_BITS, _MEMORY_LEVEL)
