"""A `postgres_changes` subscription of a channel."""

from collections.abc import Iterable, Mapping

from cairn.kit import frozen_dataclass
from cairn.realtime.errors import NothingPublished
from cairn.realtime.filter import Filter, parse_filter
from cairn.realtime.join_config import Binding
from cairn.realtime.table import Table, TableName


@frozen_dataclass
class Subscription:
    id: int
    events: frozenset[str]
    tables: Mapping[TableName, Filter | None]
    select: frozenset[str] | None

    def watches(self, table: TableName, event: str) -> bool:
        return event in self.events and table in self.tables

    @property
    def regex_count(self) -> int:
        """The number of regular expressions in the filters."""
        return sum(row_filter.regex_count for row_filter in self.tables.values() if row_filter is not None)


def subscribe(binding: Binding, published_tables: Iterable[Table]) -> Subscription:
    """Raises NothingPublished if no published table matches, because nothing would ever be delivered."""
    events = frozenset({"INSERT", "UPDATE", "DELETE"} if binding.event == "*" else {binding.event})
    tables = [
        table
        for table in published_tables
        if binding.schema_name in ("*", table.schema) and binding.table in ("*", table.name) and events & table.events
    ]
    if not tables:
        raise NothingPublished(binding=binding)
    return Subscription(
        id=binding.id,
        events=events,
        tables={
            (table.schema, table.name): parse_filter(binding.filter, table) if binding.filter else None
            for table in tables
        },
        select=None if binding.select is None else frozenset(binding.select),
    )
