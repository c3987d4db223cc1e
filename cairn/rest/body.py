"""What a request brings along: json, csv or a form, all read into one shape."""

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from cairn.rest.errors import BodyNotUnderstood

EMPTY_OR_INVALID = "Empty or invalid json"


@dataclass(frozen=True, slots=True)
class Payload:
    text: str
    """As Postgres will read it; json unless `kind` says otherwise."""

    kind: str = "json"
    """json, text, xml or bytea: which single unnamed argument of a function it may be."""

    is_object: bool = False
    is_rows: bool = False
    """An object, or a list of nothing but objects: what a table can take."""

    rows: int = 0
    keys: tuple[str, ...] = ()
    same_keys: bool = True
    first: Mapping[str, Any] = field(default_factory=dict)

    @property
    def as_list(self) -> str:
        return f"[{self.text}]" if self.is_object else self.text

    @property
    def as_object(self) -> str:
        """Of a list of one."""
        return self.text if self.is_object else self.text.strip()[1:-1]


def read_body(body: bytes, content_type: str) -> Payload:
    media = content_type.partition(";")[0].strip().lower()
    if media == "application/octet-stream":
        return Payload("\\x" + body.hex(), "bytea")
    try:
        text = body.decode()
    except UnicodeDecodeError as broken:
        raise BodyNotUnderstood(reason=EMPTY_OR_INVALID) from broken
    if media in ("text/plain", "text/xml"):
        return Payload(text, media.removeprefix("text/").replace("plain", "text"))
    if media == "text/csv":
        return _of_rows(_from_csv(text))
    if media == "application/x-www-form-urlencoded":
        return _of_rows([dict(parse_qsl(text, keep_blank_values=True))])
    return _from_json(text)


def _from_json(text: str) -> Payload:
    try:
        value = json.loads(text)
    # RecursionError: a body of nothing but opening brackets.
    except (ValueError, RecursionError) as broken:
        raise BodyNotUnderstood(reason=EMPTY_OR_INVALID) from broken
    if isinstance(value, dict):
        return Payload(text, is_object=True, is_rows=True, rows=1, keys=tuple(value), first=value)
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        return Payload(text)
    return _described(text, value)


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
    return _described(json.dumps(rows), rows)


def _described(text: str, rows: list[dict[str, Any]]) -> Payload:
    first = rows[0] if rows else {}
    same = all(row.keys() == first.keys() for row in rows)
    return Payload(text, is_rows=True, rows=len(rows), keys=tuple(first), same_keys=same, first=first)
