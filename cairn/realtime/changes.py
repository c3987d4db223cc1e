"""The feed of a process: reads the outbox in commit order and tells each channel of the rows it may see.

The position moves when a whole batch is read, and only then is anything of it sent: a lost database means that the
same batch is read again, and nobody has seen any of it.
"""

import asyncio
import contextlib
import logging
from collections import defaultdict
from collections.abc import Iterable

from cairn.db import SERVICE, Database
from cairn.jobs import Bell, Event, Position, events_after, here_and_now
from cairn.realtime import store
from cairn.realtime.change import ROW_CHANGED, Change, Record, told
from cairn.realtime.channels import Channels
from cairn.realtime.frame import Json
from cairn.realtime.reading import Records, Viewing, records
from cairn.realtime.table import Table, TableName
from cairn.realtime.tokens import end_lapsed

log = logging.getLogger(__name__)

_BATCH = 100
# The bell usually rings; this is the net below it.
_POLL_SECONDS = 1.0
_HELD_BACK_SECONDS = 0.05
_RETRY_SECONDS = 0.25
_PUSHES_IN_ONE_GO = 200


class Feed:
    def __init__(self, database: Database, bell: Bell, channels: Channels) -> None:
        self.tables: dict[TableName, Table] = {}
        self._database = database
        self._bell = bell
        self._channels = channels
        self._position: Position | None = None
        self._live = asyncio.Event()

    async def run(self) -> None:
        async with self._bell.listening() as woken:
            while True:
                woken.clear()
                pause = await self._look()
                with contextlib.suppress(TimeoutError):
                    # Not wait_for: in Python 3.11 it loses a cancellation that meets the ring.
                    async with asyncio.timeout(pause):
                        await woken.wait()

    async def live(self) -> None:
        """Returns once nothing that commits from here on can be missed."""
        await self._live.wait()

    async def _look(self) -> float:
        """Reads and tells one batch; returns how long to wait for a ring before the next look."""
        try:
            return await self._batch()
        except store.LOST as lost:
            log.info("the feed of changes is interrupted and will go on from where it was: %s", lost)
        except Exception:
            log.exception("the feed of changes failed and will try again")
        return _RETRY_SECONDS

    async def _batch(self) -> float:
        async with self._database.acting_as(SERVICE, read_only=True) as connection:
            if self._position is None:
                self.tables = await store.live_tables(connection)
                self._position = await here_and_now(connection)
                self._live.set()
            events = await events_after(connection, self._position, limit=_BATCH)
            reached = events[-1].position if events else self._position
            viewings = self._viewings(events)
            await end_lapsed(connection, self._channels, {viewing.channel for viewing in viewings})
            held_back = len(events) < _BATCH and await store.more_after(connection, reached)
        rows = await records(self._database, self.tables, viewings)
        self._position = reached
        await self._tell(viewings, rows)
        if len(events) == _BATCH:
            return 0
        return _HELD_BACK_SECONDS if held_back else _POLL_SECONDS

    def _viewings(self, events: Iterable[Event]) -> list[Viewing]:
        return [
            Viewing.of(channel, change)
            for change in (Change.of(event) for event in events if event.name == ROW_CHANGED)
            for channel in self._channels.watching(change.table)
            if channel.watches(change.table, change.type) and not channel.knew(change.xid)
        ]

    async def _tell(self, viewings: Iterable[Viewing], rows: Records) -> None:
        for number, viewing in enumerate(viewings, start=1):
            record = rows.get(viewing.row)
            if record is not None and viewing.channel.is_open:
                self._push(viewing, record)
            if number % _PUSHES_IN_ONE_GO == 0:
                await asyncio.sleep(0)

    def _push(self, viewing: Viewing, record: Record) -> None:
        change, channel = viewing.change, viewing.channel
        columns = self.tables[change.table].readable_by(viewing.principal.role)
        wanted: defaultdict[frozenset[str] | None, list[int]] = defaultdict(list)
        for subscription in channel.subscriptions:
            if subscription.wants(change.table, change.type, record.row):
                wanted[subscription.select].append(subscription.id)
        for select, ids in wanted.items():
            data = told(change, record, columns, select)
            channel.push("postgres_changes", Json(f'{{"ids":{ids},"data":{data}}}'))
