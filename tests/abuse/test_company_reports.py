"""The mail provider of a company reports bounces and complaints, which stop only the emails of this company."""

import httpx
import pytest

from cairn.db import Connection, Database
from tests.abuse.mail_reports import (
    GIL,
    MALLORYS_KEY,
    email_history,
    message_id_of,
    send_resend_report,
    suppressed_addresses,
    use_provider,
)
from tests.factories import make_session
from tests.functions.test_send_email import send
from tests.messaging import signed_reports
from tests.messaging.mail_providers import RESEND_KEY, SENDGRID_KEY, FakeProviders
from tests.people import Person


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("provider", ["resend", "sendgrid"])
async def test_a_bounce_at_the_provider_of_a_company_stops_its_emails(
    client: httpx.AsyncClient,
    database: Database,
    admin: Connection,
    reports: httpx.AsyncClient,
    providers: FakeProviders,
    rosa: Person,
    provider: str,
) -> None:
    keys = {
        "resend": {"apiKey": RESEND_KEY, "reportKey": signed_reports.RESEND_REPORT_KEY},
        "sendgrid": {"apiKey": SENDGRID_KEY, "reportKey": signed_reports.SENDGRID_REPORT_KEY},
    }
    await use_provider(client, "rosa", provider=provider, **keys[provider])
    message_id = await message_id_of(admin, await send(client, "rosa"))
    if provider == "resend":
        body = signed_reports.resend_event("email.bounced", GIL, message_id)
        headers = signed_reports.sign_resend(body)
    else:
        body = signed_reports.sendgrid_events(
            {"event": "bounce", "email": GIL, "sg_message_id": f"{message_id}.filter0001.1.2.0"}
        )
        headers = signed_reports.sign_sendgrid(body)

    response = await reports.post(f"/{provider}/{rosa.company}", content=body, headers=headers)

    assert response.json() == {"recorded": 1}
    assert await suppressed_addresses(database, rosa) == [(GIL, "bounce")]
    assert (await send(client, "rosa")).status_code == 502
    assert len(providers.accepted_emails) == 1


@pytest.mark.usefixtures("worker")
@pytest.mark.accept("SAFE-10")
@pytest.mark.parametrize("has_own_provider", [False, True])
async def test_a_rival_cannot_suppress_an_address_for_another_company(
    client: httpx.AsyncClient, database: Database, admin: Connection, reports: httpx.AsyncClient, rosa: Person,
    mallory: Person, has_own_provider: bool,
) -> None:  # fmt: skip
    """Mallory has a valid key of her own and knows the id of Rosa's email."""
    if has_own_provider:
        await use_provider(client, "rosa", provider="resend", apiKey=RESEND_KEY)
    await use_provider(client, "mallory", provider="resend", apiKey=RESEND_KEY, reportKey=MALLORYS_KEY)
    rosas_email = await message_id_of(admin, await send(client, "rosa"))
    mallorys_email = await message_id_of(admin, await send(client, "mallory"))
    subject = "Please sign: River trip Waiver"
    for message_id in (rosas_email, mallorys_email, "unknown"):
        body = signed_reports.resend_event("email.complained", GIL, message_id, subject=subject)
        for path in ("/resend", f"/resend/{rosa.company}"):
            assert (await send_resend_report(reports, body, path=path, key=MALLORYS_KEY)).status_code == 401
        response = await send_resend_report(reports, body, path=f"/resend/{mallory.company}", key=MALLORYS_KEY)
        assert response.json() == {"recorded": int(message_id == mallorys_email)}

    assert await suppressed_addresses(database, mallory) == [(GIL, "complaint")]
    assert await suppressed_addresses(database, rosa) == []
    assert (await send(client, "rosa")).status_code == 200


@pytest.mark.usefixtures("worker")
async def test_a_report_of_the_operators_provider_does_not_concern_emails_of_a_companys_own_provider(
    client: httpx.AsyncClient, database: Database, admin: Connection, reports: httpx.AsyncClient, mallory: Person
) -> None:
    """The provider of a company chooses the ids of its emails, so these could be ids of the operator's emails."""
    await use_provider(client, "mallory", provider="resend", apiKey=RESEND_KEY)
    sent = await send(client, "mallory")
    body = signed_reports.resend_event("email.bounced", GIL, await message_id_of(admin, sent))

    assert (await send_resend_report(reports, body)).json() == {"recorded": 0}
    assert await suppressed_addresses(database, mallory) == []


@pytest.mark.usefixtures("worker")
async def test_a_forged_bounce_of_an_own_email_does_not_lower_the_count_of_sent_waivers(
    client: httpx.AsyncClient, database: Database, admin: Connection, reports: httpx.AsyncClient, mallory: Person
) -> None:
    """Otherwise a company could report all its emails as bounces and send any number of waivers."""
    await use_provider(client, "mallory", provider="resend", apiKey=RESEND_KEY, reportKey=MALLORYS_KEY)
    sent = await send(client, "mallory", sessionId=str(await make_session(database, mallory)))
    body = signed_reports.resend_event("email.bounced", GIL, await message_id_of(admin, sent))

    await send_resend_report(reports, body, path=f"/resend/{mallory.company}", key=MALLORYS_KEY)

    assert (await email_history(database, mallory))[0][0] == "failed"
    async with database.acting_as(mallory.principal) as connection:
        assert await connection.fetchval("select sent from waiver_allowance()") == 1


async def test_the_report_key_of_a_company_is_encrypted_and_never_returned(
    client: httpx.AsyncClient, admin: Connection, rosa: Person
) -> None:
    await use_provider(client, "rosa", provider="resend", apiKey=RESEND_KEY, reportKey=signed_reports.RESEND_REPORT_KEY)
    headers = {"Authorization": "Bearer rosa"}
    configuration = await client.post("/email-configuration", json={}, headers=headers)
    stored = await admin.fetchval("select to_jsonb(c)::text from messaging.configurations c")

    assert configuration.json()["hasReportKey"] is True
    assert configuration.json()["reportPaths"]["resend"] == f"/mail-reports/resend/{rosa.company}"
    assert signed_reports.RESEND_REPORT_KEY not in configuration.text + stored
    await use_provider(client, "rosa", provider="resend", apiKey="another")
    assert await admin.fetchval("select has_report_key from messaging.configurations"), "an empty key keeps the old one"
    await use_provider(client, "rosa", provider="sendgrid", apiKey=SENDGRID_KEY)
    assert not await admin.fetchval("select has_report_key from messaging.configurations"), "it was the key of Resend"


@pytest.mark.parametrize(("provider", "key"), [("resend", "whsec_?"), ("sendgrid", "AAAA"), ("sendgrid", MALLORYS_KEY)])
async def test_a_text_that_is_no_report_key_is_refused(client: httpx.AsyncClient, provider: str, key: str) -> None:
    parameters = {"provider": provider, "apiKey": "some-key", "reportKey": key}
    headers = {"Authorization": "Bearer rosa"}

    response = await client.post("/save-email-configuration", json=parameters, headers=headers)

    assert (response.status_code, response.json()["field"]) == (400, "reportKey")
    assert response.json()["reason"].startswith("This is not a")
