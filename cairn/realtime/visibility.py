"""Reads changed rows with the permissions of each subscriber. One query handles many principals and rows."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from cairn.db import SERVICE, Database
from cairn.kit import frozen_dataclass
from cairn.realtime import store
from cairn.realtime.change import Change, Record
from cairn.realtime.channels import Channel, Identity
from cairn.realtime.table import Table, TableName

log = logging.getLogger(__name__)

# A batch with many subscribers must leave enough connections of the pool for requests.
_MAX_CONNECTIONS = 3
_PRINCIPALS_PER_QUERY = 100


@frozen_dataclass
class PendingChange:
    """A change and the channels that may receive it, each with its identity at the time of the query."""

    change: Change
    viewers: tuple[tuple[Channel, Identity], ...]


@dataclass(slots=True)
class VisibleRows:
    """The rows that each identity may see, and the filters (as SQL) that each row passes."""

    records: dict[tuple[Identity, TableName, str], Record] = field(default_factory=dict)
    passed_filters: set[tuple[TableName, str, str]] = field(default_factory=set)


async def read_visible_rows(
    database: Database, tables: Mapping[TableName, Table], pending_changes: Iterable[PendingChange]
) -> VisibleRows:
    # Dictionaries with None as values are ordered sets.
    rows: defaultdict[TableName, dict[str, None]] = defaultdict(dict)
    viewers: defaultdict[TableName, dict[Identity, None]] = defaultdict(dict)
    filters: defaultdict[TableName, dict[str, None]] = defaultdict(dict)
    for pending in pending_changes:
        name = pending.change.table
        rows[name].update(dict.fromkeys(pending.change.rows))
        for channel, identity in pending.viewers:
            viewers[name][identity] = None
            filters[name].update(dict.fromkeys(channel.filter_conditions(name)))

    visible, slots = VisibleRows(), asyncio.Semaphore(_MAX_CONNECTIONS)

    async def run_limited(query: Awaitable[None]) -> None:
        async with slots:
            await query

    queries: list[Awaitable[None]] = []
    for name in viewers:
        identities, table = list(viewers[name]), tables[name]
        for start in range(0, len(identities), _PRINCIPALS_PER_QUERY):
            batch = identities[start : start + _PRINCIPALS_PER_QUERY]
            queries.append(_read_records(database, table, list(rows[name]), batch, visible))
        if filters[name]:
            queries.append(_apply_filters(database, table, list(rows[name]), list(filters[name]), visible))
    await asyncio.gather(*map(run_limited, queries))
    return visible


async def _read_records(
    database: Database, table: Table, rows: Sequence[str], viewers: Sequence[Identity], visible: VisibleRows
) -> None:
    async with database.acting_as(SERVICE, read_only=True) as connection:
        results = await store.visible_records(connection, table, rows, viewers)
    records: dict[tuple[str, int], Record] = {}
    for viewer, row, text in results:
        identity = viewers[viewer - 1]
        role = identity[0]
        if row is None:
            log.warning("changes of %s are hidden from a subscriber of role %s: %s", table.sql, role, text)
            continue
        if text is not None:
            records[role, row] = Record.parse(text)
        visible.records[identity, (table.schema, table.name), rows[row - 1]] = records[role, row]


async def _apply_filters(
    database: Database, table: Table, rows: Sequence[str], filters: Sequence[str], visible: VisibleRows
) -> None:
    try:
        async with database.acting_as(SERVICE, store.SHORT_TIMEOUT, read_only=True) as connection:
            passed_filters = await store.passed_filters(connection, table, rows, filters)
    except store.STATEMENT_REJECTED as error:
        # A filter that fails or times out must not affect the others, so each filter is tried alone.
        if len(filters) == 1:
            log.warning("a filter on %s failed and passes no row: %s", table.sql, error)
            return
        for single_filter in filters:
            await _apply_filters(database, table, rows, [single_filter], visible)
        return
    name = table.schema, table.name
    visible.passed_filters.update((name, rows[row - 1], filters[number]) for row, number in passed_filters)
