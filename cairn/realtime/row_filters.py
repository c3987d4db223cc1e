"""Decides which changed rows pass the filters of subscriptions, in a limited time.

Clients choose the filters, and some take very long. Subscribers with few simple filters share one statement for each
table. Every other subscriber has a statement of its own, so that only its own channels end if the statement takes too
long. All filters of a batch together delay the delivery by little more than one second.
"""

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from cairn.db import SERVICE, Database
from cairn.realtime import store
from cairn.realtime.channels import Channel
from cairn.realtime.filter import Filter
from cairn.realtime.table import Table, TableName

log = logging.getLogger(__name__)

# The statements of a batch must start within this time.
_BATCH_SECONDS = 1.0
_MAX_CONNECTIONS = 2
# Subscribers with more filters, or with more characters of SQL, have a statement of their own.
_MAX_SHARED_FILTERS = 10
_MAX_SHARED_CHARACTERS = 10_000

# The table, the row and the SQL of the filter that the row passes.
PassedFilter = tuple[TableName, str, str]


@dataclass(slots=True)
class SubscriberFilters:
    """The filters of one subscriber on one table, and the rows of the batch that the subscriber may see."""

    table: Table
    channels: set[Channel] = field(default_factory=set)
    # The dictionaries, whose values are None, are ordered sets.
    rows: dict[str, None] = field(default_factory=dict)
    filters: dict[Filter, None] = field(default_factory=dict)

    def add(self, channel: Channel, row: str, filters: Iterable[Filter]) -> None:
        self.channels.add(channel)
        self.rows[row] = None
        self.filters.update(dict.fromkeys(filters))

    @property
    def cost(self) -> tuple[int, int]:
        """The number of regular expressions, and the number of characters of SQL."""
        return sum(each.regex_count for each in self.filters), sum(len(each.sql) for each in self.filters)

    @property
    def is_simple(self) -> bool:
        regex_count, characters = self.cost
        return not regex_count and characters <= _MAX_SHARED_CHARACTERS and len(self.filters) <= _MAX_SHARED_FILTERS


async def apply_filters(
    database: Database, subscribers: Iterable[SubscriberFilters]
) -> tuple[set[PassedFilter], set[Channel]]:
    """Returns the filters that each row passes, and the channels whose filters failed or took too long."""
    passed: set[PassedFilter] = set()
    failed: set[Channel] = set()
    simple: defaultdict[TableName, list[SubscriberFilters]] = defaultdict(list)
    alone: list[SubscriberFilters] = []
    for subscriber in subscribers:
        if subscriber.is_simple:
            simple[subscriber.table.schema, subscriber.table.name].append(subscriber)
        else:
            alone.append(subscriber)

    deadline, slots = time.monotonic() + _BATCH_SECONDS, asyncio.Semaphore(_MAX_CONNECTIONS)

    async def apply_shared(sharing: list[SubscriberFilters]) -> None:
        async with slots:
            result = await _passed_filters(database, _merge(sharing))
        if result is None:
            alone.extend(sharing)
        else:
            passed.update(result)

    async def apply_alone(subscriber: SubscriberFilters) -> None:
        async with slots:
            result = await _passed_filters(database, subscriber) if time.monotonic() < deadline else None
        if result is None:
            failed.update(subscriber.channels)
        else:
            passed.update(result)

    await asyncio.gather(*map(apply_shared, simple.values()))
    # Cheap filters come first, so that the expensive filters of other subscribers do not use up their time.
    alone.sort(key=lambda subscriber: subscriber.cost)
    await asyncio.gather(*map(apply_alone, alone))
    return passed, failed


def _merge(subscribers: list[SubscriberFilters]) -> SubscriberFilters:
    merged = SubscriberFilters(subscribers[0].table)
    for subscriber in subscribers:
        merged.rows.update(subscriber.rows)
        merged.filters.update(subscriber.filters)
    return merged


async def _passed_filters(database: Database, subscriber: SubscriberFilters) -> list[PassedFilter] | None:
    """Returns None if Postgres rejects the statement or needs too long for it."""
    table, rows, filters = subscriber.table, list(subscriber.rows), [each.sql for each in subscriber.filters]
    try:
        async with database.acting_as(SERVICE, store.SHORT_TIMEOUT, read_only=True) as connection:
            results = await store.passed_filters(connection, table, rows, filters)
    except store.STATEMENT_REJECTED as error:
        log.warning("%s filters on %s failed: %s", len(filters), table.sql, error)
        return None
    return [((table.schema, table.name), rows[number - 1], filters[index]) for number, index in results]
