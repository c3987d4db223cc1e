"""A changed row, and the payload that describes the change to a client."""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Self

from cairn.kit import frozen_dataclass
from cairn.realtime.stored_json import parse_stored
from cairn.realtime.table import Column, Table, TableName

_MAX_PAYLOAD_LENGTH = 1_048_576
_MAX_SMALL_VALUE_LENGTH = 64

TOO_LARGE = "Error 413: Payload Too Large"
NO_KEY = "Error 400: Bad Request, no primary key"


@frozen_dataclass
class Change:
    """A change from the outbox. `row` and `old` are whole rows as JSON or only keys. Visibility is checked later."""

    xid: int
    table: TableName
    type: str
    row: str
    old: str | None
    # The column `company_id` of the row, if the outbox contains it.
    company: str | None
    at: datetime

    @property
    def watched(self) -> tuple[TableName, str]:
        """What a channel must watch to receive the change."""
        return self.table, self.type

    @property
    def rows(self) -> tuple[str, ...]:
        return (self.row,) if self.old is None else (self.row, self.old)


@frozen_dataclass
class Record:
    """A row as one principal may see it. `text` is the JSON from Postgres, which is passed on unchanged."""

    text: str
    row: dict[str, Any]

    @classmethod
    def parse(cls, text: str, table: Table) -> Self:
        """Raises UnreadableJson."""
        return cls(text, parse_stored(text, table.sql))


def change_data(change: Change, table: Table, record: Record, old: Record | None, select: frozenset[str] | None) -> str:
    """Returns the `data` of a postgres_changes push.

    `old` is the row before an update, if the principal could see it. `select` limits the columns; None means all.
    """
    selected = None if select is None else select | set(table.key)
    columns = [column for column in table.columns if column.name in record.row and _is_selected(column.name, selected)]
    if not table.key:
        return _to_json(change, columns, {}, NO_KEY)
    parts = {"old_record" if change.type == "DELETE" else "record": _selected_json(record, selected)}
    if change.type == "UPDATE":
        before = old or _key_record(table, record)
        parts["old_record"] = _selected_json(before, selected)
    if sum(map(len, parts.values())) > _MAX_PAYLOAD_LENGTH:
        return _to_json(change, columns, {name: _without_large_values(part) for name, part in parts.items()}, TOO_LARGE)
    return _to_json(change, columns, parts, None)


def _key_record(table: Table, record: Record) -> Record:
    key = {name: record.row.get(name) for name in table.key}
    return Record(json.dumps(key), key)


def _is_selected(name: str, selected: frozenset[str] | None) -> bool:
    return selected is None or name in selected


def _selected_json(record: Record, selected: frozenset[str] | None) -> str:
    if selected is None:
        return record.text
    return json.dumps({name: value for name, value in record.row.items() if name in selected})


def _without_large_values(text: str) -> str:
    row = json.loads(text)
    return json.dumps({name: value for name, value in row.items() if len(json.dumps(value)) <= _MAX_SMALL_VALUE_LENGTH})


def _to_json(change: Change, columns: Iterable[Column], parts: Mapping[str, str], error: str | None) -> str:
    fields = {
        "schema": change.table[0],
        "table": change.table[1],
        "commit_timestamp": change.at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "type": change.type,
        "columns": [{"name": column.name, "type": column.type} for column in columns],
        "errors": None if error is None else [error],
    }
    return json.dumps(fields)[:-1] + "".join(f',"{name}":{text}' for name, text in parts.items()) + "}"
