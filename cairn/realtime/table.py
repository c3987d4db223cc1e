"""A published table and its columns, as the catalog describes them."""

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from cairn.kit import frozen_dataclass

TableName: TypeAlias = tuple[str, str]
# The oid of a table and the id of a company that has rows in it.
CompanyTable: TypeAlias = tuple[int, str]


@frozen_dataclass
class Column:
    """`sql` and `type_sql` are quoted for use in SQL. `readers` are the roles that may select the column."""

    name: str
    type: str
    sql: str
    type_sql: str
    readers: frozenset[str]


@dataclass(frozen=True)
class Table:
    """`events` are the events that the table publishes, and `key` is its primary key."""

    schema: str
    name: str
    sql: str
    events: frozenset[str]
    # If true, the outbox contains only the ids of changed rows, and each row is read at delivery.
    by_key: bool
    # The oid of the table whose trigger writes to the outbox. Clients may know the table by the name of a view. None if
    # several tables have such a trigger.
    trigger_table: int | None
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    @cached_property
    def by_name(self) -> dict[str, Column]:
        return {column.name: column for column in self.columns}

    def is_readable_by(self, role: str) -> bool:
        return any(role in column.readers for column in self.columns)
