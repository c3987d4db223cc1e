"""What a request brings along: json, csv or a form, described as far as the plan must know it.

The bytes themselves go to Postgres as they came. Small ones are read here as well; large ones are only skimmed, because
ten megabytes of json are a hundred as Python objects.
"""

import csv
import io
import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from cairn.rest.errors import BodyNotUnderstood
from cairn.rest.request.json_scanner import JsonOutline, scan_json

EMPTY_OR_INVALID = "Empty or invalid json"
SCAN_FROM_BYTES = 64 * 1024
BYTE_ORDER_MARK = "\ufeff"
"""Spreadsheets begin their csv with it."""

# A signature may be longer than what Python takes for the longest field; the body as a whole has its own limit.
csv.field_size_limit(2**31 - 1)

BodyBytes = bytes | bytearray
Shape = tuple[str, bool, bool, int, tuple[str, ...], bool]


class Payload(NamedTuple):
    content: BodyBytes
    """As Postgres will read it; json unless `kind` says otherwise."""

    kind: str = "json"
    """json, text, xml or bytea: which single unnamed argument of a function it may be."""

    is_object: bool = False
    is_rows: bool = False
    """An object, or a list of nothing but objects: what a table can take."""

    rows: int = 0
    """Two stands for any greater number where the body was only skimmed."""

    keys: tuple[str, ...] = ()
    same_keys: bool | None = True
    """None: only the first row was seen, and Postgres is to say."""

    first: Mapping[str, Any] = MappingProxyType({})

    @property
    def shape(self) -> "Shape | None":
        """What two bodies have in common that are written by the same statement; None if Postgres is to say."""
        if self.same_keys is None:
            return None
        rows = min(self.rows, 2) if self.keys else self.rows
        return self.kind, self.is_object, self.is_rows, rows, self.keys, self.same_keys


def parse_body(body: BodyBytes, content_type: str, *, whole: bool = False) -> Payload:
    """`whole`: its values matter, so that skimming will not do."""
    media = content_type.partition(";")[0].strip().lower()
    if media == "application/octet-stream":
        return Payload(body, "bytea")
    if media in ("text/plain", "text/xml"):
        return Payload(body, media.removeprefix("text/").replace("plain", "text"))
    if media == "text/csv":
        return _of_rows(_from_csv(_text(body).removeprefix(BYTE_ORDER_MARK)))
    if media == "application/x-www-form-urlencoded":
        return _of_rows([dict(parse_qsl(_text(body), keep_blank_values=True))])
    outline = scan_json(body) if len(body) >= SCAN_FROM_BYTES and not whole else None
    return _from_outline(body, outline) if outline else _from_json(body)


def _text(body: BodyBytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError as broken:
        raise BodyNotUnderstood(reason=EMPTY_OR_INVALID) from broken


def _from_outline(body: BodyBytes, outline: JsonOutline) -> Payload:
    if outline.is_object:
        return Payload(body, is_object=True, is_rows=True, rows=1, keys=outline.keys)
    same = None if outline.more else True
    return Payload(body, is_rows=True, rows=2 if outline.more else 1, keys=outline.keys, same_keys=same)


def _from_json(body: BodyBytes) -> Payload:
    try:
        value = json.loads(_text(body))
    # RecursionError: a body of nothing but opening brackets.
    except (ValueError, RecursionError) as broken:
        raise BodyNotUnderstood(reason=EMPTY_OR_INVALID) from broken
    if isinstance(value, dict):
        return Payload(body, is_object=True, is_rows=True, rows=1, keys=tuple(value), first=value)
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        return Payload(body)
    return _described(body, value)


def _from_csv(text: str) -> list[dict[str, Any]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header, *lines = [line for line in reader if line]
    except (ValueError, csv.Error) as broken:
        raise BodyNotUnderstood(reason="Empty or invalid csv") from broken
    if any(len(line) != len(header) for line in lines):
        raise BodyNotUnderstood(reason="All lines must have same number of fields")
    return [
        {name: None if value == "NULL" else value for name, value in zip(header, line, strict=True)} for line in lines
    ]


def _of_rows(rows: list[dict[str, Any]]) -> Payload:
    return _described(json.dumps(rows).encode(), rows)


def _described(body: BodyBytes, rows: list[dict[str, Any]]) -> Payload:
    first = rows[0] if rows else {}
    same = all(row.keys() == first.keys() for row in rows)
    return Payload(body, is_rows=True, rows=len(rows), keys=tuple(first), same_keys=same, first=first)
