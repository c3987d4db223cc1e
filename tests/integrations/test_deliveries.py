"""The server of a company receives a webhook after a waiver was signed."""

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias
from uuid import UUID

import pytest
import pytest_asyncio
from starlette.responses import RedirectResponse, Response

from cairn.db import SERVICE, Database
from cairn.integrations import WebhookSender, jobs, send_test, sweep
from cairn.integrations.claim import claim_delivery
from cairn.kit import now
from tests.factories import make_session, make_template, sign
from tests.integrations.conftest import SITE, Admin, FunctionsClient, read_deliveries, read_endpoint, wait_for_delivery
from tests.integrations.receiver import WebhookReceiver
from tests.people import Person

Endpoint: TypeAlias = dict[str, Any]


@pytest_asyncio.fixture
async def endpoint(functions: FunctionsClient, receiver: WebhookReceiver) -> Endpoint:
    """Rosa's company has connected the receiver. Returns the id and secret of the endpoint."""
    return await functions.connect(receiver.url)


async def sign_waiver(database: Database, owner: Person, name: str = "Gil Okafor") -> UUID:
    session = await make_session(database, owner, await make_template(database, owner))
    waiver: UUID = (await sign(database, session, name=name))["id"]
    return waiver


async def fail_first_attempt(receiver: WebhookReceiver, database: Database, owner: Person) -> None:
    """Signs a waiver and waits until the first attempt of its delivery has failed."""
    receiver.responses.append(500)
    await sign_waiver(database, owner)
    await wait_for_delivery(database, owner, attempts=1, answer=500)


@pytest.mark.usefixtures("worker")
async def test_each_signed_waiver_is_posted_once_with_a_webhook_signature_but_without_the_image(
    functions: FunctionsClient, receiver: WebhookReceiver, database: Database, rosa: Person, admin: Admin
) -> None:
    secret = (await functions.connect(receiver.url, name="Booking system"))["secret"]
    waiver_id = await sign_waiver(database, rosa)
    [post] = await receiver.wait_for_webhooks(1)
    delivery = await wait_for_delivery(database, rosa, status="delivered")

    record = await admin.fetchrow("select * from signed_waivers where id = $1", waiver_id)
    assert record is not None
    assert post.is_signed_with(secret)
    assert abs(int(post.headers["webhook-timestamp"]) - datetime.now(UTC).timestamp()) < 60
    assert post.headers["content-type"] == "application/json"
    payload = post.payload
    assert (payload["type"], payload["id"]) == ("waiver.signed", post.headers["webhook-id"])
    assert datetime.fromisoformat(payload["timestamp"]) - record["signed_at"] < timedelta(milliseconds=2)
    assert {**payload["data"], "signed_at": None} == {
        "waiver_id": str(waiver_id),
        "session_id": str(record["session_id"]),
        "company_id": str(rosa.company),
        "template_id": record["template_id"],
        "template_name": "River trip",
        "template_version": 1,
        "signer_name": "Gil Okafor",
        "signer_email": "gil@example.com",
        "signed_at": None,
        "record_sha256": record["record_sha256"],
        "waiver_url": f"{SITE}/dashboard/waiver-management?waiver={record['session_id']}",
    }
    assert b"image/png" not in post.body
    outcome = [delivery[name] for name in ("attempts", "answer", "error", "next_try_at")]
    assert outcome == [1, 200, None, None]


@pytest.mark.usefixtures("worker")
async def test_zapier_receives_the_same_data_in_flat_fields(
    functions: FunctionsClient, receiver: WebhookReceiver, database: Database, rosa: Person
) -> None:
    endpoint = await functions.connect(receiver.url_of("/hooks/catch/123/abc/"), kind="zapier")
    await sign_waiver(database, rosa)

    [post] = await receiver.wait_for_webhooks(1)

    assert endpoint["secret"] is None
    assert "webhook-signature" not in post.headers, "the URL itself is the secret"
    assert post.payload["type"] == "waiver.signed"
    assert (post.payload["signer_name"], post.payload["template_name"]) == ("Gil Okafor", "River trip")
    assert [value for value in post.payload.values() if isinstance(value, (dict, list))] == []


@pytest.mark.usefixtures("worker")
async def test_only_the_company_that_owns_the_waiver_is_notified(
    functions: FunctionsClient, receiver: WebhookReceiver, database: Database, rosa: Person, mallory: Person
) -> None:
    await functions.connect(receiver.url, caller="mallory")
    await functions.connect(receiver.url + "/rosa")
    await sign_waiver(database, rosa)
    await wait_for_delivery(database, rosa, status="delivered")

    assert [post.path for post in receiver.webhooks] == ["/hook/rosa"]
    assert await read_deliveries(database, mallory) == []


@pytest.mark.usefixtures("worker")
async def test_a_failed_delivery_is_retried_with_the_same_id(
    endpoint: Endpoint, receiver: WebhookReceiver, database: Database, rosa: Person, admin: Admin
) -> None:
    receiver.responses.extend([500, 503])
    await sign_waiver(database, rosa)

    first_try = await wait_for_delivery(database, rosa, attempts=1, answer=500)
    assert first_try["status"] == "waiting"
    assert first_try["error"] == "The server answered 500."
    assert timedelta(seconds=9) < first_try["next_try_at"] - first_try["tried_at"] < timedelta(seconds=30)
    assert (await read_endpoint(database, rosa, endpoint["id"]))["failing_since"] is not None

    await make_due(admin)
    second_try = await wait_for_delivery(database, rosa, attempts=2, answer=503)
    assert timedelta(seconds=59) < second_try["next_try_at"] - second_try["tried_at"] < timedelta(seconds=90)

    await make_due(admin)
    await wait_for_delivery(database, rosa, attempts=3, status="delivered")
    posts = receiver.webhooks
    assert len({post.headers["webhook-id"] for post in posts}) == 1
    assert len({post.body for post in posts}) == 1
    assert all(post.is_signed_with(endpoint["secret"]) for post in posts)
    assert (await read_endpoint(database, rosa, endpoint["id"]))["failing_since"] is None


async def make_due(admin: Admin) -> None:
    """Ends the delay before the next attempt."""
    await admin.execute("update integrations.endpoints set next_probe_at = null")
    await admin.execute("update integrations.deliveries set next_try_at = now() where status = 'waiting'")


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize(
    ("response", "error"),
    [
        (RedirectResponse("https://127.0.0.1/elsewhere", 302), "The server answered 302. Redirects are not followed."),
        (404, "The server answered 404."),
        (None, "No answer within 2 seconds."),
        (Response("word " * 100_000), None),
    ],
    ids=["redirect", "not found", "no response", "long response"],
)
async def test_the_response_decides_whether_a_delivery_succeeded(
    functions: FunctionsClient,
    endpoint: Endpoint,
    receiver: WebhookReceiver,
    response: Response | int | None,
    error: str | None,
) -> None:
    receiver.responses.append(response)

    outcome = (await functions("try-webhook", id=endpoint["id"])).json()

    assert outcome["error"] == error
    assert outcome["status"] == ("failed" if error else "delivered")
    assert len(receiver.webhooks) == 1


@pytest.mark.usefixtures("worker")
async def test_a_test_event_has_its_own_type_and_the_fields_of_a_real_event(
    functions: FunctionsClient, endpoint: Endpoint, receiver: WebhookReceiver, database: Database, rosa: Person
) -> None:
    outcome = (await functions("try-webhook", id=endpoint["id"])).json()
    await sign_waiver(database, rosa)
    test_post, real_post = await receiver.wait_for_webhooks(2)

    assert (outcome["status"], outcome["answer"]) == ("delivered", 200)
    assert test_post.is_signed_with(endpoint["secret"])
    assert (test_post.payload["type"], real_post.payload["type"]) == ("webhook.test", "waiver.signed")
    assert test_post.payload["data"].keys() == real_post.payload["data"].keys()


@pytest.mark.usefixtures("worker")
async def test_a_delivery_fails_after_the_last_retry_and_can_be_resent_by_a_user(
    functions: FunctionsClient, receiver: WebhookReceiver, database: Database, rosa: Person, admin: Admin
) -> None:
    await functions.connect(receiver.url)
    receiver.responses.extend([500] * 9)
    await sign_waiver(database, rosa)
    for attempt in range(1, 9):
        await wait_for_delivery(database, rosa, attempts=attempt, answer=500)
        await make_due(admin)
    failed_delivery = await wait_for_delivery(database, rosa, attempts=9, status="failed")
    assert failed_delivery["next_try_at"] is None

    outcome = (await functions("resend-webhook", delivery=str(failed_delivery["id"]))).json()

    assert outcome["status"] == "delivered"
    assert len({post.headers["webhook-id"] for post in receiver.webhooks}) == 1
    second_outcome = (await functions("resend-webhook", delivery=str(failed_delivery["id"]))).json()
    assert second_outcome["status"] == "delivered", "a successful delivery can also be resent"


@pytest.mark.usefixtures("worker")
async def test_an_endpoint_that_fails_for_days_is_paused_and_the_company_is_notified(
    functions: FunctionsClient, receiver: WebhookReceiver, database: Database, rosa: Person, admin: Admin
) -> None:
    endpoint = await functions.connect(receiver.url, name="Booking system")
    await fail_first_attempt(receiver, database, rosa)
    receiver.responses.append(500)
    await admin.execute("update integrations.endpoints set failing_since = now() - interval '6 days'")
    await admin.execute("update integrations.deliveries set retries_left = 0, next_try_at = now()")
    await wait_for_delivery(database, rosa, status="failed")

    row = await read_endpoint(database, rosa, endpoint["id"])
    assert (row["paused"], row["paused_because"]) == (True, "failing")
    notification = await admin.fetchrow("select title, message from notifications where data ? 'endpoint_id'")
    assert notification is not None
    assert notification["title"] == "Webhook paused: Booking system"
    assert "The server answered 500." in notification["message"]
    await sign_waiver(database, rosa, "Ana Ortiz")
    response = await functions("try-webhook", id=endpoint["id"])
    assert (response.status_code, response.json()["code"]) == (409, "webhook_paused")
    assert len(receiver.webhooks) == 2


@pytest.mark.usefixtures("worker")
async def test_an_endpoint_that_responds_with_410_is_paused_immediately(
    endpoint: Endpoint, receiver: WebhookReceiver, database: Database, rosa: Person
) -> None:
    receiver.responses.append(410)
    await sign_waiver(database, rosa)
    await wait_for_delivery(database, rosa, status="failed")

    row = await read_endpoint(database, rosa, endpoint["id"])
    assert (row["paused"], row["paused_because"]) == (True, "gone")


@pytest.mark.usefixtures("worker")
async def test_waiting_deliveries_are_sent_when_the_endpoint_is_resumed(
    endpoint: Endpoint, receiver: WebhookReceiver, database: Database, rosa: Person, admin: Admin
) -> None:
    await fail_first_attempt(receiver, database, rosa)

    await set_paused(database, rosa, endpoint["id"], paused=True)
    [delivery] = await read_deliveries(database, rosa)
    assert (delivery["status"], delivery["next_try_at"]) == ("waiting", None)
    # The next attempt would be much later.
    await admin.execute("update integrations.deliveries set next_try_at = now() + interval '10 hours'")

    await set_paused(database, rosa, endpoint["id"], paused=False)
    await wait_for_delivery(database, rosa, status="delivered")
    assert len(receiver.webhooks) == 2


async def set_paused(database: Database, person: Person, endpoint_id: str, *, paused: bool) -> None:
    async with database.acting_as(person.principal) as connection:
        await connection.execute("update webhook_endpoints set paused = $2 where id = $1", UUID(endpoint_id), paused)


async def test_the_job_adds_each_delivery_once_and_skips_paused_endpoints(
    functions: FunctionsClient, receiver: WebhookReceiver, database: Database, rosa: Person
) -> None:
    await functions.connect(receiver.url)
    paused_endpoint = await functions.connect(receiver.url_of("/paused"))
    await set_paused(database, rosa, paused_endpoint["id"], paused=True)
    waiver_id = await sign_waiver(database, rosa)
    [add_deliveries] = jobs(database)

    await add_deliveries.run({"waiver_id": str(waiver_id)}, False)
    await add_deliveries.run({"waiver_id": str(waiver_id)}, False)

    assert len(await read_deliveries(database, rosa)) == 1


@pytest.mark.usefixtures("worker")
async def test_both_secrets_are_valid_for_some_time_after_renewal(
    functions: FunctionsClient, endpoint: Endpoint, receiver: WebhookReceiver, admin: Admin
) -> None:
    new_secret = (await functions("renew-webhook-secret", id=endpoint["id"])).json()["secret"]

    await functions("try-webhook", id=endpoint["id"])
    # The previous secret is valid until `previous_until`.
    await admin.execute("update integrations.endpoints set previous_until = now() - interval '1 second'")
    await functions("try-webhook", id=endpoint["id"])

    first_post, second_post = receiver.webhooks
    assert first_post.is_signed_with(endpoint["secret"])
    assert first_post.is_signed_with(new_secret)
    assert second_post.is_signed_with(new_secret)
    assert not second_post.is_signed_with(endpoint["secret"])


@pytest.mark.usefixtures("worker")
async def test_a_slow_endpoint_does_not_delay_the_others(
    functions: FunctionsClient, receiver: WebhookReceiver, webhook_sender: WebhookSender
) -> None:
    slow_endpoint = await functions.connect(receiver.url_of("/slow"), caller="mallory")
    fast_endpoint = await functions.connect(receiver.url_of("/fast"))
    # At most two deliveries of a company run at the same time, so the other ten wait.
    receiver.responses.extend([None] * 2)
    slow_calls = [
        asyncio.create_task(functions("try-webhook", caller="mallory", id=slow_endpoint["id"])) for _ in range(12)
    ]
    await receiver.wait_for_webhooks(2)

    async with asyncio.timeout(webhook_sender.settings.timeout_seconds * 0.9):
        outcome = (await functions("try-webhook", id=fast_endpoint["id"])).json()

    assert outcome["status"] == "delivered"
    assert [post.path for post in receiver.webhooks] == ["/slow", "/slow", "/fast"]
    for task in slow_calls:
        task.cancel()
    await asyncio.gather(*slow_calls, return_exceptions=True)


async def test_a_delivery_claimed_by_a_crashed_worker_is_claimed_again_after_a_minute(
    endpoint: Endpoint, database: Database, webhook_sender: WebhookSender, rosa: Person
) -> None:
    delivery_id = await send_test(webhook_sender, rosa.company, UUID(endpoint["id"]))
    claimed_at = now()

    async with database.acting_as(SERVICE) as connection:
        first_claim = await claim_delivery(connection, claimed_at, quick=False)
        second_claim = await claim_delivery(connection, claimed_at, quick=False)
        later_claim = await claim_delivery(connection, claimed_at + timedelta(seconds=61), quick=False)

    assert first_claim is not None
    assert second_claim is None
    assert later_claim is not None
    assert (first_claim.id, later_claim.event_id, later_claim.attempts) == (delivery_id, first_claim.event_id, 2)


async def test_deliveries_are_deleted_after_a_month(
    endpoint: Endpoint, database: Database, webhook_sender: WebhookSender, rosa: Person, admin: Admin
) -> None:
    for _ in range(2):
        await send_test(webhook_sender, rosa.company, UUID(endpoint["id"]))
    [old_delivery, new_delivery] = await read_deliveries(database, rosa)
    await admin.execute(
        "update integrations.deliveries set created_at = now() - interval '31 days' where id = $1", old_delivery["id"]
    )

    await sweep(database, webhook_sender.settings)

    assert [row["id"] for row in await read_deliveries(database, rosa)] == [new_delivery["id"]]


@pytest.mark.usefixtures("worker")
async def test_the_log_contains_no_secrets_urls_or_email_addresses(
    functions: FunctionsClient,
    receiver: WebhookReceiver,
    database: Database,
    rosa: Person,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG, logger="cairn")
    endpoint = await functions.connect(receiver.url)
    await fail_first_attempt(receiver, database, rosa)

    assert "delivery" in caplog.text
    for private_text in (endpoint["secret"], receiver.host, "gil@example.com"):
        assert private_text not in caplog.text
