"""Reads changed rows as those who would be told of them: each distinct principal selects a whole batch at once."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import asyncpg

from cairn.db import Database, Principal
from cairn.realtime import store
from cairn.realtime.change import Change, Record
from cairn.realtime.channels import Channel
from cairn.realtime.table import Table, TableName

log = logging.getLogger(__name__)

# Of the pool's connections, so that a batch with many readers leaves some for requests.
_AT_ONCE = 3
# The statement itself was refused: this principal sees nothing, and asking again would not help.
_REFUSED = (asyncpg.SyntaxOrAccessError, asyncpg.DataError, asyncpg.RaiseError)

Whose: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Viewing:
    """A change that may concern a channel. The principal is the one it had when the rows were read."""

    channel: Channel
    principal: Principal
    whose: Whose
    change: Change

    @classmethod
    def of(cls, channel: Channel, change: Change) -> "Viewing":
        return cls(channel, channel.principal, (channel.principal.role, channel.principal.claims_json), change)

    @property
    def row(self) -> tuple[Whose, TableName, str]:
        return self.whose, self.change.table, self.change.id


Records: TypeAlias = dict[tuple[Whose, TableName, str], Record]


async def records(database: Database, tables: Mapping[TableName, Table], viewings: Iterable[Viewing]) -> Records:
    asked: defaultdict[Whose, defaultdict[Table, set[str]]] = defaultdict(lambda: defaultdict(set))
    principals: dict[Whose, Principal] = {}
    for viewing in viewings:
        principals[viewing.whose] = viewing.principal
        asked[viewing.whose][tables[viewing.change.table]].add(viewing.change.id)

    found: Records = {}
    turns = asyncio.Semaphore(_AT_ONCE)

    async def read(whose: Whose) -> None:
        async with turns:
            for table, row_id, text in await _selectable(database, principals[whose], asked[whose]):
                found[whose, (table.schema, table.name), row_id] = Record.read(text)

    await asyncio.gather(*map(read, asked))
    return found


async def _selectable(
    database: Database, principal: Principal, asked: Mapping[Table, Collection[str]]
) -> list[tuple[Table, str, str]]:
    readable = {table: ids for table, ids in asked.items() if table.readable_by(principal.role)}
    if not readable:
        return []
    try:
        async with database.acting_as(principal, read_only=True) as connection:
            return [
                (table, row_id, text)
                for table, ids in readable.items()
                for row_id, text in (await store.rows_by_id(connection, table, principal.role, ids)).items()
            ]
    except _REFUSED as refused:
        log.warning("changes are not shown to a principal of role %s: %s", principal.role, refused)
        return []
