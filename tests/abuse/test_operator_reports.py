"""The mail provider of the operator reports bounces and complaints, which stop further emails from the same sender."""

from datetime import timedelta
from pathlib import Path

import asyncpg
import httpx
import pytest
import pytest_asyncio

from cairn.db import Connection, Database
from cairn.kit import now
from cairn.messaging import ReportSettings
from tests.abuse.mail_reports import (
    GIL,
    MALLORYS_KEY,
    REPORT_SETTINGS,
    allow_again,
    email_history,
    message_id_of,
    open_reports,
    send_resend_report,
    suppressed_addresses,
)
from tests.factories import make_session, record_sending
from tests.functions.test_send_email import send
from tests.mail_server import MailServer
from tests.messaging import signed_reports
from tests.people import Person
from tests.whole_app import whole_app


@pytest_asyncio.fixture
async def bounce(client: httpx.AsyncClient, admin: Connection) -> bytes:
    """Sends an email from Rosa to Gil, and returns Resend's report that it bounced. The worker must be running."""
    return signed_reports.resend_event("email.bounced", GIL, await message_id_of(admin, await send(client, "rosa")))


@pytest.mark.usefixtures("worker")
@pytest.mark.accept("SAFE-10")
async def test_a_complaint_to_the_operators_resend_stops_the_emails_of_its_sender_for_good(
    client: httpx.AsyncClient, database: Database, mail_server: MailServer, reports: httpx.AsyncClient, rosa: Person
) -> None:
    """Resend does not know our id of an email that it received over SMTP, so its recipient and subject identify it."""
    await send(client, "rosa")
    await send(client, "mallory", subject="Something else")
    body = signed_reports.resend_event(
        "email.complained", GIL, "an id of Resend", subject="Please sign: River trip Waiver"
    )

    response = await send_resend_report(reports, body)

    assert (response.status_code, response.json()) == (200, {"recorded": 1})
    assert await suppressed_addresses(database, rosa) == [(GIL, "complaint")]
    assert (await send(client, "rosa")).json()["error"].startswith("Not sent, because the owner of this address")
    assert (await send(client, "mallory")).status_code == 200, "the complaint was not about Mallory's email"
    with pytest.raises(asyncpg.PostgresError, match="reported one of your emails as spam"):
        await allow_again(database, rosa, GIL)
    assert len(mail_server.emails) == 3
    assert (await email_history(database, rosa))[0] == (
        "delivered",
        "The recipient reported this email as spam, so this address gets no more emails from you.",
    )


@pytest.mark.usefixtures("worker")
async def test_a_bounce_at_the_operators_sendgrid_is_found_by_its_message_id(
    client: httpx.AsyncClient, database: Database, admin: Connection, reports: httpx.AsyncClient, rosa: Person
) -> None:
    sent = await send(client, "rosa", sessionId=str(await make_session(database, rosa)))
    event = {"event": "bounce", "email": GIL, "reason": "550 5.1.1 gone", "smtp-id": await message_id_of(admin, sent)}
    body = signed_reports.sendgrid_events({"event": "delivered", "email": GIL}, event)

    response = await reports.post("/sendgrid", content=body, headers=signed_reports.sign_sendgrid(body))

    assert response.json() == {"recorded": 1}
    assert await suppressed_addresses(database, rosa) == [(GIL, "bounce")]
    assert await email_history(database, rosa) == [("failed", "The email came back: 550 5.1.1 gone")]


@pytest.mark.usefixtures("worker")
async def test_a_late_bounce_does_not_change_the_outcome_of_sending_again_to_the_right_address(
    client: httpx.AsyncClient, database: Database, admin: Connection, reports: httpx.AsyncClient, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)
    await record_sending(database, rosa, session_id)
    first = await send(client, "rosa", sessionId=str(session_id))
    bounce = signed_reports.resend_event("email.bounced", GIL, await message_id_of(admin, first))
    status = "select email_status from sent_waivers"
    await send(client, "rosa", sessionId=str(session_id), to="gil@right.example")

    await send_resend_report(reports, bounce)
    assert await admin.fetchval(status) == "delivered"

    second_id = await admin.fetchval("select message_id from emails where recipient = 'gil@right.example'")
    await send_resend_report(reports, signed_reports.resend_event("email.bounced", "gil@right.example", second_id))
    assert await admin.fetchval(status) == "failed"


@pytest.mark.usefixtures("worker")
async def test_a_soft_bounce_changes_nothing(
    client: httpx.AsyncClient, database: Database, admin: Connection, reports: httpx.AsyncClient, rosa: Person
) -> None:
    message_id = await message_id_of(admin, await send(client, "rosa"))
    body = signed_reports.resend_event(
        "email.bounced", GIL, message_id, bounce={"type": "Transient", "message": "mailbox full"}
    )

    assert (await send_resend_report(reports, body)).json() == {"recorded": 0}
    assert await email_history(database, rosa) == [("delivered", None)]
    assert await suppressed_addresses(database, rosa) == []


@pytest.mark.usefixtures("worker")
async def test_a_replayed_bounce_does_not_suppress_an_address_that_was_allowed_again(
    database: Database, reports: httpx.AsyncClient, rosa: Person, bounce: bytes
) -> None:
    headers = signed_reports.sign_resend(bounce)
    await reports.post("/resend", content=bounce, headers=headers)
    await allow_again(database, rosa, GIL)

    replay = await reports.post("/resend", content=bounce, headers=headers)

    assert (replay.status_code, replay.json()) == (200, {"recorded": 0})
    assert await suppressed_addresses(database, rosa) == []


@pytest.mark.usefixtures("worker")
async def test_a_refused_report_stores_nothing_and_says_why(
    database: Database, admin: Connection, reports: httpx.AsyncClient, rosa: Person, bounce: bytes
) -> None:
    large_body = b'{"type": "' + b"x" * 1_000_000 + b'"}'
    responses = [
        await reports.post("/resend", content=bounce),
        await send_resend_report(reports, bounce, key=MALLORYS_KEY),
        await send_resend_report(reports, bounce, at=now() - timedelta(minutes=6)),
        await send_resend_report(reports, b"{"),
        await send_resend_report(reports, large_body),
        await send_resend_report(reports, bounce, path="/postmark"),
        await send_resend_report(reports, bounce, path=f"/resend/{rosa.company}"),
        await send_resend_report(reports, bounce, path="/sendgrid"),
        await reports.get("/resend"),
    ]

    assert [(response.status_code, _code(response)) for response in responses] == [
        (401, "report_unsigned"),
        (401, "report_unsigned"),
        (401, "report_too_old"),
        (400, "report_malformed"),
        (413, "too_large"),
        (404, "report_provider_unknown"),
        (401, "report_unsigned"),
        (401, "report_unsigned"),
        (405, None),
    ]
    assert await email_history(database, rosa) == [("delivered", None)]
    assert await admin.fetchval("select count(*) from messaging.suppressions") == 0


def _code(response: httpx.Response) -> str | None:
    is_json = response.headers["content-type"] == "application/json"
    return response.json()["code"] if is_json else None


async def test_without_a_key_every_report_is_refused(database: Database) -> None:
    body = signed_reports.resend_event("email.bounced", GIL, "re-1")
    async with open_reports(database, ReportSettings()) as reports:
        assert (await send_resend_report(reports, body)).status_code == 401


async def test_the_reports_of_one_network_are_limited(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cairn.messaging.suppression.routes._REQUESTS_PER_NETWORK", 3)
    async with open_reports(database, REPORT_SETTINGS) as reports:
        responses = [await send_resend_report(reports, b"{}") for _ in range(5)]

    assert [response.status_code for response in responses] == [200, 200, 200, 429, 429]
    assert 0 < int(responses[-1].headers["retry-after"]) <= 600


async def test_the_server_accepts_reports_without_a_project_key(
    login_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mail providers do not send one."""
    body = signed_reports.resend_event("email.bounced", GIL, "an email of another server")
    monkeypatch.setenv("CAIRN_MESSAGING__REPORTS__RESEND_KEY", signed_reports.RESEND_REPORT_KEY)
    async with whole_app(login_url, tmp_path / "data") as whole, whole.client() as visitor:
        response = await visitor.post("/mail-reports/resend", content=body, headers=signed_reports.sign_resend(body))

    assert (response.status_code, response.json()) == (200, {"recorded": 0})
