"""A published table, as the catalog describes it."""

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

TableName: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    type: str
    sql: str
    type_sql: str
    readers: frozenset[str]


@dataclass(frozen=True)
class Table:
    schema: str
    name: str
    sql: str
    emits: frozenset[str]
    # The outbox contains only the id, and the row is read at delivery. For tables whose rows never change.
    by_key: bool
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    @cached_property
    def by_name(self) -> dict[str, Column]:
        return {column.name: column for column in self.columns}

    def is_readable_by(self, role: str) -> bool:
        return any(role in column.readers for column in self.columns)
