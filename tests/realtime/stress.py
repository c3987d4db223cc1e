"""Runs concurrent writers and subscribers, and checks that each subscriber received the right rows.

A row must be delivered if its insert started after the reply to the join. A row must be delivered before another row if
its commit was confirmed before the insert of the other row started. For overlapping operations any order is correct.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from uuid import UUID, uuid4

from cairn.db import Database, DatabaseBusy, DatabaseUnreachable
from cairn.jobs import OutboxNotifier
from tests.factories import sign
from tests.realtime.client import SIGNED_WAIVERS, Client, connected

# The random choices are the same in every run, but their timing is not.
RANDOM = Random(5)  # noqa: S311 - no secret depends on it


@dataclass(slots=True)
class WrittenRow:
    company: UUID
    started_at: float
    confirmed_at: float = float("inf")


@dataclass(slots=True)
class Visit:
    """Records what a subscriber receives from its join until it leaves."""

    company: UUID
    requested_at: float
    joined_at: float
    stayed_to_the_end: bool = False
    received_ids: list[UUID] = field(default_factory=list)


@dataclass(slots=True)
class StressRun:
    database: Database
    notifier: OutboxNotifier
    # These map the id of a company to its open sessions, and to the token of one of its users.
    sessions: dict[UUID, list[UUID]]
    tokens: dict[UUID, str]
    addresses: Sequence[str]
    api_key: str
    written_rows: dict[UUID, WrittenRow] = field(default_factory=dict)
    visits: list[Visit] = field(default_factory=list)
    is_halfway: asyncio.Event = field(default_factory=asyncio.Event)
    is_over: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(
        self,
        *,
        row_count: int,
        writer_count: int,
        subscriber_count: int,
        at_halfway: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        async with asyncio.TaskGroup() as subscribing:
            for number in range(subscriber_count):
                subscribing.create_task(self._join_and_leave(number))
            await asyncio.sleep(0.3)
            async with asyncio.TaskGroup() as writing:
                for _ in range(writer_count):
                    writing.create_task(self._write(row_count // writer_count))
                if at_halfway is not None:
                    await self.is_halfway.wait()
                    await at_halfway()
            self.is_over.set()

    async def _write(self, row_count: int) -> None:
        for number in range(row_count):
            if number == row_count // 2:
                self.is_halfway.set()
            company, sessions = RANDOM.choice(list(self.sessions.items()))
            session, waiver = RANDOM.choice(sessions), uuid4()
            self.written_rows[waiver] = WrittenRow(company, time.monotonic())
            while True:
                try:
                    await sign(self.database, session, id=waiver)
                    break
                except (DatabaseBusy, DatabaseUnreachable):
                    await asyncio.sleep(0.1)
            self.notifier.notify()
            self.written_rows[waiver].confirmed_at = time.monotonic()

    async def _join_and_leave(self, number: int) -> None:
        companies = list(self.sessions)
        while True:
            address = self.addresses[number % len(self.addresses)]
            company = companies[(number // len(self.addresses)) % len(companies)]
            async with connected(address, self.api_key, max_queue=None) as client:
                requested_at = time.monotonic()
                reply = await client.join(SIGNED_WAIVERS, token=self.tokens[company])
                if reply["status"] != "ok":
                    # The database is down. A real client would retry as well.
                    await asyncio.sleep(0.2)
                    continue
                visit = Visit(company, requested_at, joined_at=time.monotonic())
                self.visits.append(visit)
                await client.receive()
                await self._receive(client, visit, RANDOM.uniform(0.3, 3))
                if visit.stayed_to_the_end:
                    return

    async def _receive(self, client: Client, visit: Visit, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline or self.is_over.is_set():
            is_over = self.is_over.is_set()
            is_incomplete = is_over and not self.expected_ids(visit) <= set(visit.received_ids)
            timeout_seconds = 0.1
            if is_over:
                timeout_seconds = 10 if is_incomplete else 1
            try:
                change = await client.next_change(timeout_seconds)
            except TimeoutError:
                assert not is_incomplete, (
                    f"{len(self.expected_ids(visit) - set(visit.received_ids))} rows never arrived"
                )
                if is_over:
                    visit.stayed_to_the_end = True
                    return
                continue
            visit.received_ids.append(UUID(change["data"]["record"]["id"]))

    def expected_ids(self, visit: Visit) -> set[UUID]:
        return {
            waiver
            for waiver, row in self.written_rows.items()
            if row.company == visit.company and row.started_at > visit.joined_at
        }

    def verify(self) -> None:
        for visit in self.visits:
            received_rows = [self.written_rows[waiver] for waiver in visit.received_ids]
            assert len(visit.received_ids) == len(set(visit.received_ids)), "no duplicates"
            assert all(row.company == visit.company for row in received_rows), "no rows of a rival"
            assert all(row.confirmed_at > visit.requested_at for row in received_rows), "no rows from before the join"
            earliest_confirmed_at = float("inf")
            for row in reversed(received_rows):
                assert earliest_confirmed_at > row.started_at, "rows arrive in the order of their commits"
                earliest_confirmed_at = min(earliest_confirmed_at, row.confirmed_at)
            # A subscriber that stayed to the end must have received all rows. One that left early must have received
            # every row that was committed before the insert of a row which it did receive.
            start_times = [row.started_at for row in received_rows]
            due_before = float("inf") if visit.stayed_to_the_end else max(start_times, default=0)
            expected_ids = self.expected_ids(visit)
            due_ids = {waiver for waiver in expected_ids if self.written_rows[waiver].confirmed_at < due_before}
            assert due_ids <= set(visit.received_ids), "no rows missing"
