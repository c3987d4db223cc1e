"""A signature, as the company's own server hears of it."""

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from starlette.responses import RedirectResponse, Response

from cairn.db import SERVICE, Database
from cairn.integrations import WebhookSender, jobs, send_test, sweep
from cairn.integrations.delivery_store import claim_delivery
from cairn.kit import now
from tests.cast import Person
from tests.integrations.conftest import SITE, Admin, Office, deliveries, endpoint, until
from tests.integrations.receiver import Receiver
from tests.make import make_session, make_template, sign


async def a_signature(database: Database, owner: Person, name: str = "Gil Okafor") -> UUID:
    session = await make_session(database, owner, await make_template(database, owner))
    waiver: UUID = (await sign(database, session, name=name))["id"]
    return waiver


@pytest.mark.usefixtures("worker")
async def test_each_newly_signed_waiver_is_posted_once_signed_and_without_its_picture(
    office: Office, receiver: Receiver, database: Database, rosa: Person, admin: Admin
) -> None:
    secret = (await office.connect(receiver.url, name="Booking system"))["secret"]
    waiver_id = await a_signature(database, rosa)
    [post] = await receiver.wait_for(1)
    done = await until(database, rosa, status="delivered")

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
    assert (done["attempts"], done["answer"], done["error"], done["next_try_at"]) == (1, 200, None, None)


@pytest.mark.usefixtures("worker")
async def test_zapier_is_told_the_same_in_flat_fields(
    office: Office, receiver: Receiver, database: Database, rosa: Person
) -> None:
    made = await office.connect(receiver.at("/hooks/catch/123/abc/"), kind="zapier")
    await a_signature(database, rosa)

    [post] = await receiver.wait_for(1)

    assert made["secret"] is None
    assert "webhook-signature" not in post.headers, "its address is the secret"
    assert post.payload["type"] == "waiver.signed"
    assert (post.payload["signer_name"], post.payload["template_name"]) == ("Gil Okafor", "River trip")
    assert [value for value in post.payload.values() if isinstance(value, (dict, list))] == []


@pytest.mark.usefixtures("worker")
async def test_only_the_company_whose_waiver_it_is_hears_of_it(
    office: Office, receiver: Receiver, database: Database, rosa: Person, mallory: Person
) -> None:
    await office.connect(receiver.url, who="mallory")
    await office.connect(receiver.url + "/rosa")
    await a_signature(database, rosa)
    await until(database, rosa, status="delivered")

    assert [post.path for post in receiver.received] == ["/hook/rosa"]
    assert await deliveries(database, mallory) == []


@pytest.mark.usefixtures("worker")
async def test_what_fails_is_tried_again_later_under_the_same_id(
    office: Office, receiver: Receiver, database: Database, rosa: Person, admin: Admin
) -> None:
    receiver.answers.extend([500, 503])
    made = await office.connect(receiver.url)
    await a_signature(database, rosa)

    failed = await until(database, rosa, attempts=1, answer=500)
    assert failed["status"] == "waiting"
    assert failed["error"] == "The server answered 500."
    assert timedelta(seconds=9) < failed["next_try_at"] - failed["tried_at"] < timedelta(seconds=30)
    assert (await endpoint(database, rosa, made["id"]))["failing_since"] is not None

    await come_round(admin)
    later = await until(database, rosa, attempts=2, answer=503)
    assert timedelta(seconds=59) < later["next_try_at"] - later["tried_at"] < timedelta(seconds=90)

    await come_round(admin)
    await until(database, rosa, attempts=3, status="delivered")
    posts = receiver.received
    assert len({post.headers["webhook-id"] for post in posts}) == 1
    assert len({post.body for post in posts}) == 1
    assert all(post.is_signed_with(made["secret"]) for post in posts)
    assert (await endpoint(database, rosa, made["id"]))["failing_since"] is None


async def come_round(admin: Admin) -> None:
    """As if the pause were over."""
    await admin.execute("update integrations.deliveries set next_try_at = now() where status = 'waiting'")


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (RedirectResponse("https://127.0.0.1/elsewhere", 302), "The server answered 302. Redirects are not followed."),
        (404, "The server answered 404."),
        (None, "No answer within 2 seconds."),
        (Response("word " * 100_000), None),
    ],
    ids=["redirect", "not found", "silence", "a film"],
)
async def test_an_answer_is_taken_for_what_it_is(
    office: Office, receiver: Receiver, answer: Response | int | None, says: str | None
) -> None:
    made = await office.connect(receiver.url)
    receiver.answers.append(answer)

    outcome = (await office("try-webhook", id=made["id"])).json()

    assert outcome["error"] == says
    assert outcome["status"] == ("failed" if says else "delivered")
    assert len(receiver.received) == 1


@pytest.mark.usefixtures("worker")
async def test_a_test_has_the_fields_of_a_real_event_and_says_it_is_a_test(
    office: Office, receiver: Receiver, database: Database, rosa: Person
) -> None:
    made = await office.connect(receiver.url)

    outcome = (await office("try-webhook", id=made["id"])).json()
    await a_signature(database, rosa)
    test, real = await receiver.wait_for(2)

    assert (outcome["status"], outcome["answer"]) == ("delivered", 200)
    assert test.is_signed_with(made["secret"])
    assert (test.payload["type"], real.payload["type"]) == ("webhook.test", "waiver.signed")
    assert test.payload["data"].keys() == real.payload["data"].keys()


@pytest.mark.usefixtures("worker")
async def test_after_a_day_it_is_given_up_and_can_still_be_sent_again_by_hand(
    office: Office, receiver: Receiver, database: Database, rosa: Person, admin: Admin
) -> None:
    await office.connect(receiver.url)
    receiver.answers.extend([500] * 9)
    await a_signature(database, rosa)
    for attempt in range(1, 9):
        await until(database, rosa, attempts=attempt, answer=500)
        await come_round(admin)
    given_up = await until(database, rosa, attempts=9, status="failed")
    assert given_up["next_try_at"] is None

    outcome = (await office("resend-webhook", delivery=str(given_up["id"]))).json()

    assert outcome["status"] == "delivered"
    assert len({post.headers["webhook-id"] for post in receiver.received}) == 1
    again = (await office("resend-webhook", delivery=str(given_up["id"]))).json()
    assert again["status"] == "delivered", "what arrived may be wanted once more"


@pytest.mark.usefixtures("worker")
async def test_days_of_nothing_but_failure_pause_it_and_the_company_is_told(
    office: Office, receiver: Receiver, database: Database, rosa: Person, admin: Admin
) -> None:
    made = await office.connect(receiver.url, name="Booking system")
    receiver.answers.extend([500, 500])
    await a_signature(database, rosa)
    await until(database, rosa, attempts=1, answer=500)
    await admin.execute("update integrations.endpoints set failing_since = now() - interval '6 days'")
    await admin.execute("update integrations.deliveries set retries_left = 0, next_try_at = now()")
    await until(database, rosa, status="failed")

    kept = await endpoint(database, rosa, made["id"])
    assert (kept["paused"], kept["paused_because"]) == (True, "failing")
    told = await admin.fetchrow("select title, message from notifications where data ? 'endpoint_id'")
    assert told is not None
    assert told["title"] == "Webhooks paused: Booking system"
    assert "The server answered 500." in told["message"]
    await a_signature(database, rosa, "Ana Ortiz")
    refused = await office("try-webhook", id=made["id"])
    assert (refused.status_code, refused.json()["code"]) == (409, "webhook_paused")
    assert len(receiver.received) == 2


@pytest.mark.usefixtures("worker")
async def test_who_answers_gone_is_left_alone_at_once(
    office: Office, receiver: Receiver, database: Database, rosa: Person
) -> None:
    made = await office.connect(receiver.url)
    receiver.answers.append(410)
    await a_signature(database, rosa)
    await until(database, rosa, status="failed")

    kept = await endpoint(database, rosa, made["id"])
    assert (kept["paused"], kept["paused_because"]) == (True, "gone")


@pytest.mark.usefixtures("worker")
async def test_what_waits_for_a_paused_endpoint_goes_out_when_it_is_resumed(
    office: Office, receiver: Receiver, database: Database, rosa: Person
) -> None:
    made = await office.connect(receiver.url)
    receiver.answers.append(500)
    await a_signature(database, rosa)
    await until(database, rosa, attempts=1, answer=500)

    await pause(database, rosa, made["id"], paused=True)
    [waiting] = await deliveries(database, rosa)
    assert (waiting["status"], waiting["next_try_at"]) == ("waiting", None)

    await pause(database, rosa, made["id"], paused=False)
    await until(database, rosa, status="delivered")
    assert len(receiver.received) == 2


async def pause(database: Database, person: Person, endpoint_id: str, *, paused: bool) -> None:
    async with database.acting_as(person.principal) as connection:
        await connection.execute("update webhook_endpoints set paused = $2 where id = $1", UUID(endpoint_id), paused)


async def test_a_job_that_runs_twice_announces_once_and_not_to_who_is_paused(
    office: Office, receiver: Receiver, database: Database, rosa: Person
) -> None:
    await office.connect(receiver.url)
    resting = await office.connect(receiver.at("/resting"))
    await pause(database, rosa, resting["id"], paused=True)
    waiver_id = await a_signature(database, rosa)
    [announce] = jobs(database)

    await announce.run({"waiver_id": str(waiver_id)}, False)
    await announce.run({"waiver_id": str(waiver_id)}, False)

    assert len(await deliveries(database, rosa)) == 1


@pytest.mark.usefixtures("worker")
async def test_after_renewing_both_secrets_are_good_for_a_day(office: Office, receiver: Receiver, admin: Admin) -> None:
    old = await office.connect(receiver.url)
    new = (await office("renew-webhook-secret", id=old["id"])).json()["secret"]

    await office("try-webhook", id=old["id"])
    await admin.execute("update integrations.endpoints set previous_until = now() - interval '1 second'")
    await office("try-webhook", id=old["id"])

    first, second = receiver.received
    assert first.is_signed_with(old["secret"])
    assert first.is_signed_with(new)
    assert second.is_signed_with(new)
    assert not second.is_signed_with(old["secret"])


@pytest.mark.usefixtures("worker")
async def test_a_slow_endpoint_does_not_keep_the_others_waiting(
    office: Office, receiver: Receiver, webhook_sender: WebhookSender
) -> None:
    slow = await office.connect(receiver.at("/slow"), who="mallory")
    quick = await office.connect(receiver.at("/quick"))
    receiver.answers.extend([None] * 2)
    waiting = [asyncio.create_task(office("try-webhook", who="mallory", id=slow["id"])) for _ in range(12)]
    await receiver.wait_for(2)

    async with asyncio.timeout(webhook_sender.settings.timeout_seconds * 0.9):
        outcome = (await office("try-webhook", id=quick["id"])).json()

    assert outcome["status"] == "delivered"
    assert [post.path for post in receiver.received] == ["/slow", "/slow", "/quick"]
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


async def test_what_a_worker_took_along_when_it_died_is_taken_again_a_minute_later(
    office: Office, receiver: Receiver, database: Database, webhook_sender: WebhookSender, rosa: Person
) -> None:
    made = await office.connect(receiver.url)
    asked = await send_test(webhook_sender, rosa.company, UUID(made["id"]))
    moment = now()

    async with database.acting_as(SERVICE) as connection:
        taken = await claim_delivery(connection, moment, [])
        by_another = await claim_delivery(connection, moment, [])
        later = await claim_delivery(connection, moment + timedelta(seconds=61), [])

    assert taken is not None
    assert by_another is None
    assert later is not None
    assert (taken.id, later.event_id, later.attempts) == (asked, taken.event_id, 2)


async def test_deliveries_are_forgotten_after_a_month(
    office: Office, receiver: Receiver, database: Database, webhook_sender: WebhookSender, rosa: Person, admin: Admin
) -> None:
    made = await office.connect(receiver.url)
    for _ in range(2):
        await send_test(webhook_sender, rosa.company, UUID(made["id"]))
    [old, young] = await deliveries(database, rosa)
    await admin.execute(
        "update integrations.deliveries set created_at = now() - interval '31 days' where id = $1", old["id"]
    )

    await sweep(database)

    assert [row["id"] for row in await deliveries(database, rosa)] == [young["id"]]


@pytest.mark.usefixtures("worker")
async def test_neither_secrets_nor_addresses_nor_people_are_in_the_log(
    office: Office, receiver: Receiver, database: Database, rosa: Person, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="cairn")
    made = await office.connect(receiver.url)
    receiver.answers.append(500)
    await a_signature(database, rosa)
    await until(database, rosa, attempts=1, answer=500)

    assert "delivery" in caplog.text
    for secret in (made["secret"], receiver.host, "gil@example.com"):
        assert secret not in caplog.text
