"""Parses the body of a request, as far as the plan needs to know it. CSV and forms were converted to JSON before.

The bytes are sent to PostgreSQL unchanged. Small bodies are also decoded here. In large bodies only the keys of the
first row are scanned, because ten megabytes of JSON would become a hundred megabytes of Python objects, and no other
request would be served while they are decoded.
"""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from cairn.rest.errors import InvalidBody
from cairn.rest.request.json_scanner import JsonOutline, scan_json

EMPTY_OR_INVALID = "Empty or invalid json"
SCAN_FROM_BYTES = 64 * 1024
"""Bodies of this size or larger are scanned instead of decoded."""

BodyBytes = bytes | bytearray
Shape = tuple[str, bool, bool, int, tuple[str, ...], bool]
"""Bodies of the same shape are written by the same statement; see `Payload.shape`."""


class Payload(NamedTuple):
    content: BodyBytes
    """The bytes that are sent to PostgreSQL: JSON, unless `kind` is another format."""

    kind: str = "json"
    """The format: json, text, xml or bytea. A function with one unnamed argument of this type takes the whole body."""

    is_object: bool = False
    is_rows: bool = False
    """True for an object or a list of objects, which can be written to a table."""

    row_count: int = 0
    """If the body was only scanned, 2 means two or more."""

    keys: tuple[str, ...] = ()
    same_keys: bool | None = True
    """True if all rows have the same keys. None if only the first row was scanned, so that PostgreSQL has to check."""

    first_row: Mapping[str, Any] = MappingProxyType({})

    @property
    def is_counted(self) -> bool:
        """False if only the first row was scanned, so that the number of rows is unknown."""
        return self.same_keys is not None

    @property
    def shape(self) -> "Shape | None":
        """Returns None if PostgreSQL has to check the keys."""
        if self.same_keys is None:
            return None
        row_count = min(self.row_count, 2) if self.keys else self.row_count
        return self.kind, self.is_object, self.is_rows, row_count, self.keys, self.same_keys


def parse_body(body: BodyBytes, content_type: str, *, needs_values: bool = False) -> Payload:
    """`needs_values` means that the keys are not enough, and that the body should have only one row."""
    media = media_type(content_type)
    if media == "application/octet-stream":
        return Payload(body, "bytea")
    if media in ("text/plain", "text/xml"):
        return Payload(body, media.removeprefix("text/").replace("plain", "text"))
    if len(body) < SCAN_FROM_BYTES:
        return _from_json(body)
    outline = scan_json(body)
    if outline is None:
        # No table can be written with this body. If a function takes it, PostgreSQL reports whether it is valid JSON.
        return Payload(body)
    return _from_json(body) if needs_values and not outline.has_more else _from_outline(body, outline)


def media_type(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


def decode_text(body: BodyBytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise InvalidBody(reason=EMPTY_OR_INVALID) from error


def _from_outline(body: BodyBytes, outline: JsonOutline) -> Payload:
    if outline.is_object:
        return Payload(body, is_object=True, is_rows=True, row_count=1, keys=outline.keys)
    same_keys = None if outline.has_more else True
    return Payload(body, is_rows=True, row_count=2 if outline.has_more else 1, keys=outline.keys, same_keys=same_keys)


def _from_json(body: BodyBytes) -> Payload:
    try:
        value = json.loads(decode_text(body))
    # A body that consists of opening brackets raises a RecursionError.
    except (ValueError, RecursionError) as error:
        raise InvalidBody(reason=EMPTY_OR_INVALID) from error
    if isinstance(value, dict):
        return Payload(body, is_object=True, is_rows=True, row_count=1, keys=tuple(value), first_row=value)
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        return Payload(body)
    return _describe(body, value)


def _describe(body: BodyBytes, rows: list[dict[str, Any]]) -> Payload:
    first_row = rows[0] if rows else {}
    same_keys = all(row.keys() == first_row.keys() for row in rows)
    return Payload(
        body, is_rows=True, row_count=len(rows), keys=tuple(first_row), same_keys=same_keys, first_row=first_row
    )
