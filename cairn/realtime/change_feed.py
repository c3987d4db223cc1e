"""The feed of a process: what committed since it last looked, told to each channel that may know of it.

Two looks are two snapshots, and what lies between them is exactly what committed in between: a transaction that is
left open delays nobody and is not stepped over. Nothing of a batch is sent before all of it is read, so after a lost
database it is read again, and nobody has seen any of it.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from cairn.db import SERVICE, Database, RetryPolicy
from cairn.jobs import OutboxNotifier
from cairn.realtime import store
from cairn.realtime.broadcast import spread
from cairn.realtime.change import Change, Record, told
from cairn.realtime.channels import PREFIX, Channel, Channels
from cairn.realtime.frame import Json
from cairn.realtime.message import SentMessage
from cairn.realtime.snapshot import Snapshot
from cairn.realtime.table import Table, TableName
from cairn.realtime.tokens import end_channels_of_ended_tokens
from cairn.realtime.visibility import PendingChange, VisibleRows, look

log = logging.getLogger(__name__)

_BATCH = 100
# The notifier usually rings; this is the net below it, and what a commit from elsewhere, with nobody to ring, waits.
_POLL_SECONDS = 0.5
_RETRY_SECONDS = 0.25
# After each look, and longer after each fact that was told: the first of many commits is told at once, the others
# share a look, and a busy hour costs a hundred looks a second and not one for each commit.
_REST_SECONDS, _LONGEST_REST_SECONDS = 0.01, 0.1
_PUSHES_IN_ONE_GO = 200


class ChangeFeed:
    def __init__(self, database: Database, notifier: OutboxNotifier, channels: Channels) -> None:
        self.tables: dict[TableName, Table] = {}
        self._database = database
        self._notifier = notifier
        self._channels = channels
        self._retry = RetryPolicy(log, "the feed of changes", seconds=_RETRY_SECONDS)
        self._seen: Snapshot | None = None
        self._due: list[int] = []
        self._live = asyncio.Event()
        self._joining = 0
        self._stirred = asyncio.Event()

    async def run(self) -> None:
        async with self._notifier.listening() as woken:
            while True:
                await self._sleep_while_nobody_listens()
                woken.clear()
                pause = await self._look()
                with suppress(TimeoutError):
                    # Not wait_for: in Python 3.11 it loses a cancellation that meets the ring.
                    async with asyncio.timeout(pause):
                        await woken.wait()

    async def live(self) -> None:
        """Returns once nothing that commits from here on can be missed, as long as `kept_running`."""
        await self._live.wait()

    @contextmanager
    def kept_running(self) -> Iterator[None]:
        """While somebody joins, who is not among the channels yet."""
        self._joining += 1
        self._stirred.set()
        try:
            yield
        finally:
            self._joining -= 1

    async def _sleep_while_nobody_listens(self) -> None:
        """Without open windows the outbox is left alone: on a busy day looking at it would be a tenth of the work."""
        if self._channels or self._joining:
            return
        self._seen, self._due = None, []
        self._live.clear()
        self._stirred.clear()
        await self._stirred.wait()

    async def read_tables(self) -> None:
        """Anew, because a table may be published, or given another column, while we serve."""
        async with self._database.acting_as(SERVICE, read_only=True) as connection:
            self.tables = await store.live_tables(connection)

    async def _look(self) -> float:
        """Reads and tells one batch; returns how long to wait for a ring before the next look."""
        try:
            told = await self._batch()
        except Exception as error:
            # Not as a pause that a notification may cut short: on a busy day one arrives every few milliseconds.
            await asyncio.sleep(self._retry.failed(error))
            return 0
        self._retry.succeeded()
        if self._due:
            return 0
        await asyncio.sleep(min(max(told, 1) * _REST_SECONDS, _LONGEST_REST_SECONDS))
        return _POLL_SECONDS

    async def _batch(self) -> int:
        """How many facts there were."""
        async with self._database.acting_as(SERVICE, read_only=True) as connection:
            if self._seen is None:
                self.tables = await store.live_tables(connection)
                self._seen = await store.snapshot(connection)
                self._live.set()
            if not self._due:
                self._seen, self._due = await store.committed_since(connection, self._seen)
            if not self._due:
                return 0
            happened = await store.happened(connection, self._due[:_BATCH])
            showings = {id(change): self._showing(change) for change in happened if isinstance(change, Change)}
            concerned = {channel for showing in showings.values() for channel, _ in showing.viewers}
            await end_channels_of_ended_tokens(connection, self._channels, concerned)
        sight = await look(self._database, self.tables, showings.values())
        if any(record.row.keys() - self.tables[name].by_name.keys() for (_, name, _), record in sight.records.items()):
            await self.read_tables()
        self._due = self._due[_BATCH:]
        for fact in happened:
            if isinstance(fact, SentMessage):
                self._pass_on(fact)
            else:
                await self._tell(showings[id(fact)], sight)
        return len(happened)

    def _showing(self, change: Change) -> PendingChange:
        if change.table not in self.tables:
            return PendingChange(change, ())
        return PendingChange(
            change,
            tuple(
                (channel, channel.whose)
                for channel in self._channels.watching(change.table)
                if channel.watches(change.table, change.type) and not channel.knew(change.xid)
            ),
        )

    def _pass_on(self, sent: SentMessage) -> None:
        message = {"type": "broadcast", "event": sent.event, "payload": sent.payload}
        members = self._channels.members((PREFIX + sent.topic, sent.private))
        spread((member for member in members if not member.knew(sent.xid)), message)

    async def _tell(self, showing: PendingChange, sight: VisibleRows) -> None:
        change, written = showing.change, dict[tuple[int, int | None, frozenset[str] | None], str]()
        for number, (channel, whose) in enumerate(showing.viewers, start=1):
            record = sight.records.get((whose, change.table, change.row))
            if record is None or not channel.is_open:
                continue
            old = sight.records.get((whose, change.table, change.old)) if change.old else None
            for select, ids in self._wanted(channel, change, record, sight):
                form = id(record), id(old), select
                if form not in written:
                    written[form] = told(change, self.tables[change.table], record, old, select)
                channel.push("postgres_changes", Json(f'{{"ids":{ids},"data":{written[form]}}}'))
            if number % _PUSHES_IN_ONE_GO == 0:
                await asyncio.sleep(0)

    def _wanted(
        self, channel: Channel, change: Change, record: Record, sight: VisibleRows
    ) -> Iterable[tuple[frozenset[str] | None, list[int]]]:
        """The subscriptions this change passes, together where they show the same columns."""
        wanted: defaultdict[frozenset[str] | None, list[int]] = defaultdict(list)
        for subscription in channel.subscriptions:
            if not subscription.watches(change.table, change.type):
                continue
            sieve = subscription.tables[change.table]
            if sieve is None or (
                # Else one could learn by filtering what one may not read.
                sieve.columns <= record.row.keys() and (change.table, change.row, sieve.sql) in sight.passed
            ):
                wanted[subscription.select].append(subscription.id)
        return wanted.items()
