"""Looks at changed rows as those who would be told of them: many principals and many rows in one question."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from cairn.db import SERVICE, Database
from cairn.realtime import store
from cairn.realtime.change import Change, Record
from cairn.realtime.channels import Channel, Identity
from cairn.realtime.table import Table, TableName

log = logging.getLogger(__name__)

# Of the pool's connections, so that a batch with many readers leaves some for requests.
_AT_ONCE = 3
_PRINCIPALS_IN_ONE_QUESTION = 100


@dataclass(frozen=True, slots=True)
class PendingChange:
    """A change and the channels it may concern, each with the rights it had when the rows were looked at."""

    change: Change
    viewers: tuple[tuple[Channel, Identity], ...]


@dataclass(slots=True)
class VisibleRows:
    records: dict[tuple[Identity, TableName, str], Record] = field(default_factory=dict)
    passed: set[tuple[TableName, str, str]] = field(default_factory=set)


async def look(database: Database, tables: Mapping[TableName, Table], showings: Iterable[PendingChange]) -> VisibleRows:
    rows: defaultdict[TableName, dict[str, None]] = defaultdict(dict)
    viewers: defaultdict[TableName, dict[Identity, None]] = defaultdict(dict)
    filters: defaultdict[TableName, dict[str, None]] = defaultdict(dict)
    for showing in showings:
        name = showing.change.table
        rows[name].update(dict.fromkeys(showing.change.rows))
        for channel, whose in showing.viewers:
            viewers[name][whose] = None
            filters[name].update(dict.fromkeys(channel.filters(name)))

    visible, turns = VisibleRows(), asyncio.Semaphore(_AT_ONCE)

    async def in_turn(question: Awaitable[None]) -> None:
        async with turns:
            await question

    questions: list[Awaitable[None]] = []
    for name in viewers:
        asked, table = list(viewers[name]), tables[name]
        for start in range(0, len(asked), _PRINCIPALS_IN_ONE_QUESTION):
            some = asked[start : start + _PRINCIPALS_IN_ONE_QUESTION]
            questions.append(_see(database, table, list(rows[name]), some, visible))
        if filters[name]:
            questions.append(_sift(database, table, list(rows[name]), list(filters[name]), visible))
    await asyncio.gather(*map(in_turn, questions))
    return visible


async def _see(
    database: Database, table: Table, rows: Sequence[str], viewers: Sequence[Identity], visible: VisibleRows
) -> None:
    async with database.acting_as(SERVICE, read_only=True) as connection:
        found = await store.seen(connection, table, rows, viewers)
    texts: dict[tuple[str, int], Record] = {}
    for viewer, row, text in found:
        whose = viewers[viewer - 1]
        if row is None:
            log.warning("changes of %s are not shown to one of role %s: %s", table.sql, whose[0], text)
            continue
        if text is not None:
            texts[whose[0], row] = Record.read(text)
        visible.records[whose, (table.schema, table.name), rows[row - 1]] = texts[whose[0], row]


async def _sift(
    database: Database, table: Table, rows: Sequence[str], filters: Sequence[str], visible: VisibleRows
) -> None:
    try:
        async with database.acting_as(SERVICE, store.BOUNDED, read_only=True) as connection:
            found = await store.passing(connection, table, rows, filters)
    except store.REFUSED as refused:
        # One filter that fails, or takes too long, must not cost the others theirs.
        if len(filters) == 1:
            log.warning("a filter on %s lets nothing pass: %s", table.sql, refused)
            return
        for alone in filters:
            await _sift(database, table, rows, [alone], visible)
        return
    name = table.schema, table.name
    visible.passed.update((name, rows[row - 1], filters[number]) for row, number in found)
