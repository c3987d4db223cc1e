"""Converts CSV and form bodies to JSON before they are parsed.

A CSV body may have a million lines, so the conversion pauses after every few of them, and other requests are served
meanwhile. Besides the body, only the resulting JSON is kept in memory.
"""

import asyncio
import csv
import io
import json
from collections.abc import Iterator

from cairn.kit import MAX_ESCAPES, parse_form
from cairn.rest.errors import BodyTooLarge, InvalidBody
from cairn.rest.request.body import BodyBytes, decode_text
from cairn.rest.request.json_scanner import MAX_KEYS

CSV = "text/csv"
FORM = "application/x-www-form-urlencoded"
TABULAR_TYPES = frozenset({CSV, FORM})
MAX_FORM_BYTES = 256 * 1024
"""A form is one row. Decoding this many bytes takes at most 0.05 seconds, and cannot be interrupted."""

_MAX_SEPARATORS_PER_ROW = 100_000
"""The limit for the commas and line breaks in a row of CSV, including those in quoted texts."""

_VALUES_BETWEEN_PAUSES = 2000
_BYTE_ORDER_MARK = "\ufeff"
"""Spreadsheet programs write this character at the start of a CSV file."""

# A signature may be longer than Python's default limit for a field. The size of the whole body is limited anyway.
csv.field_size_limit(2**31 - 1)

_encode = json.JSONEncoder(ensure_ascii=False).encode


async def tabular_to_json(body: BodyBytes, media: str, *, max_bytes: int) -> BodyBytes:
    """Returns a JSON list of objects. Raises BodyTooLarge if the body or the JSON is larger than `max_bytes`."""
    _check_size(len(body), min(max_bytes, MAX_FORM_BYTES) if media == FORM else max_bytes)
    if media == FORM:
        return _form_to_json(decode_text(body).encode())
    return await _csv_to_json(decode_text(body).removeprefix(_BYTE_ORDER_MARK), max_bytes)


def _check_size(byte_count: int, max_bytes: int) -> None:
    if byte_count > max_bytes:
        raise BodyTooLarge(limit=max_bytes, details="CSV is measured as the JSON that the server converts it to.")


def _form_to_json(body: bytes) -> bytes:
    try:
        row = parse_form(body, max_fields=MAX_KEYS)
    except ValueError as error:
        reason = f"A form can have at most {MAX_KEYS} fields and {MAX_ESCAPES} escaped characters"
        raise InvalidBody(reason=reason) from error
    return json.dumps([row]).encode()


async def _csv_to_json(text: str, max_bytes: int) -> bytearray:
    lines = _Lines(text)
    rows = _rows(csv.reader(lines, strict=True), lines)
    header = next((row for row in rows if row), None)
    if header is None:
        raise InvalidBody(reason="Empty or invalid csv")
    if len(header) > MAX_KEYS:
        raise InvalidBody(reason=f"A row can have at most {MAX_KEYS} columns")
    keys = [f"{_encode(name)}:" for name in header]
    content, value_count = bytearray(b"["), 0
    for row in rows:
        if row:
            content += _row_json(keys, row)
            _check_size(len(content), max_bytes)
        value_count += len(row) + 1
        if value_count > _VALUES_BETWEEN_PAUSES:
            value_count = 0
            await asyncio.sleep(0)
    if len(content) > 1:
        content.pop()
    return content + b"]"


def _row_json(keys: list[str], values: list[str]) -> bytes:
    """Returns the row as an object with a comma after it."""
    if len(values) != len(keys):
        raise InvalidBody(reason="All lines must have same number of fields")
    pairs = [key + ("null" if value == "NULL" else _encode(value)) for key, value in zip(keys, values, strict=True)]
    return f"{{{','.join(pairs)}}},".encode()


def _rows(reader: Iterator[list[str]], lines: "_Lines") -> Iterator[list[str]]:
    """Yields the rows. A blank line is a row without values."""
    try:
        for row in reader:
            lines.separators = 0
            yield row
    except csv.Error as error:
        raise InvalidBody(reason="Empty or invalid csv") from error


class _Lines:
    """Iterates over the lines of the text, and counts the separators since the start of the current row."""

    def __init__(self, text: str) -> None:
        self._lines = io.StringIO(text, newline="")
        self.separators = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.separators += line.count(",") + 1
        if self.separators > _MAX_SEPARATORS_PER_ROW:
            raise InvalidBody(reason=f"A row of CSV can have at most {_MAX_SEPARATORS_PER_ROW} commas and line breaks")
        return line
