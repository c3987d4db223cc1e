"""Concurrent writers and subscribers, and a check that each subscriber received what it had to.

A row certainly follows a join if its insert began after the reply to the join. It certainly precedes another row if its
commit was confirmed before the insert of the other began. For overlapping operations any order is correct.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from uuid import UUID, uuid4

from cairn.db import Database, DatabaseUnreachable
from cairn.jobs import OutboxNotifier
from tests.factories import sign
from tests.realtime.client import SIGNED_WAIVERS, Client, connected

# The choices are the same in every run; their timing is not.
RANDOM = Random(5)  # noqa: S311 - no secret depends on it


@dataclass(slots=True)
class WrittenRow:
    company: UUID
    began: float
    confirmed: float = float("inf")


@dataclass(slots=True)
class Visit:
    """One subscriber, from its join until it leaves."""

    company: UUID
    requested: float
    joined: float
    stayed_to_the_end: bool = False
    received: list[UUID] = field(default_factory=list)


@dataclass(slots=True)
class StressRun:
    database: Database
    notifier: OutboxNotifier
    # The open sessions of each company, and a token of one of its users.
    sessions: dict[UUID, list[UUID]]
    tokens: dict[UUID, str]
    addresses: Sequence[str]
    key: str
    written: dict[UUID, WrittenRow] = field(default_factory=dict)
    visits: list[Visit] = field(default_factory=list)
    is_halfway: asyncio.Event = field(default_factory=asyncio.Event)
    is_over: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(
        self, *, rows: int, writers: int, subscribers: int, halfway: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        async with asyncio.TaskGroup() as subscribing:
            for number in range(subscribers):
                subscribing.create_task(self._join_and_leave(number))
            await asyncio.sleep(0.3)
            async with asyncio.TaskGroup() as writing:
                for _ in range(writers):
                    writing.create_task(self._write(rows // writers))
                if halfway is not None:
                    await self.is_halfway.wait()
                    await halfway()
            self.is_over.set()

    async def _write(self, rows: int) -> None:
        for number in range(rows):
            if number == rows // 2:
                self.is_halfway.set()
            company, sessions = RANDOM.choice(list(self.sessions.items()))
            session, waiver = RANDOM.choice(sessions), uuid4()
            self.written[waiver] = WrittenRow(company, time.monotonic())
            while True:
                try:
                    await sign(self.database, session, id=waiver)
                    break
                except DatabaseUnreachable:
                    await asyncio.sleep(0.1)
            self.notifier.notify()
            self.written[waiver].confirmed = time.monotonic()

    async def _join_and_leave(self, number: int) -> None:
        companies = list(self.sessions)
        while True:
            address = self.addresses[number % len(self.addresses)]
            company = companies[(number // len(self.addresses)) % len(companies)]
            async with connected(address, self.key, max_queue=None) as client:
                requested = time.monotonic()
                reply = await client.join(SIGNED_WAIVERS, token=self.tokens[company])
                if reply["status"] != "ok":
                    # The database is down; a real client would retry too.
                    await asyncio.sleep(0.2)
                    continue
                visit = Visit(company, requested, joined=time.monotonic())
                self.visits.append(visit)
                await client.receive()
                await self._receive(client, visit, RANDOM.uniform(0.3, 3))
                if visit.stayed_to_the_end:
                    return

    async def _receive(self, client: Client, visit: Visit, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until or self.is_over.is_set():
            is_over = self.is_over.is_set()
            is_incomplete = is_over and not self.expected(visit) <= set(visit.received)
            try:
                change = await client.change(within=10 if is_incomplete else 1 if is_over else 0.1)
            except TimeoutError:
                assert not is_incomplete, f"{len(self.expected(visit) - set(visit.received))} rows never arrived"
                if is_over:
                    visit.stayed_to_the_end = True
                    return
                continue
            visit.received.append(UUID(change["data"]["record"]["id"]))

    def expected(self, visit: Visit) -> set[UUID]:
        return {
            waiver for waiver, row in self.written.items() if row.company == visit.company and row.began > visit.joined
        }

    def verify(self) -> None:
        for visit in self.visits:
            received = [self.written[waiver] for waiver in visit.received]
            assert len(visit.received) == len(set(visit.received)), "no duplicates"
            assert all(row.company == visit.company for row in received), "no rows of a rival"
            assert all(row.confirmed > visit.requested for row in received), "no rows from before the join"
            earliest_confirmed = float("inf")
            for row in reversed(received):
                assert earliest_confirmed > row.began, "a row that committed before another began arrives before it"
                earliest_confirmed = min(earliest_confirmed, row.confirmed)
            last = float("inf") if visit.stayed_to_the_end else max((row.began for row in received), default=0)
            due = {waiver for waiver in self.expected(visit) if self.written[waiver].confirmed < last}
            assert due <= set(visit.received), "no rows missing"
