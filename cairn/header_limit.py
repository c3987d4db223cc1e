"""Limits the size of a request's URL and headers, because uvicorn and its parser do not.

A header with a list of a million entries takes seconds to parse. No other request is served during that time.

A request may also ask for another protocol than websockets, such as HTTP/2. The parser then takes its body for further
requests, so a stranger could send these through a trusted proxy, with any address in their headers. Such a request is
refused if it has a body. Otherwise it is answered, and what follows on its connection is ignored.
"""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEADER_BYTES = 128 * 1024
MAX_HEADERS = 200
"""Browsers send about 20, and each proxy adds a few. Many short headers take longer to join than one long header."""

MAX_LIST_ENTRIES = 1000
"""How many entries the lists in all headers may have together. Many headers are split at their commas, some of them
before anything is known about the caller. Clients send fewer than fifty."""

MAX_URL_BYTES = 16_384
"""How long a URL may be. The REST service has limits of its own, which depend on the caller."""

MAX_BYTES_BETWEEN_PARTS = 16_384
"""How much may arrive between two parts of a chunked body, or after the last one: sizes, extensions and trailers."""

_REST = b"/rest/v1/"
# Whatever a shorter head contains, it takes little time.
_UNCHECKED_BYTES = 4096


class HeaderLimitProtocol(HttpToolsProtocol):
    """Adds up the sizes of the received chunks. For the usual small request this costs almost nothing."""

    _in_headers = False
    _chunk_bytes = 0
    _first_chunk_bytes = 0
    """The size of the chunk in which the headers start. It may also contain the end of the previous request."""

    _later_chunks_bytes = 0
    """The size of all chunks that arrived after it."""

    _bytes_since_part = 0
    """What has arrived since the last part of a body, or since the beginning of the headers."""

    _ignores_rest = False
    """Whether a request has asked for another protocol."""

    def data_received(self, data: bytes) -> None:
        if self._ignores_rest:
            return
        self._chunk_bytes = len(data)
        self._later_chunks_bytes += len(data)
        self._bytes_since_part += len(data)
        super().data_received(data)
        if not self._in_headers and self._bytes_since_part > MAX_BYTES_BETWEEN_PARTS:
            self.transport.close()
        if self._in_headers and self._later_chunks_bytes > MAX_HEADER_BYTES and not self.transport.is_closing():
            self.send_400_response("The head of the request is too large.")

    def on_message_begin(self) -> None:
        self._in_headers, self._first_chunk_bytes, self._later_chunks_bytes = True, self._chunk_bytes, 0
        self._bytes_since_part = 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        # Nothing reads trailers, the headers after a chunked body.
        if self._in_headers:
            super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        self._bytes_since_part = 0
        super().on_body(body)

    def on_headers_complete(self) -> None:
        if len(self.headers) > MAX_HEADERS:
            raise ValueError("the request has too many headers")
        # The chunks may contain other requests or a body, so the headers are only measured if the chunks are large.
        received_bytes = self._first_chunk_bytes + self._later_chunks_bytes
        if received_bytes > _UNCHECKED_BYTES:
            self._check_parts()
        if received_bytes > MAX_HEADER_BYTES and len(self.url) + _total_bytes(self.headers) > MAX_HEADER_BYTES:
            raise ValueError("the head of the request is too large")
        self._in_headers, self._bytes_since_part = False, 0
        asks_for_other_protocol = self.parser.should_upgrade() and not self._should_upgrade()
        if asks_for_other_protocol and any(map(_announces_body, self.headers)):
            raise ValueError("a request with a body asks for another protocol")
        super().on_headers_complete()
        if asks_for_other_protocol:
            self._ignores_rest = True
            if self.cycle is not None:
                self.cycle.keep_alive = False

    def _unsupported_upgrade_warning(self) -> None:
        """Logs nothing, because anyone may send such requests."""

    def _check_parts(self) -> None:
        if len(self.url) > MAX_URL_BYTES and not self.url.startswith(_REST):
            raise ValueError("the URL of the request is too long")
        if sum(value.count(b",") for _, value in self.headers) > MAX_LIST_ENTRIES:
            raise ValueError("a header of the request has too many entries")


def _announces_body(header: tuple[bytes, bytes]) -> bool:
    name, value = header
    return name == b"transfer-encoding" or (name == b"content-length" and value != b"0")


def _total_bytes(headers: list[tuple[bytes, bytes]]) -> int:
    return sum(len(name) + len(value) for name, value in headers)
