"""C3: webhooks to endpoints that never respond do not delay those of other companies.

C3 is a finding in docs/security.md.
"""

import asyncio
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from cairn.db import SERVICE, Database
from cairn.integrations import WebhookSender, register_endpoint, resend_delivery, send_test
from cairn.integrations.claim import ClaimState, claim_delivery
from cairn.integrations.model import probe_delay
from cairn.kit import now
from tests.abuse.silent_endpoint import SilentEndpoint, silent_endpoint
from tests.fixture_of import fixture_of
from tests.integrations.conftest import Admin, FunctionsClient, read_deliveries, wait_for_delivery
from tests.integrations.receiver import WebhookReceiver
from tests.integrations.test_deliveries import sign_waiver
from tests.people import Person, sign_up

TIMEOUT_SECONDS = 10.0
# The server gives up on a silent endpoint after this time, because connecting may take 40% of the timeout.
SILENT_SECONDS = 4.0


silent = fixture_of(silent_endpoint)


@pytest.fixture
def webhook_sender(webhook_sender: WebhookSender) -> WebhookSender:
    """A sender whose timeout is so long that the tests notice a wait for it, even on a busy machine."""
    return replace(
        webhook_sender, settings=webhook_sender.settings.model_copy(update={"timeout_seconds": TIMEOUT_SECONDS})
    )


async def connect(sender: WebhookSender, owner: Person, url: str) -> UUID:
    return (await register_endpoint(sender, owner.company, "webhook", "", url)).id


async def add_waiting_deliveries(admin: Admin, endpoint_id: UUID, count: int) -> None:
    """Adds deliveries like those of signed waivers, but without the waivers."""
    await admin.execute(
        """
        insert into integrations.deliveries (endpoint_id, company_id, kind, event_id, event, retries_left)
        select e.id, e.company_id, e.kind, gen_random_uuid(), 'waiver.signed', 8
          from integrations.endpoints e cross join generate_series(1, $2)
         where e.id = $1
        """,
        endpoint_id, count,
    )  # fmt: skip


async def make_rivals(database: Database, count: int) -> list[Person]:
    return [
        await sign_up(database, f"{number}@rivals.example", "Mallory", company=f"Rival {number}")
        for number in range(count)
    ]


async def seconds_to_deliver(functions: FunctionsClient, endpoint_id: UUID) -> float:
    started_at = time.monotonic()
    outcome = (await functions("try-webhook", id=str(endpoint_id))).json()
    assert outcome["status"] == "delivered", outcome
    return time.monotonic() - started_at


@pytest.mark.timing
@pytest.mark.usefixtures("worker")
async def test_c3_ten_silent_endpoints_of_one_company_do_not_delay_a_new_endpoint_of_another(
    functions: FunctionsClient,
    webhook_sender: WebhookSender,
    receiver: WebhookReceiver,
    silent: SilentEndpoint,
    admin: Admin,
    rosa: Person,
    mallory: Person,
) -> None:
    honest_endpoint = await connect(webhook_sender, rosa, receiver.url)
    for number in range(10):
        await add_waiting_deliveries(admin, await connect(webhook_sender, mallory, f"{silent.url}/{number}"), 10)
    # At most two deliveries of a company run at the same time.
    await silent.wait_for_connections(2)

    assert await seconds_to_deliver(functions, honest_endpoint) < SILENT_SECONDS * 0.8
    assert len(silent.connections) == 2


@pytest.mark.timing
@pytest.mark.usefixtures("worker")
async def test_c3_silent_endpoints_of_many_companies_do_not_delay_an_endpoint_that_responds_quickly(
    functions: FunctionsClient,
    webhook_sender: WebhookSender,
    receiver: WebhookReceiver,
    silent: SilentEndpoint,
    database: Database,
    admin: Admin,
    rosa: Person,
) -> None:
    honest_endpoint = await connect(webhook_sender, rosa, receiver.url)
    await seconds_to_deliver(functions, honest_endpoint)
    for rival in await make_rivals(database, 12):
        await add_waiting_deliveries(admin, await connect(webhook_sender, rival, silent.url), 10)
    # At most eight deliveries run at the same time. One to an endpoint that responds quickly need not wait for them.
    await silent.wait_for_connections(8)

    assert await seconds_to_deliver(functions, honest_endpoint) < SILENT_SECONDS * 0.8


async def test_c3_companies_take_turns(
    webhook_sender: WebhookSender, database: Database, admin: Admin, silent: SilentEndpoint
) -> None:
    """The first company has been waiting longest, but it gets no second turn before the others have had one."""
    rivals = await make_rivals(database, 3)
    for rival in rivals:
        await add_waiting_deliveries(admin, await connect(webhook_sender, rival, silent.url), 2)
    turns: list[UUID] = []

    async with database.acting_as(SERVICE) as connection:
        for _ in range(6):
            # Each company is listed once, in the order of their last turns.
            state = ClaimState(recent_companies=[*dict.fromkeys(reversed(turns))][::-1])
            delivery = await claim_delivery(connection, now() + timedelta(seconds=1), quick=False, state=state)
            assert delivery is not None
            turns.append(delivery.company_id)

    assert turns == [rival.company for rival in rivals] * 2


async def test_c3_a_company_with_enough_running_deliveries_is_skipped(
    webhook_sender: WebhookSender, database: Database, admin: Admin, silent: SilentEndpoint, mallory: Person
) -> None:
    await add_waiting_deliveries(admin, await connect(webhook_sender, mallory, silent.url), 2)

    async with database.acting_as(SERVICE) as connection:
        state = ClaimState(busy_companies=[mallory.company])
        assert await claim_delivery(connection, now(), quick=False, state=state) is None
        assert (
            await claim_delivery(connection, now(), quick=False, state=ClaimState(busy_companies=[uuid4()])) is not None
        )


async def test_c3_a_failing_endpoint_gets_one_attempt_at_a_time_unless_a_user_requests_one(
    webhook_sender: WebhookSender, database: Database, admin: Admin, silent: SilentEndpoint, rosa: Person
) -> None:
    endpoint_id = await connect(webhook_sender, rosa, silent.url)
    await add_waiting_deliveries(admin, endpoint_id, 5)
    await admin.execute(
        "update integrations.endpoints set failing_since = now(), next_probe_at = now() + interval '1 minute'"
    )
    probe_time = now() + timedelta(minutes=2)
    async with database.acting_as(SERVICE) as connection:
        assert await claim_delivery(connection, now(), quick=False) is None
        probe = await claim_delivery(connection, probe_time, quick=False)
        assert probe is not None
        running = ClaimState(busy_endpoints=[endpoint_id])
        assert await claim_delivery(connection, probe_time, quick=False, state=running) is None

    test_id = await send_test(webhook_sender, rosa.company, endpoint_id)
    resent = next(row["id"] for row in await read_deliveries(database, rosa) if row["id"] not in (probe.id, test_id))
    await resend_delivery(webhook_sender, rosa.company, resent)
    async with database.acting_as(SERVICE) as connection:
        claimed = [await claim_delivery(connection, now(), quick=False, state=running) for _ in range(3)]

    assert {delivery.id for delivery in claimed if delivery} == {test_id, resent}


@pytest.mark.usefixtures("worker")
async def test_c3_other_deliveries_to_an_endpoint_wait_after_a_failure_and_are_sent_once_it_responds(
    webhook_sender: WebhookSender, receiver: WebhookReceiver, database: Database, admin: Admin, rosa: Person
) -> None:
    await connect(webhook_sender, rosa, receiver.url)
    await admin.execute("update integrations.endpoints set failing_since = now() - interval '1 minute'")
    receiver.responses.append(500)
    await sign_waiver(database, rosa, "Gil Okafor")
    await wait_for_delivery(database, rosa, attempts=1, answer=500)
    await sign_waiver(database, rosa, "Ana Ortiz")
    await wait_for_delivery(database, rosa, attempts=0, status="waiting")
    await asyncio.sleep(3)
    assert len(receiver.webhooks) == 1

    await admin.execute("update integrations.endpoints set next_probe_at = now()")

    await wait_for_delivery(database, rosa, status="delivered")
    row = await admin.fetchrow("select failing_since, next_probe_at, responds_quickly from integrations.endpoints")
    assert row is not None
    assert tuple(row) == (None, None, True)


@pytest.mark.parametrize(
    ("failing_seconds", "delay_seconds"), [(None, 2), (0, 2), (1, 2), (30, 30), (200, 200), (3600, 300)]
)
def test_c3_the_delay_before_the_next_probe_grows_up_to_five_minutes(
    failing_seconds: int | None, delay_seconds: int
) -> None:
    failed_at = datetime(2026, 11, 16, 12, tzinfo=UTC)
    failing_since = None if failing_seconds is None else failed_at - timedelta(seconds=failing_seconds)

    assert probe_delay(failing_since, failed_at) == timedelta(seconds=delay_seconds)


async def test_c3_thousands_of_waiting_deliveries_do_not_slow_down_a_claim(
    webhook_sender: WebhookSender, admin: Admin, silent: SilentEndpoint, mallory: Person
) -> None:
    endpoint_id = await connect(webhook_sender, mallory, silent.url)
    await add_waiting_deliveries(admin, endpoint_id, 20_000)
    await admin.execute("analyze integrations.deliveries")
    pages_before = await pages_read(admin)

    assert await claim_delivery(admin, now() + timedelta(seconds=1), quick=False) is not None

    assert await pages_read(admin) - pages_before < 200


async def pages_read(admin: Admin) -> int:
    """Returns how many pages of the deliveries were read so far."""
    await admin.execute("select pg_stat_force_next_flush()")
    pages: int = await admin.fetchval(
        """
        select heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read
          from pg_statio_all_tables where relid = 'integrations.deliveries'::regclass
        """
    )
    return pages
