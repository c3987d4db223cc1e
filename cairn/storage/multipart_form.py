"""Parses a multipart form with one file while it arrives. Clients send the file under an empty field name."""

from collections import deque
from collections.abc import AsyncIterator

from python_multipart import MultipartParser
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import parse_options_header

from cairn.storage.errors import InvalidRequest, TooLarge

_MAX_FIELDS = 10
# The metadata of a file has at most 10 KB, and all other fields are shorter.
_MAX_FIELD_BYTES = 16 * 1024
_MAX_HEADER_BYTES = 16 * 1024


class MultipartForm:
    def __init__(self, source: AsyncIterator[bytes], content_type: str) -> None:
        _, options = parse_options_header(content_type)
        if not options.get(b"boundary"):
            raise InvalidRequest(reason="The form names no boundary")
        self.fields: dict[str, str] = {}
        self._source = source
        self._file_type: str | None = None
        # Bytes of the file that are parsed, but not yet streamed.
        self._chunks: deque[bytes] = deque()
        self._is_complete = False
        # The headers of the current part of the form, and the one that is being parsed.
        self._headers: list[tuple[bytes, bytes]] = []
        self._header_name, self._header_value = bytearray(), bytearray()
        # The name and value of the current part of the form, or None while that part is the file.
        self._field: tuple[str, bytearray] | None = None
        self._parser = MultipartParser(
            options[b"boundary"],
            {
                "on_part_begin": self._on_part_begin,
                "on_header_field": lambda data, start, end: self._header_name.extend(data[start:end]),
                "on_header_value": lambda data, start, end: self._header_value.extend(data[start:end]),
                "on_header_end": self._on_header_end,
                "on_headers_finished": self._on_headers_finished,
                "on_part_data": self._on_part_data,
                "on_part_end": self._on_part_end,
                "on_end": self._on_end,
            },
        )

    async def find_file(self) -> str:
        """Reads the form up to the start of the file and returns the content type of the file."""
        while self._file_type is None:
            if not await self._parse_next_chunk():
                raise InvalidRequest(reason="The form has no file in it")
        return self._file_type

    async def file(self) -> AsyncIterator[bytes]:
        """Streams the file. `fields` is complete only after the end of the stream."""
        while self._chunks or not self._is_complete:
            while self._chunks:
                yield self._chunks.popleft()
            if not self._is_complete and not await self._parse_next_chunk():
                raise InvalidRequest(reason="The form ends in the middle")

    async def _parse_next_chunk(self) -> bool:
        chunk = await anext(self._source, None)
        if chunk is None:
            return False
        try:
            self._parser.write(chunk)
        except FormParserError as error:
            raise InvalidRequest(reason="The form cannot be read") from error
        return True

    def _on_part_begin(self) -> None:
        self._headers, self._field = [], None

    def _on_header_end(self) -> None:
        self._headers.append((bytes(self._header_name).lower(), bytes(self._header_value)))
        self._header_name, self._header_value = bytearray(), bytearray()
        if sum(len(name) + len(value) for name, value in self._headers) > _MAX_HEADER_BYTES:
            raise TooLarge

    def _on_headers_finished(self) -> None:
        headers = dict(self._headers)
        _, options = parse_options_header(headers.get(b"content-disposition", b""))
        name = options.get(b"name", b"").decode(errors="replace")
        if b"filename" not in options and name:
            self._begin_field(name)
        elif self._file_type is None:
            self._file_type = headers.get(b"content-type", b"").decode("latin-1")
        else:
            raise InvalidRequest(reason="The form has more than one file in it")

    def _begin_field(self, name: str) -> None:
        if len(self.fields) >= _MAX_FIELDS:
            raise InvalidRequest(reason="The form has too many fields")
        self._field = (name, bytearray())

    def _on_part_data(self, data: bytes, start: int, end: int) -> None:
        if self._field is None:
            self._chunks.append(data[start:end])
            return
        self._field[1].extend(data[start:end])
        if len(self._field[1]) > _MAX_FIELD_BYTES:
            raise TooLarge

    def _on_part_end(self) -> None:
        if self._field is not None:
            name, value = self._field
            self.fields[name] = value.decode(errors="replace")

    def _on_end(self) -> None:
        self._is_complete = True
