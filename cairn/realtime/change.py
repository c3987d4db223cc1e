"""One changed row, and how it is told."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self

from cairn.jobs import Event
from cairn.realtime.table import Column, TableName

ROW_CHANGED = "row.changed"


@dataclass(frozen=True, slots=True)
class Change:
    """Which row, not what is in it: that depends on who looks."""

    xid: int
    table: TableName
    type: str
    id: str
    at: datetime

    @classmethod
    def of(cls, event: Event) -> Self:
        facts = event.facts
        table = facts["schema"], facts["table"]
        return cls(event.position.xid, table, facts["type"], str(facts["id"]), event.at)


@dataclass(frozen=True, slots=True)
class Record:
    """A row as one principal may see it; the text is what Postgres wrote, to be handed through."""

    text: str
    row: dict[str, Any]

    @classmethod
    def read(cls, text: str) -> Self:
        return cls(text, json.loads(text))


def told(change: Change, record: Record, columns: Iterable[Column], select: frozenset[str] | None) -> str:
    """The `data` of a postgres_changes push."""
    shown = [column for column in columns if select is None or column.name in select]
    row = record.text if select is None else json.dumps({column.name: record.row[column.name] for column in shown})
    head: dict[str, Any] = {
        "schema": change.table[0],
        "table": change.table[1],
        "commit_timestamp": change.at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "type": change.type,
        "columns": [{"name": column.name, "type": column.type} for column in shown],
        "errors": None,
    }
    if change.type == "UPDATE":
        head["old_record"] = {"id": record.row["id"]}
    return f'{json.dumps(head)[:-1]},"record":{row}}}'
