"""Data that is no longer needed is deleted automatically, after the times that docs/operations.md lists."""

import asyncio
import json
from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from cairn import auth, billing, inquiries, integrations, messaging, waivers
from cairn.auth import AuthSettings, new_signing_key
from cairn.billing import BillingSettings
from cairn.db import SERVICE, Connection, Database, run_in_batches
from cairn.inquiries import InquirySettings
from cairn.integrations import IntegrationSettings
from cairn.kit import now
from cairn.messaging import Email, MessagingSettings, add_email, add_notification
from cairn.waivers import WaiverSettings
from tests.db.schema_dump import dump_everything
from tests.factories import SAMPLE_TEMPLATE_ID, make_session, record_sending, sign
from tests.people import Person
from tests.waivers.acts import cancel, correct_recipient, expire, history

NAME, EMAIL, IP = "Zebulon Quist", "zebulon@example.org", "203.0.113.99"


def email_to(recipient: str) -> Email:
    return Email(id=uuid4(), recipient=recipient, subject="About your trip", body="See you at the river.")


async def send(database: Database, person: Person, session_id: UUID | None, *, about: UUID | None = None) -> UUID:
    email = email_to(EMAIL)
    async with database.acting_as(SERVICE) as connection:
        await add_email(connection, email, company_id=person.company_id, session_id=session_id, about=about)
    return email.id


async def make_older(admin: Connection, table: str, days: int, column: str = "created_at") -> None:
    await admin.execute(f"update {table} set {column} = {column} - $1 * interval '1 day'", days)


async def ids_in(admin: Connection, table: str) -> set[UUID]:
    return {row["id"] for row in await admin.fetch(f"select id from {table}")}


@pytest.mark.accept("TRUE-30")
async def test_emails_about_no_waiver_are_deleted_after_two_years(
    database: Database, admin: Connection, rosa: Person
) -> None:
    old = await send(database, rosa, None)
    await make_older(admin, "emails", 2)
    new = await send(database, rosa, None)
    await make_older(admin, "emails", 729)

    await messaging.sweep(database, MessagingSettings())

    assert await ids_in(admin, "emails") == {new}, old


@pytest.mark.accept("TRUE-31")
async def test_emails_about_a_signed_waiver_stay_as_long_as_the_waiver(
    database: Database, admin: Connection, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)
    waiver = await sign(database, session_id)
    sent = {await send(database, rosa, session_id), await send(database, rosa, None, about=waiver["id"])}
    await make_older(admin, "emails", 5000)
    await make_older(admin, "waivers.sessions", 5000)
    await expire(admin, session_id)
    await make_older(admin, "waivers.sessions", 5000, "expires_at")

    await messaging.sweep(database, MessagingSettings())
    await waivers.sweep(database, WaiverSettings())

    rows = await admin.fetch("select id from emails where recipient = $1", EMAIL)
    assert {row["id"] for row in rows} == sent


@pytest.mark.accept("TRUE-30")
async def test_emails_and_codes_for_signing_in_are_deleted_after_a_month(database: Database, admin: Connection) -> None:
    async with database.acting_as(SERVICE) as connection:
        for _ in range(2):
            await add_email(connection, email_to(EMAIL), company_id=None, secret=True)
            await connection.execute("insert into text_messages (recipient, body) values ('15005550006', '123456')")
    for table in ("emails", "text_messages"):
        await admin.execute(
            f"update {table} set created_at = now() - interval '31 days' where id = (select id from {table} limit 1)"
        )

    await messaging.sweep(database, MessagingSettings())

    assert len(await ids_in(admin, "emails")) == 1
    assert len(await ids_in(admin, "text_messages")) == 1


@pytest.mark.accept("TRUE-30")
async def test_notifications_are_deleted_after_a_year(database: Database, admin: Connection, rosa: Person) -> None:
    async with database.acting_as(SERVICE) as connection:
        for title in ("old", "new"):
            await add_notification(
                connection, company_id=rosa.company, about=uuid4(), title=title, message="Signed", data={}
            )
    await admin.execute("update notifications set created_at = now() - interval '366 days' where title = 'old'")

    await messaging.sweep(database, MessagingSettings())

    assert [row["title"] for row in await admin.fetch("select title from notifications")] == ["new"]


@pytest.mark.accept("TRUE-31")
@pytest.mark.parametrize("end", ["expired", "cancelled"])
async def test_a_waiver_that_was_never_signed_is_erased_two_years_after_its_end(
    database: Database, admin: Connection, admin_url: str, rosa: Person, end: str
) -> None:
    session_id = await make_session(database, rosa, name=NAME, email=EMAIL, ip=IP)
    await record_sending(database, rosa, session_id)
    await send(database, rosa, session_id)
    if end == "cancelled":
        await cancel(database, rosa, session_id, f"{NAME} does not come")
    else:
        await expire(admin, session_id)
    await admin.execute("delete from jobs.events")
    await make_older(admin, "waivers.sessions", 700)
    await make_older(admin, "waivers.sessions", 700, "cancelled_at" if end == "cancelled" else "expires_at")
    await waivers.sweep(database, WaiverSettings())
    assert EMAIL in await asyncio.to_thread(dump_everything, admin_url), "it is kept for two years"
    await make_older(admin, "waivers.sessions", 60)
    await make_older(admin, "waivers.sessions", 60, "cancelled_at" if end == "cancelled" else "expires_at")

    assert await waivers.sweep(database, WaiverSettings()) == 1
    assert await waivers.sweep(database, WaiverSettings()) == 0, "only once"
    assert await admin.fetchval("select erased_at is not null from waivers.sessions"), "the next sweep skips it"

    await admin.execute("delete from jobs.events")
    dump = await asyncio.to_thread(dump_everything, admin_url)
    assert [line for line in dump.splitlines() if NAME in line or EMAIL in line or IP in line] == []
    assert await admin.fetch("select * from waivers.broken_evidence()") == []
    name, details = (await history(database, rosa, session_id))[-1]
    assert (name, details["cause"], details["reason"]) == ("session.erased", "retention", "Not signed within 730 days")


async def append_event(admin: Connection, session_id: UUID, name: str, details: dict[str, object]) -> None:
    await admin.execute(
        "select waivers.append_audit(s, $2, $3) from waivers.sessions s where s.id = $1",
        session_id, name, json.dumps(details),
    )  # fmt: skip


@pytest.mark.accept("TRUE-31")
async def test_a_view_of_the_link_after_the_erasure_is_erased_too_and_a_signed_session_cannot_pass_as_unsigned(
    database: Database, admin: Connection, rosa: Person
) -> None:
    session_id = await make_session(database, rosa, name=NAME, email=EMAIL)
    await expire(admin, session_id)
    await make_older(admin, "waivers.sessions", 800, "expires_at")
    for _ in range(2):
        await append_event(admin, session_id, "session.viewed", {"ip": IP})
        assert await waivers.sweep(database, WaiverSettings()) == 1
    assert await admin.fetch("select * from waivers.broken_evidence()") == []
    assert IP not in str(await history(database, rosa, session_id))

    signed_id = await make_session(database, rosa)
    await sign(database, signed_id)
    await append_event(admin, signed_id, "session.erased", {"erased_events": [1]})
    [broken] = await admin.fetch("select reason from waivers.broken_evidence()")
    assert broken["reason"].endswith("never signed, but it was signed")


@pytest.mark.accept("TRUE-31")
async def test_a_corrected_session_is_kept_as_long_as_the_waiver_that_was_signed_instead(
    database: Database, admin: Connection, rosa: Person
) -> None:
    old_id = await make_session(database, rosa, name=NAME, email=EMAIL)
    new_id = await correct_recipient(database, rosa, old_id, "Zebulon Quist-Hill")
    await sign(database, new_id)
    await make_older(admin, "waivers.sessions", 5000)
    await make_older(admin, "waivers.sessions", 5000, "cancelled_at")

    assert await waivers.sweep(database, WaiverSettings()) == 0


@pytest.mark.accept("TRUE-31")
async def test_open_links_and_links_of_templates_are_not_erased(
    database: Database, admin: Connection, rosa: Person
) -> None:
    await make_session(database, rosa)
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute(
            "insert into waiver_sessions (template_id, status) values ($1, 'template_default')", SAMPLE_TEMPLATE_ID
        )
    await make_older(admin, "waivers.sessions", 5000)

    assert await waivers.sweep(database, WaiverSettings()) == 0


@pytest.mark.accept("TRUE-32")
async def test_unused_sign_ins_old_challenges_and_old_log_entries_are_deleted(
    database: Database, admin: Connection, rosa: Person
) -> None:
    settings = AuthSettings.model_validate({"jwt_secret": "x" * 32, "signing_key": new_signing_key()})
    await admin.execute(
        """
        insert into auth.sessions (user_id, user_agent, created_at, refreshed_at)
        values ($1, 'unused', now() - interval '181 days', null),
               ($1, 'abandoned', now() - interval '900 days', now() - interval '181 days'),
               ($1, 'used', now() - interval '900 days', now() - interval '179 days')
        """,
        rosa.id,
    )
    await admin.execute(
        """
        insert into auth.audit_log (user_id, act, ip, created_at)
        values ($1, 'login', $2, now() - interval '731 days'), ($1, 'logout', $2, now() - interval '729 days')
        """,
        rosa.id, IP,
    )  # fmt: skip
    factor = await admin.fetchval(
        "insert into auth.mfa_factors (user_id, factor_type, status) values ($1, 'totp', 'verified') returning id",
        rosa.id,
    )
    await admin.execute(
        """
        insert into auth.mfa_challenges (factor_id, ip, created_at)
        values ($1, '203.0.113.1', now() - interval '2 days'), ($1, '203.0.113.2', now())
        """,
        factor,
    )

    await auth.sweep(database, settings)

    assert [row["user_agent"] for row in await admin.fetch("select user_agent from auth.sessions")] == ["used"]
    assert [row["act"] for row in await admin.fetch("select act from auth.audit_log")] == ["logout"]
    assert [row["ip"] for row in await admin.fetch("select ip from auth.mfa_challenges")] == ["203.0.113.2"]


@pytest.mark.accept("TRUE-32")
async def test_old_inquiries_and_recipients_of_counted_sendings_are_deleted(
    database: Database, admin: Connection, rosa: Person
) -> None:
    await admin.execute(
        """
        insert into inquiries.messages (kind, name, email, created_at)
        values ('contact', 'old', $1, now() - interval '731 days'), ('contact', 'new', $1, now() - interval '729 days')
        """,
        EMAIL,
    )
    await admin.execute(
        """
        insert into billing.counted_sendings (session_id, company_id, month, recipient)
        values (gen_random_uuid(), $1, now() - interval '765 days', 'old@example.org'),
               (gen_random_uuid(), $1, now() - interval '700 days', 'new@example.org')
        """,
        rosa.company,
    )
    billing_context = billing.open_billing(database, BillingSettings(), secret="x" * 32, site_url="https://x.example")

    await inquiries.sweep(database, InquirySettings())
    await billing.sweep(billing_context, now())

    assert [row["name"] for row in await admin.fetch("select name from inquiries.messages")] == ["new"]
    rows = await admin.fetch("select recipient from billing.counted_sendings")
    assert [row["recipient"] for row in rows] == ["new@example.org"]


@pytest.mark.accept("TRUE-32")
async def test_the_operator_chooses_how_long_deliveries_are_kept(
    database: Database, admin: Connection, rosa: Person
) -> None:
    await admin.execute(
        """
        with endpoint as (
            insert into integrations.endpoints (company_id, kind, name, url)
            values ($1, 'zapier', 'Zapier', 'https://hooks.zapier.com/x') returning id, company_id, kind)
        insert into integrations.deliveries (endpoint_id, company_id, kind, event_id, event, retries_left, created_at)
        select id, company_id, kind, gen_random_uuid(), 'webhook.test', 0, now() - interval '8 days' from endpoint
        """,
        rosa.company,
    )

    await integrations.sweep(database, IntegrationSettings())
    assert await admin.fetchval("select count(*) from integrations.deliveries") == 1
    await integrations.sweep(database, IntegrationSettings(delivery_retention=timedelta(days=7)))

    assert await admin.fetchval("select count(*) from integrations.deliveries") == 0


async def test_old_rows_are_deleted_in_batches(database: Database, admin: Connection) -> None:
    await admin.execute(
        """
        insert into auth.audit_log (act, created_at)
        select 'login', now() - interval '800 days' from generate_series(1, 25)
        """
    )

    count = await run_in_batches(
        database, "select auth.delete_old_log_entries($1, $2)", timedelta(days=730), batch_size=10
    )

    assert count == 25
    assert await admin.fetchval("select count(*) from auth.audit_log") == 0
