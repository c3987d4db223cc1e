"""A table whose changes are told, as the catalog describes it."""

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
    columns: tuple[Column, ...]

    @cached_property
    def types(self) -> dict[str, str]:
        return {column.name: column.type for column in self.columns}

    @cached_property
    def key_type(self) -> str:
        return next(column.type_sql for column in self.columns if column.name == "id")

    def readable_by(self, role: str) -> tuple[Column, ...]:
        """None at all when the role may not even read the key."""
        readable = tuple(column for column in self.columns if role in column.readers)
        return readable if any(column.name == "id" for column in readable) else ()
