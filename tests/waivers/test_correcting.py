"""A company corrects the recipient of a waiver, or sends one again after its expiry: the guest gets a new link."""

import json

import asyncpg
import pytest

from cairn.db import ANON, Connection, Database
from tests.factories import make_session, make_template, record_sending, request_settings, sign
from tests.people import Person
from tests.waivers.acts import call, cancel, correct_recipient, expire, history, resend, session_row


async def test_a_corrected_waiver_has_a_new_link_and_the_old_one_is_void(
    database: Database, admin: Connection, rosa: Person
) -> None:
    template = await make_template(database, rosa, content="The text of that day.")
    old_id = await make_session(database, rosa, template, name="Gil Okafro", email="gill@example.com")
    await call(database, rosa.principal, "update waiver_templates set content = 'A newer text.'")

    new_id = await correct_recipient(database, rosa, old_id, " Gil Okafor ", "GIL@example.com")

    with pytest.raises(asyncpg.PostgresError, match="This waiver was cancelled"):
        await sign(database, old_id)
    new_session = await session_row(database, rosa, new_id)
    assert new_id != old_id
    assert (new_session["recipient_name"], new_session["recipient_email"]) == ("Gil Okafor", "gil@example.com")
    assert (new_session["status"], new_session["template_content"]) == ("pending", "The text of that day.")
    assert (await sign(database, new_id))["content"] == "The text of that day."
    assert (await session_row(database, rosa, old_id))["recipient_email"] == "gill@example.com"
    assert await admin.fetch("select * from waivers.broken_evidence()") == []


async def test_both_histories_name_the_correction_and_neither_contains_an_address(
    database: Database, rosa: Person
) -> None:
    old_id = await make_session(database, rosa, name="Gil", email="gill@example.com")

    new_id = await correct_recipient(database, rosa, old_id, email="gil@example.com")

    old_events, new_events = await history(database, rosa, old_id), await history(database, rosa, new_id)
    assert [name for name, _ in old_events] == ["session.opened", "recipient.corrected"]
    assert [name for name, _ in new_events] == ["session.opened", "recipient.corrected"]
    assert (old_events[1][1]["replaced_by"], old_events[1][1]["by_name"]) == (str(new_id), "Rosa Marín")
    assert (new_events[1][1]["replaces"], new_events[1][1]["by_name"]) == (str(old_id), "Rosa Marín")
    assert "example.com" not in json.dumps([old_events, new_events])


async def test_the_holder_of_the_old_link_does_not_learn_the_new_one(database: Database, rosa: Person) -> None:
    old_id = await make_session(database, rosa)
    new_id = await correct_recipient(database, rosa, old_id, email="ana@example.com")

    async with database.acting_as(ANON, request_settings(old_id)) as connection:
        visible = await connection.fetch("select to_jsonb(s)::text as row from waiver_sessions s")

    assert len(visible) == 1
    assert str(new_id) not in visible[0]["row"]
    assert "ana@example.com" not in visible[0]["row"]


async def test_a_rival_a_guest_and_a_visitor_cannot_correct_or_send_again(
    database: Database, admin: Connection, rosa: Person, mallory: Person, gil: Person
) -> None:
    session_id = await make_session(database, rosa)

    with pytest.raises(asyncpg.PostgresError, match="Could not find the waiver session"):
        await correct_recipient(database, mallory, session_id, email="mallory@example.com")
    with pytest.raises(asyncpg.PostgresError, match="Could not find the waiver session"):
        await resend(database, mallory, session_id)
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="Only the company that sent a waiver"):
        await correct_recipient(database, gil, session_id, email="mallory@example.com")
    for act in ("correct_recipient($1, 'Gil', 'gil@example.com')", "resend_waiver($1)"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await call(database, ANON, f"select {act}", session_id)

    assert await admin.fetchval("select count(*) from waivers.sessions") == 1


async def test_a_correction_of_a_waiver_sent_as_pdf_is_recorded_as_another_sending_as_pdf(
    database: Database, admin: Connection, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)
    await record_sending(database, rosa, session_id)
    await admin.execute("update sent_waivers set sent_as_pdf = true, status = 'sent_pdf'")

    new_id = await correct_recipient(database, rosa, session_id, "Ana Ortiz", "ana@example.com")

    sending = await admin.fetchrow("select * from sent_waivers where session_id = $1", new_id)
    assert sending is not None
    assert (sending["recipient_name"], sending["recipient_email"]) == ("Ana Ortiz", "ana@example.com")
    assert (sending["company_id"], sending["sent_as_pdf"], sending["email_status"]) == (rosa.company, True, "sending")


async def test_a_waiver_of_an_archived_template_can_still_be_corrected(database: Database, rosa: Person) -> None:
    template = await make_template(database, rosa)
    session_id = await make_session(database, rosa, template)
    await call(database, rosa.principal, "update waiver_templates set archived_at = now() where id = $1", template)

    new_id = await correct_recipient(database, rosa, session_id, email="ana@example.com")

    assert (await session_row(database, rosa, new_id))["status"] == "pending"


async def test_a_corrected_waiver_is_valid_for_as_long_as_the_company_has_chosen(
    database: Database, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)
    await call(database, rosa.principal, "update companies set link_days = 5")

    session = await session_row(
        database, rosa, await correct_recipient(database, rosa, session_id, email="ana@example.com")
    )

    assert (session["expires_at"] - session["created_at"]).days == 5


async def test_a_signed_or_cancelled_waiver_cannot_be_corrected_or_sent_again(database: Database, rosa: Person) -> None:
    signed, cancelled = await make_session(database, rosa), await make_session(database, rosa)
    await sign(database, signed)
    await cancel(database, rosa, cancelled)

    for session_id, message in {signed: "has been signed", cancelled: "was cancelled"}.items():
        with pytest.raises(asyncpg.PostgresError, match=message):
            await correct_recipient(database, rosa, session_id, email="ana@example.com")
        with pytest.raises(asyncpg.PostgresError, match=message):
            await resend(database, rosa, session_id)


@pytest.mark.accept("SIGN-21")
async def test_sending_an_expired_waiver_again_gives_one_new_session(
    database: Database, admin: Connection, rosa: Person
) -> None:
    pending, expired = await make_session(database, rosa), await make_session(database, rosa, name="Ana Ortiz")
    await expire(admin, expired)

    assert await resend(database, rosa, pending) == pending
    new_id = await resend(database, rosa, expired)
    repeated_id = await resend(database, rosa, expired)

    assert new_id == repeated_id != expired
    new_session = await session_row(database, rosa, new_id)
    assert (new_session["recipient_name"], new_session["status"]) == ("Ana Ortiz", "pending")
    assert (await sign(database, new_id))["session_id"] == new_id
    with pytest.raises(asyncpg.PostgresError, match="This waiver has expired"):
        await sign(database, expired)
    assert [name for name, _ in await history(database, rosa, expired)] == ["session.opened", "session.renewed"]
    with pytest.raises(asyncpg.PostgresError, match="has been signed"):
        await resend(database, rosa, expired)


async def test_correcting_an_expired_waiver_that_was_sent_again_replaces_its_newer_session(
    database: Database, admin: Connection, rosa: Person
) -> None:
    expired = await make_session(database, rosa)
    await expire(admin, expired)
    renewed = await resend(database, rosa, expired)

    corrected = await correct_recipient(database, rosa, expired, email="ana@example.com")

    assert (await session_row(database, rosa, renewed))["status"] == "cancelled"
    assert (await session_row(database, rosa, corrected))["recipient_email"] == "ana@example.com"
