"""Reads newly committed events and delivers them to the channels that may see them.

Each poll takes a snapshot and reads the events that committed since the previous snapshot. A transaction that stays
open therefore delays no other transaction, and its events are not skipped. A batch is sent only after all of it was
read, so that a batch can be read again after the database connection breaks, and no client receives an event twice.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from cairn.db import SERVICE, Database, RetryPolicy
from cairn.jobs import OutboxNotifier
from cairn.realtime import store
from cairn.realtime.change import Change, Record, change_data
from cairn.realtime.channels import PUSHES_BEFORE_YIELDING, TOPIC_PREFIX, Channel, Channels
from cairn.realtime.delivery import EncodedBroadcast, deliver
from cairn.realtime.errors import FilterTooSlow
from cairn.realtime.frame import Json
from cairn.realtime.message import SentMessage
from cairn.realtime.pending_change import PendingChange, pending_changes
from cairn.realtime.snapshot import ALL_COMMITTED, Snapshot
from cairn.realtime.table import Table, TableName
from cairn.realtime.tokens import end_invalid_channels
from cairn.realtime.visibility import VisibleRows, read_visible_rows

log = logging.getLogger(__name__)

_BATCH_SIZE = 100
# Polling finds events whose notification was lost, and events of programs that do not notify.
_POLL_SECONDS = 0.5
_RETRY_SECONDS = 0.25
# Joins with unknown tables or columns cause a read of the catalog at most this often.
_SECONDS_BETWEEN_TABLE_READS = 1.0
# Debounce: the first of many commits is delivered immediately and the following ones in batches, so that there are at
# most a hundred polls a second. The pause grows with the number of delivered events.
_PAUSE_SECONDS_PER_EVENT = 0.01
_MAX_PAUSE_SECONDS = 0.1


class ChangeFeed:
    def __init__(self, database: Database, notifier: OutboxNotifier, channels: Channels) -> None:
        self.tables: dict[TableName, Table] = {}
        self._database = database
        self._notifier = notifier
        self._channels = channels
        self._retry = RetryPolicy(log, "the feed of changes", delay_seconds=_RETRY_SECONDS)
        self._last_snapshot: Snapshot | None = None
        # The ids of committed events that are not delivered yet.
        self._undelivered: list[int] = []
        # Channels that continue after a position, because the server that served them before has stopped.
        self._resuming: dict[Channel, Snapshot] = {}
        self._is_live = asyncio.Event()
        self._is_finishing = False
        self._has_finished = asyncio.Event()
        self._joins_in_progress = 0
        self._wake_up = asyncio.Event()
        self._table_read = asyncio.Lock()
        # The time at which `read_newer_tables` has last begun to read.
        self._tables_read_at = float("-inf")

    async def run(self) -> None:
        async with self._notifier.listening() as notified:
            while self._undelivered or self._resuming or not self._is_finishing:
                await self._sleep_while_unused()
                notified.clear()
                wait_seconds = await self._poll()
                with suppress(TimeoutError):
                    # `wait_for` would lose a cancellation that coincides with the notification (Python 3.11).
                    async with asyncio.timeout(wait_seconds):
                        await notified.wait()
        self._has_finished.set()

    async def finish(self) -> Snapshot | None:
        """Stops the feed when the events that it has found are delivered. Returns up to where that is, or None."""
        self._is_finishing = True
        self._wake_up.set()
        await self._has_finished.wait()
        return self._last_snapshot

    def resume(self, channel: Channel, delivered: Snapshot) -> None:
        """Delivers everything that was committed after `delivered` to the channel, at the next poll."""
        channel.join_snapshot = ALL_COMMITTED
        self._resuming[channel] = delivered

    async def wait_until_live(self) -> None:
        """Returns when it is certain that every later commit will be delivered. Call it inside `keep_running`."""
        await self._is_live.wait()

    @contextmanager
    def keep_running(self) -> Iterator[None]:
        """Keeps the feed running during a join, before the new channel is registered."""
        self._joins_in_progress += 1
        self._wake_up.set()
        try:
            yield
        finally:
            self._joins_in_progress -= 1

    async def wait_for_joins(self) -> None:
        """Returns when no join is in progress. The caller refuses new ones."""
        while self._joins_in_progress:  # noqa: ASYNC110 - joins are short
            await asyncio.sleep(0.02)

    async def _sleep_while_unused(self) -> None:
        """Returns when there is a channel or a join. Polling without them would be a tenth of the server's work."""
        if self._channels or self._joins_in_progress or self._is_finishing:
            return
        self._last_snapshot, self._undelivered = None, []
        self._is_live.clear()
        self._wake_up.clear()
        await self._wake_up.wait()

    async def read_tables(self) -> None:
        """Reads the published tables. Called regularly, because they may change while the server runs."""
        async with self._database.acting_as(SERVICE, read_only=True) as connection:
            self.tables = await store.published_tables(connection)

    async def read_newer_tables(self) -> None:
        """Returns after the published tables were read again. All callers together cause at most one read a second."""
        clock = asyncio.get_running_loop().time
        called_at = clock()
        async with self._table_read:
            if self._tables_read_at >= called_at:
                return
            await asyncio.sleep(self._tables_read_at + _SECONDS_BETWEEN_TABLE_READS - called_at)
            self._tables_read_at = clock()
            await self.read_tables()

    async def _poll(self) -> float:
        """Delivers one batch. Returns how many seconds to wait for a notification before the next poll."""
        try:
            delivered = await self._deliver_batch()
        except Exception as error:
            # A notification must not cut this delay short. Under load one arrives every few milliseconds.
            await asyncio.sleep(self._retry.record_failure(error))
            return 0
        self._retry.record_success()
        if self._undelivered:
            return 0
        await asyncio.sleep(min(max(delivered, 1) * _PAUSE_SECONDS_PER_EVENT, _MAX_PAUSE_SECONDS))
        return _POLL_SECONDS

    async def _deliver_batch(self) -> int:
        """Returns the number of events in the batch."""
        async with self._database.acting_as(SERVICE, read_only=True) as connection:
            if self._last_snapshot is None:
                self.tables = await store.published_tables(connection)
                self._last_snapshot = await store.snapshot(connection)
                self._is_live.set()
            if not self._undelivered:
                self._last_snapshot = self._rewound(self._last_snapshot)
                self._last_snapshot, self._undelivered = await store.committed_since(connection, self._last_snapshot)
            if not self._undelivered:
                return 0
            events = await store.events_by_id(connection, self._undelivered[:_BATCH_SIZE])
            changes = [event for event in events if isinstance(event, Change)]
            pending = await pending_changes(connection, self._channels, self.tables, changes)
            readers = {identity for pending_change in pending for identity in pending_change.readers}
            await end_invalid_channels(connection, self._channels, readers)
        visible = await read_visible_rows(self._database, self._channels, self.tables, pending)
        if self._has_unknown_columns(visible):
            await self.read_tables()
        for channel in visible.slow_channels:
            self._channels.end(channel, FilterTooSlow())
        self._undelivered = self._undelivered[_BATCH_SIZE:]
        pending_by_change = {id(pending_change.change): pending_change for pending_change in pending}
        for event in events:
            if isinstance(event, SentMessage):
                await self._deliver_message(event)
            elif id(event) in pending_by_change:
                await self._deliver_change(pending_by_change[id(event)], visible)
        return len(events)

    def _rewound(self, position: Snapshot) -> Snapshot:
        """Returns the oldest position of the resuming channels. The other channels skip what they have received."""
        if not self._resuming:
            return position
        for channel in self._channels:
            if channel.join_snapshot is None or channel.join_snapshot.is_older_than(position):
                channel.join_snapshot = position
        oldest = position
        for channel, delivered in self._resuming.items():
            channel.join_snapshot = delivered
            oldest = delivered if delivered.is_older_than(oldest) else oldest
        self._resuming.clear()
        return oldest

    def _has_unknown_columns(self, visible: VisibleRows) -> bool:
        records = visible.records.items()
        return any(record.row.keys() - self.tables[name].by_name.keys() for (_, name, _), record in records)

    async def _deliver_message(self, sent: SentMessage) -> None:
        message = {"type": "broadcast", "event": sent.event, "payload": sent.payload}
        topic = TOPIC_PREFIX + sent.topic
        members = [
            member
            for member in self._channels.members((topic, sent.private))
            if not member.joined_after_commit_of(sent.xid)
        ]
        await deliver(members, EncodedBroadcast(topic, message))

    async def _deliver_change(self, pending: PendingChange, visible: VisibleRows) -> None:
        change = pending.change
        # Subscribers that see the same record and the same columns share one encoding.
        encoded: dict[tuple[int, int, frozenset[str] | None], str] = {}
        payloads: dict[tuple[int, int, frozenset[str] | None, tuple[int, ...]], Json] = {}
        pushes = 0
        for channel, record in visible.receivers(self._channels, pending):
            if not channel.is_open:
                continue
            old = visible.records.get((channel.identity, change.table, change.old)) if change.old else None
            for select, ids in self._matching_subscriptions(channel, change, record, visible):
                cache_key = id(record), id(old), select
                if cache_key not in encoded:
                    encoded[cache_key] = change_data(change, self.tables[change.table], record, old, select)
                payload_key = *cache_key, tuple(ids)
                if payload_key not in payloads:
                    payloads[payload_key] = Json(f'{{"ids":{ids},"data":{encoded[cache_key]}}}')
                channel.push("postgres_changes", payloads[payload_key])
                pushes += 1
                if pushes % PUSHES_BEFORE_YIELDING == 0:
                    await asyncio.sleep(0)

    def _matching_subscriptions(
        self, channel: Channel, change: Change, record: Record, visible: VisibleRows
    ) -> Iterable[tuple[frozenset[str] | None, list[int]]]:
        """Returns the ids of the subscriptions that this change matches, grouped by the columns they select."""
        ids_by_select: defaultdict[frozenset[str] | None, list[int]] = defaultdict(list)
        for subscription in channel.subscriptions:
            if not subscription.watches(change.table, change.type):
                continue
            row_filter = subscription.tables[change.table]
            if row_filter is None or (
                # The filter applies only if all its columns are readable. Otherwise it would reveal hidden values.
                row_filter.columns <= record.row.keys()
                and (change.table, change.row, row_filter.sql) in visible.passed_filters
            ):
                ids_by_select[subscription.select].append(subscription.id)
        return ids_by_select.items()
