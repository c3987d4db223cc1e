"""A form with one file, read as it arrives. The clients give the file a field name that is empty."""

from collections import deque
from collections.abc import AsyncIterator

from python_multipart import MultipartParser
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import parse_options_header

from cairn.storage.errors import InvalidRequest, TooLarge

_MOST_FIELDS = 10
_LARGEST_FIELD = 1024 * 1024 + 1024
_LARGEST_HEADERS = 16 * 1024


class MultipartForm:
    def __init__(self, source: AsyncIterator[bytes], content_type: str) -> None:
        _, options = parse_options_header(content_type)
        if not options.get(b"boundary"):
            raise InvalidRequest(reason="The form names no boundary")
        self.fields: dict[str, str] = {}
        self._source = source
        self._file_type: str | None = None
        self._chunks: deque[bytes] = deque()
        self._ended = False
        self._headers: list[tuple[bytes, bytes]] = []
        self._header, self._value = bytearray(), bytearray()
        self._field: tuple[str, bytearray] | None = None
        self._parser = MultipartParser(
            options[b"boundary"],
            {
                "on_part_begin": self._part_begins,
                "on_header_field": lambda data, start, end: self._header.extend(data[start:end]),
                "on_header_value": lambda data, start, end: self._value.extend(data[start:end]),
                "on_header_end": self._header_ends,
                "on_headers_finished": self._headers_end,
                "on_part_data": self._data,
                "on_part_end": self._part_ends,
                "on_end": self._form_ends,
            },
        )

    async def find_file(self) -> str:
        """Reads up to the file and says what kind it is."""
        while self._file_type is None:
            if not await self._read_on():
                raise InvalidRequest(reason="The form has no file in it")
        return self._file_type

    async def file(self) -> AsyncIterator[bytes]:
        """The file's bytes; when they have ended, all fields are known."""
        while self._chunks or not self._ended:
            while self._chunks:
                yield self._chunks.popleft()
            if not self._ended and not await self._read_on():
                raise InvalidRequest(reason="The form ends in the middle")

    async def _read_on(self) -> bool:
        chunk = await anext(self._source, None)
        if chunk is None:
            return False
        try:
            self._parser.write(chunk)
        except FormParserError as error:
            raise InvalidRequest(reason="The form cannot be read") from error
        return True

    def _part_begins(self) -> None:
        self._headers, self._field = [], None

    def _header_ends(self) -> None:
        self._headers.append((bytes(self._header).lower(), bytes(self._value)))
        self._header, self._value = bytearray(), bytearray()
        if sum(len(name) + len(value) for name, value in self._headers) > _LARGEST_HEADERS:
            raise TooLarge

    def _headers_end(self) -> None:
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
        if len(self.fields) >= _MOST_FIELDS:
            raise InvalidRequest(reason="The form has too many fields")
        self._field = (name, bytearray())

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._field is None:
            self._chunks.append(data[start:end])
            return
        self._field[1].extend(data[start:end])
        if len(self._field[1]) > _LARGEST_FIELD:
            raise TooLarge

    def _part_ends(self) -> None:
        if self._field is not None:
            name, value = self._field
            self.fields[name] = value.decode(errors="replace")

    def _form_ends(self) -> None:
        self._ended = True
