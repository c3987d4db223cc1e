"""Reads changed rows with the permissions of each subscriber. One query handles many identities and rows."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from cairn.db import SERVICE, Database
from cairn.realtime import store
from cairn.realtime.change import Record
from cairn.realtime.channels import Channel, Channels, Identity
from cairn.realtime.pending_change import PendingChange
from cairn.realtime.row_filters import SubscriberFilters, apply_filters
from cairn.realtime.stored_json import UnreadableJson
from cairn.realtime.table import Table, TableName

log = logging.getLogger(__name__)

# Changes with many subscribers need many queries, which must leave enough connections of the pool for requests.
_MAX_CONNECTIONS = 3
_IDENTITIES_PER_QUERY = 100


@dataclass(slots=True)
class VisibleRows:
    """The rows that each identity may see, and the filters that each row passes.

    A row is identified by the text in `Change.row` or `Change.old`, and a filter by its SQL. The filters of the
    `slow_channels` took too long, so it is not known which rows they pass.
    """

    # The key consists of the identity, the table and the row.
    records: dict[tuple[Identity, TableName, str], Record] = field(default_factory=dict)
    # Each entry consists of the table, the row and the filter.
    passed_filters: set[tuple[TableName, str, str]] = field(default_factory=set)
    slow_channels: set[Channel] = field(default_factory=set)

    def receivers(self, channels: Channels, pending: PendingChange) -> Iterator[tuple[Channel, Record]]:
        """Yields the channels that may see the changed row, and the row as each of them sees it."""
        change = pending.change
        for identity in pending.readers:
            record = self.records.get((identity, change.table, change.row))
            if record is not None:
                for channel in channels.watching(change.watched, identity):
                    if not channel.joined_after_commit_of(change.xid):
                        yield channel, record


async def read_visible_rows(
    database: Database,
    channels: Channels,
    tables: Mapping[TableName, Table],
    pending_changes: Collection[PendingChange],
) -> VisibleRows:
    # The number of each row, and for each identity the numbers of the rows that concern it.
    rows: defaultdict[TableName, dict[str, int]] = defaultdict(dict)
    readers: defaultdict[TableName, defaultdict[Identity, set[int]]] = defaultdict(lambda: defaultdict(set))
    for pending in pending_changes:
        name = pending.change.table
        numbers = [rows[name].setdefault(row, len(rows[name]) + 1) for row in pending.change.rows]
        for identity in pending.readers:
            readers[name][identity].update(numbers)

    visible, slots = VisibleRows(), asyncio.Semaphore(_MAX_CONNECTIONS)

    async def run_limited(query: Awaitable[None]) -> None:
        async with slots:
            await query

    queries: list[Awaitable[None]] = []
    for name, table_readers in readers.items():
        all_readers = list(table_readers.items())
        for start in range(0, len(all_readers), _IDENTITIES_PER_QUERY):
            some_readers = dict(all_readers[start : start + _IDENTITIES_PER_QUERY])
            queries.append(_read_records(database, tables[name], list(rows[name]), some_readers, visible))
    await asyncio.gather(*map(run_limited, queries))
    filters = _filters_to_apply(channels, tables, pending_changes, visible)
    visible.passed_filters, visible.slow_channels = await apply_filters(database, filters)
    return visible


def _filters_to_apply(
    channels: Channels,
    tables: Mapping[TableName, Table],
    pending_changes: Iterable[PendingChange],
    visible: VisibleRows,
) -> list[SubscriberFilters]:
    """Returns the filters of each subscriber, with only the rows and columns that this subscriber may see.

    A subscriber is an account, or the socket of a visitor without an account.
    """
    by_subscriber: dict[tuple[object, TableName], SubscriberFilters] = {}
    for pending in pending_changes:
        name, row = pending.change.table, pending.change.row
        for channel, record in visible.receivers(channels, pending):
            filters = [row_filter for row_filter in channel.filters(name) if row_filter.columns <= record.row.keys()]
            if filters:
                subscriber = channel.principal.claims.get("sub") or id(channel.send_queue)
                subscriber_filters = by_subscriber.setdefault((subscriber, name), SubscriberFilters(tables[name]))
                subscriber_filters.add(channel, row, filters)
    return list(by_subscriber.values())


async def _read_records(
    database: Database,
    table: Table,
    rows: Sequence[str],
    readers: Mapping[Identity, Collection[int]],
    visible: VisibleRows,
) -> None:
    async with database.acting_as(SERVICE, read_only=True) as connection:
        results = await store.visible_records(connection, table, rows, readers)
    identities = list(readers)
    # All identities of a role see the same columns, so they share one record of each row.
    records: dict[tuple[str, int], Record] = {}
    for identity_number, row_number, text in results:
        identity = identities[identity_number - 1]
        role = identity[0]
        if row_number is None:
            log.warning("changes of %s are hidden from a subscriber of role %s: %s", table.sql, role, text)
            continue
        if text is not None:
            with suppress(UnreadableJson):
                records[role, row_number] = Record.parse(text, table)
        if (role, row_number) in records:
            visible.records[identity, (table.schema, table.name), rows[row_number - 1]] = records[role, row_number]
