"""Writers and subscribers in a hurry, and a judge who knows what each of them must have been told.

A row is certainly after a join when its insert began after the answer, and certainly before another row when its
commit was answered before the other's insert began. Of what overlaps, nobody could say which was first.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from uuid import UUID, uuid4

from cairn.db import Database, DatabaseUnreachable
from cairn.jobs import OutboxNotifier
from tests.make import sign
from tests.realtime.client import SIGNINGS, Client, connected

# The same choices in every run; when each of them falls is chance enough.
CHANCE = Random(5)  # noqa: S311 - no secret depends on it


@dataclass(slots=True)
class Written:
    company: UUID
    began: float
    answered: float = float("inf")


@dataclass(slots=True)
class Visit:
    """One subscriber from its join to its leaving."""

    company: UUID
    joined: float
    asked: float
    stayed_to_the_end: bool = False
    told: list[UUID] = field(default_factory=list)


@dataclass(slots=True)
class Crowd:
    database: Database
    notifier: OutboxNotifier
    # Of each company: open sessions, and a token of somebody who works there.
    sessions: dict[UUID, list[UUID]]
    tokens: dict[UUID, str]
    addresses: Sequence[str]
    key: str
    written: dict[UUID, Written] = field(default_factory=dict)
    visits: list[Visit] = field(default_factory=list)
    is_halfway: asyncio.Event = field(default_factory=asyncio.Event)
    is_over: asyncio.Event = field(default_factory=asyncio.Event)

    async def gather(
        self, *, rows: int, writers: int, subscribers: int, halfway: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        async with asyncio.TaskGroup() as guests:
            for number in range(subscribers):
                guests.create_task(self._come_and_go(number))
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
            company, sessions = CHANCE.choice(list(self.sessions.items()))
            session, waiver = CHANCE.choice(sessions), uuid4()
            self.written[waiver] = Written(company, time.monotonic())
            while True:
                try:
                    await sign(self.database, session, id=waiver)
                    break
                except DatabaseUnreachable:
                    await asyncio.sleep(0.1)
            self.notifier.notify()
            self.written[waiver].answered = time.monotonic()

    async def _come_and_go(self, number: int) -> None:
        companies = list(self.sessions)
        while True:
            address = self.addresses[number % len(self.addresses)]
            company = companies[(number // len(self.addresses)) % len(companies)]
            async with connected(address, self.key, max_queue=None) as client:
                asked = time.monotonic()
                joined = await client.join(SIGNINGS, token=self.tokens[company])
                if joined["status"] != "ok":
                    # The database is away; a client would come again by itself.
                    await asyncio.sleep(0.2)
                    continue
                visit = Visit(company, time.monotonic(), asked)
                self.visits.append(visit)
                await client.receive()
                await self._listen(client, visit, CHANCE.uniform(0.3, 3))
                if visit.stayed_to_the_end:
                    return

    async def _listen(self, client: Client, visit: Visit, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until or self.is_over.is_set():
            is_over = self.is_over.is_set()
            is_owed = is_over and not self.certain(visit) <= set(visit.told)
            try:
                change = await client.change(within=10 if is_owed else 1 if is_over else 0.1)
            except TimeoutError:
                assert not is_owed, f"{len(self.certain(visit) - set(visit.told))} never came"
                if is_over:
                    visit.stayed_to_the_end = True
                    return
                continue
            visit.told.append(UUID(change["data"]["record"]["id"]))

    def certain(self, visit: Visit) -> set[UUID]:
        return {
            waiver for waiver, row in self.written.items() if row.company == visit.company and row.began > visit.joined
        }

    def judge(self) -> None:
        for visit in self.visits:
            told = [self.written[waiver] for waiver in visit.told]
            assert len(visit.told) == len(set(visit.told)), "nothing twice"
            assert all(row.company == visit.company for row in told), "nothing of a rival's"
            assert all(row.answered > visit.asked for row in told), "nothing from before the join"
            earliest_answer = float("inf")
            for row in reversed(told):
                assert earliest_answer > row.began, "what committed before another began is told before it"
                earliest_answer = min(earliest_answer, row.answered)
            last = float("inf") if visit.stayed_to_the_end else max((row.began for row in told), default=0)
            due = {waiver for waiver in self.certain(visit) if self.written[waiver].answered < last}
            assert due <= set(visit.told), "nothing missed"
