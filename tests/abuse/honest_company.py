"""An honest company whose guests sign before, during and after an attack on the service."""

import asyncio
import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from uuid import uuid4

import asyncpg
import httpx

from bench.memory import megabytes
from cairn.kit import frozen_dataclass
from tests.abuse.documents import fetch_pdf, save_template
from tests.abuse.honest import HONEST_ADDRESS, client_from, insert_waiver, repeating, sign_up, waiver_row
from tests.abuse.memory import process_memory_stays_within
from tests.mail_server import MailServer
from tests.serving import RunningServer
from tests.waiting import wait_until_true

MAX_SLOWDOWN_FACTOR = 3
MAX_MEMORY_GROWTH_FACTOR = 2
# Guests do not notice a shorter wait, so it is accepted even if it is many times longer than on a calm server. In these
# tests it can be that much longer, because the attackers share the processor cores with the server.
FAST_ENOUGH_SECONDS = 1.0
START_TIMEOUT_SECONDS = 60.0
LAST_EMAIL_TIMEOUT_SECONDS = 60.0
LAST_JOB_TIMEOUT_SECONDS = 120.0
CALM_VISIT_COUNT = 5
TEMPLATE_TEXT = "# River trip\n\nI, [PARTICIPANT NAME], ride.\n"


@frozen_dataclass
class Visit:
    """A guest who signed, and how long each part of the visit took."""

    waiver_id: str
    guest_email: str
    health_seconds: float
    signature_seconds: float
    pdf_seconds: float
    """From the response to the signature until the company has the sealed PDF."""


@dataclass
class HonestCompany:
    server: RunningServer
    mail_server: MailServer
    company: httpx.AsyncClient
    guest: httpx.AsyncClient
    template_id: str
    idle_megabytes: dict[int, float] = field(default_factory=dict)
    """The memory of the web server and of the worker before the first attack, by process id."""

    visits: list[Visit] = field(default_factory=list)

    async def receive_guest(self) -> Visit:
        """Lets a guest sign, and fetches the PDF for the company. Fails if one of the requests fails."""
        guest_email = f"{uuid4()}@guest.example"
        session = {"id": str(uuid4()), "template_id": self.template_id, "recipient_email": guest_email}
        waiver = waiver_row(session["id"], email=guest_email)
        (await self.company.post("/rest/v1/waiver_sessions", json=session)).raise_for_status()
        health_seconds = await _seconds(self.guest.get("/health/ready"))
        signature_seconds = await _seconds(insert_waiver(self.guest, waiver))
        pdf_seconds = await _seconds(fetch_pdf(self.company, waiver["id"]))
        visit = Visit(waiver["id"], guest_email, health_seconds, signature_seconds, pdf_seconds)
        self.visits.append(visit)
        return visit

    @asynccontextmanager
    async def is_served_as_when_calm(self) -> AsyncIterator[None]:
        """Compares visits during the attack, which is the `with` block, with visits before and after it."""
        before = [await self.receive_guest() for _ in range(CALM_VISIT_COUNT)]
        with ExitStack() as memory:
            for pid, idle_megabytes in self.idle_megabytes.items():
                memory.enter_context(
                    process_memory_stays_within(pid, MAX_MEMORY_GROWTH_FACTOR, idle_megabytes=idle_megabytes)
                )
            async with repeating(self.receive_guest) as attacked:
                yield
        await self._wait_until_the_worker_is_idle()
        after = [await self.receive_guest() for _ in range(CALM_VISIT_COUNT)]
        for part in ("health_seconds", "signature_seconds", "pdf_seconds"):
            _assert_not_much_slower(part, [before, after], attacked)
        await self._check_that_nothing_is_lost()

    async def _wait_until_the_worker_is_idle(self) -> None:
        no_job_waits = "select not exists (select from jobs.procrastinate_jobs where status = 'todo')"
        connection = await asyncpg.connect(self.server.db_url)
        await wait_until_true(connection, no_job_waits, timeout_seconds=LAST_JOB_TIMEOUT_SECONDS)
        await connection.close()

    async def _check_that_nothing_is_lost(self) -> None:
        """Checks that each guest has a waiver with a document, and has received an email with a copy of it."""
        connection = await asyncpg.connect(self.server.db_url)
        waiver_ids = [visit.waiver_id for visit in self.visits]
        documents = await connection.fetchval(
            "select count(document_path) from waivers.signed where id = any ($1)", waiver_ids
        )
        await connection.close()
        assert documents == len(waiver_ids)
        guests = {visit.guest_email for visit in self.visits}
        async with asyncio.timeout(LAST_EMAIL_TIMEOUT_SECONDS):
            while not guests <= self._guests_with_copy():  # noqa: ASYNC110 - the worker sends the emails
                await asyncio.sleep(0.1)

    def _guests_with_copy(self) -> set[str]:
        return {str(email["To"]) for email in self.mail_server.emails if any(email.iter_attachments())}


@asynccontextmanager
async def open_honest_company(server: RunningServer, mail_server: MailServer) -> AsyncIterator[HonestCompany]:
    """Signs up a company with a plan, confirms its address, and lets one guest sign, so that every process is warm."""
    email = "rosa@rio-rafting.example"
    account = await sign_up(server, email)
    await confirm_address(server, email)
    await _subscribe(server, email)
    async with (
        client_from(server, HONEST_ADDRESS, token=account.token) as company,
        client_from(server, HONEST_ADDRESS) as guest,
    ):
        await _wait_until_ready(guest)
        template_id = await save_template(company, TEMPLATE_TEXT)
        honest = HonestCompany(server, mail_server, company, guest, template_id)
        await honest.receive_guest()
        honest.idle_megabytes = {pid: megabytes(pid) for pid in (server.process.pid, server.worker_pid)}
        yield honest


async def confirm_address(server: RunningServer, email: str) -> None:
    connection = await asyncpg.connect(server.db_url)
    await connection.execute("update auth.users set email_confirmed_at = now() where email = $1", email)
    await connection.close()


async def _subscribe(server: RunningServer, email: str) -> None:
    """Gives the company a plan. Without one, its daily limit of emailed copies is too low for so many guests."""
    connection = await asyncpg.connect(server.db_url)
    await connection.execute(
        """
        with customer as (
            insert into billing.customers (provider, reference, company_id)
            select 'sandbox', 'cus_1', p.company_id
              from public.profiles p join auth.users u on u.id = p.id where u.email = $1
            returning id)
        insert into billing.subscriptions (customer_id, reference, plan, status, as_of)
        select id, 'sub_1', 'professional', 'active', now() from customer
        """,
        email,
    )
    await connection.close()


async def _wait_until_ready(client: httpx.AsyncClient) -> None:
    """Waits until the worker has started too. The server responds to most requests before that."""
    async with asyncio.timeout(START_TIMEOUT_SECONDS):
        while (await client.get("/health/ready")).status_code != 200:  # noqa: ASYNC110 - the worker is another process
            await asyncio.sleep(0.2)


async def _seconds(request: Awaitable[httpx.Response]) -> float:
    started_at = time.monotonic()
    (await request).raise_for_status()
    return time.monotonic() - started_at


def _assert_not_much_slower(
    part: str, calm_visits: Sequence[Sequence[Visit]], attacked_visits: Sequence[Visit]
) -> None:
    # Other tests may run on the machine, so the slower of the two calm times is the fair one.
    calm = max(_median(part, visits) for visits in calm_visits)
    attacked = _median(part, attacked_visits)
    message = f"{part}: {calm:.3f} when calm, {attacked:.3f} during the attack, with {len(attacked_visits)} visits"
    assert attacked <= max(MAX_SLOWDOWN_FACTOR * calm, FAST_ENOUGH_SECONDS), message


def _median(part: str, visits: Sequence[Visit]) -> float:
    seconds: list[float] = [getattr(visit, part) for visit in visits]
    return statistics.median(seconds)
