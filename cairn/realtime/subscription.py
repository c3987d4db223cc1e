"""A `postgres_changes` subscription of a channel."""

from collections.abc import Iterable, Mapping

from cairn.kit import frozen_dataclass
from cairn.realtime.errors import NothingPublished
from cairn.realtime.filter import Filter, parse_filter
from cairn.realtime.join_config import Binding
from cairn.realtime.table import Table, TableName

# What a subscription adds to the work for each change that it sees, in units of about 20 microseconds. A filter is part
# of an SQL statement. A selection of columns needs an encoding of its own.
_FILTER_UNITS = 5
_SELECT_UNITS = 20


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

    @property
    def change_units(self) -> int:
        """The work for one change. A change concerns one table, so further tables add nothing."""
        has_filter = any(row_filter is not None for row_filter in self.tables.values())
        return 1 + _FILTER_UNITS * has_filter + _SELECT_UNITS * (self.select is not None)


def matching_tables(binding: Binding, published_tables: Iterable[Table]) -> list[Table]:
    """Raises NothingPublished if no published table matches, because nothing would ever be delivered."""
    events = _events(binding)
    tables = [
        table
        for table in published_tables
        if binding.schema_name in ("*", table.schema) and binding.table in ("*", table.name) and events & table.events
    ]
    if not tables:
        raise NothingPublished(binding=binding)
    return tables


def subscribe(binding: Binding, tables: Iterable[Table]) -> Subscription:
    """Subscribes to the given tables. The filter is parsed once, whatever their number."""
    parsed_filter = parse_filter(binding.filter) if binding.filter else None
    return Subscription(
        id=binding.id,
        events=_events(binding),
        tables={(table.schema, table.name): parsed_filter.on(table) if parsed_filter else None for table in tables},
        select=None if binding.select is None else frozenset(binding.select),
    )


def _events(binding: Binding) -> frozenset[str]:
    return frozenset({"INSERT", "UPDATE", "DELETE"} if binding.event == "*" else {binding.event})
