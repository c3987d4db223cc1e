"""Limits the size of request headers; uvicorn and its parser have no limit.

A header with a list of a million entries takes seconds to parse, and no other request is served meanwhile.
"""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEADER_BYTES = 128 * 1024


class HeaderLimitProtocol(HttpToolsProtocol):
    """Counts bytes by chunk, which costs nothing for the usual small request."""

    _in_headers = False
    _chunk_bytes = 0
    _first_chunk_bytes = 0
    """Size of the chunk in which the headers started; it may also contain the end of the previous request."""

    _later_chunks_bytes = 0

    def data_received(self, data: bytes) -> None:
        self._chunk_bytes = len(data)
        self._later_chunks_bytes += len(data)
        super().data_received(data)
        if self._in_headers and self._later_chunks_bytes > MAX_HEADER_BYTES and not self.transport.is_closing():
            self.send_400_response("The head of the request is too large.")

    def on_message_begin(self) -> None:
        self._in_headers, self._first_chunk_bytes, self._later_chunks_bytes = True, self._chunk_bytes, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        # The chunks may contain other requests or a body, so the headers are only measured if the chunks are large.
        received = self._first_chunk_bytes + self._later_chunks_bytes
        if received > MAX_HEADER_BYTES and _size(self.headers) > MAX_HEADER_BYTES:
            raise ValueError("the head of the request is too large")
        self._in_headers = False
        super().on_headers_complete()


def _size(headers: list[tuple[bytes, bytes]]) -> int:
    return sum(len(name) + len(value) for name, value in headers)
