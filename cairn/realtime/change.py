"""One changed row, and how it is told."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self

from cairn.realtime.table import Column, Table, TableName

_LARGEST = 1_048_576
_SMALL_VALUE = 64

TOO_LARGE = "Error 413: Payload Too Large"
NO_KEY = "Error 400: Bad Request, no primary key"


@dataclass(frozen=True, slots=True)
class Change:
    """`row` and `old` are what the log holds: a whole row as JSON, or only its key. Who sees what is asked later."""

    xid: int
    table: TableName
    type: str
    row: str
    old: str | None
    at: datetime

    @property
    def rows(self) -> tuple[str, ...]:
        return (self.row,) if self.old is None else (self.row, self.old)


@dataclass(frozen=True, slots=True)
class Record:
    """A row as one principal may see it; the text is what Postgres wrote, to be handed through."""

    text: str
    row: dict[str, Any]

    @classmethod
    def read(cls, text: str) -> Self:
        return cls(text, json.loads(text))


def told(change: Change, table: Table, record: Record, old: Record | None, select: frozenset[str] | None) -> str:
    """The `data` of a postgres_changes push. `old` is the row before an update, for those who could see it then."""
    wanted = None if select is None else select | set(table.key)
    shown = [column for column in table.columns if column.name in record.row and _is_among(column.name, wanted)]
    if not table.key:
        return _written(change, shown, {}, NO_KEY)
    parts = {"old_record" if change.type == "DELETE" else "record": _cut(record, wanted)}
    if change.type == "UPDATE":
        before = old or Record.read(json.dumps({name: record.row.get(name) for name in table.key}))
        parts["old_record"] = _cut(before, wanted)
    if sum(map(len, parts.values())) > _LARGEST:
        return _written(change, shown, {name: _without_large(part) for name, part in parts.items()}, TOO_LARGE)
    return _written(change, shown, parts, None)


def _is_among(name: str, wanted: frozenset[str] | None) -> bool:
    return wanted is None or name in wanted


def _cut(record: Record, wanted: frozenset[str] | None) -> str:
    if wanted is None:
        return record.text
    return json.dumps({name: value for name, value in record.row.items() if name in wanted})


def _without_large(text: str) -> str:
    row = json.loads(text)
    return json.dumps({name: value for name, value in row.items() if len(json.dumps(value)) <= _SMALL_VALUE})


def _written(change: Change, columns: Iterable[Column], parts: Mapping[str, str], error: str | None) -> str:
    head = {
        "schema": change.table[0],
        "table": change.table[1],
        "commit_timestamp": change.at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "type": change.type,
        "columns": [{"name": column.name, "type": column.type} for column in columns],
        "errors": None if error is None else [error],
    }
    return json.dumps(head)[:-1] + "".join(f',"{name}":{text}' for name, text in parts.items()) + "}"
