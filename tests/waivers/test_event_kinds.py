"""What happens to a waiver is an event in its history, with a title that the app and the certificate show."""

import json
import re
from uuid import UUID

import asyncpg
import pytest

from cairn.db import ANON, SERVICE, Connection, Database
from cairn.kit import now
from cairn.waivers import DocumentContext, Seal, evidence_pack, fetch_document
from cairn.waivers.documents import prepare_document
from tests.factories import DOCUMENT_SECRET, make_session, sign
from tests.people import Person
from tests.structure.tree import ROOT, read_source


async def events_of(admin: Connection, session_id: UUID) -> list[tuple[str, dict[str, str]]]:
    rows = await admin.fetch(
        "select name, details from waivers.audit_events where session_id = $1 order by id", session_id
    )
    return [(row["name"], json.loads(row["details"])) for row in rows]


async def add_invitation(database: Database, rosa: Person, session_id: UUID) -> UUID:
    async with database.acting_as(SERVICE) as connection:
        email_id: UUID = await connection.fetchval(
            """
            insert into emails (company_id, session_id, recipient, subject, body)
            values ($1, $2, 'gil@example.com', 'Please sign', 'Here') returning id
            """,
            rosa.company, session_id,
        )  # fmt: skip
    return email_id


async def set_email(database: Database, email_id: UUID, assignments: str) -> None:
    async with database.acting_as(SERVICE) as connection:
        await connection.execute(f"update emails set {assignments} where id = $1", email_id)


@pytest.mark.accept("TRUE-09")
async def test_an_email_is_recorded_when_it_is_written_when_it_is_accepted_and_when_it_bounces(
    database: Database, admin: Connection, rosa: Person, session_id: UUID
) -> None:
    email_id = await add_invitation(database, rosa, session_id)

    await set_email(database, email_id, "attempts = 1, status = 'sending'")
    await set_email(database, email_id, "status = 'delivered', message_id = '<1@mail.example>'")
    await set_email(database, email_id, "status = 'failed', error = 'The email came back: no such mailbox'")

    [_, written, accepted, bounced] = await events_of(admin, session_id)
    assert written == (
        "email.requested", {"email_id": str(email_id), "email_kind": "message", "recipient": "gil@example.com"},
    )  # fmt: skip
    assert (accepted[0], accepted[1]["message_id"]) == ("email.accepted", "<1@mail.example>")
    assert (bounced[0], bounced[1]["reason"]) == ("email.bounced", "The email came back: no such mailbox")
    assert await admin.fetch("select * from waivers.broken_evidence()") == []


async def test_an_email_that_was_never_accepted_is_recorded_as_failed_and_not_as_bounced(
    database: Database, admin: Connection, rosa: Person, session_id: UUID
) -> None:
    email_id = await add_invitation(database, rosa, session_id)

    await set_email(database, email_id, "status = 'failed', error = 'The mail server does not respond.'")

    assert [name for name, _ in await events_of(admin, session_id)] == [
        "session.opened", "email.requested", "email.failed",
    ]  # fmt: skip


async def test_the_copy_for_the_signer_is_recorded(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, waiver: asyncpg.Record
) -> None:
    await prepare_document(database, documents, seal, waiver["id"])
    email_id = await admin.fetchval("select id from emails where kind = 'copy'")

    await set_email(database, email_id, "status = 'delivered'")

    events = await events_of(admin, waiver["session_id"])
    assert [name for name, _ in events][2:] == ["document.sealed", "email.requested", "email.accepted"]
    assert (events[-1][1]["email_kind"], events[-1][1]["waiver_id"]) == ("copy", str(waiver["id"]))


async def test_an_email_of_another_company_is_not_part_of_the_history(
    database: Database, admin: Connection, mallory: Person, session_id: UUID
) -> None:
    await add_invitation(database, mallory, session_id)

    assert [name for name, _ in await events_of(admin, session_id)] == ["session.opened"]


async def test_a_text_message_is_recorded_once_for_each_status(
    database: Database, admin: Connection, rosa: Person, session_id: UUID
) -> None:
    async with database.acting_as(SERVICE) as connection:
        await connection.execute(
            """
            insert into text_messages (company_id, session_id, kind, recipient, body)
            values ($1, $2, 'message', '15551234567', 'Here')
            """,
            rosa.company, session_id,
        )  # fmt: skip
        await connection.execute("update text_messages set attempts = 1, status = 'sending'")
        await connection.execute("update text_messages set status = 'delivered'")

    [_, written, delivered] = await events_of(admin, session_id)
    assert (written[0], written[1]["recipient"]) == ("text.requested", "+15551234567")
    assert delivered[0] == "text.delivered"


async def test_the_language_of_the_page_is_recorded(database: Database, admin: Connection, rosa: Person) -> None:
    session_id, other_session = await make_session(database, rosa), await make_session(database, rosa)

    async with database.acting_as(ANON) as connection:
        await connection.execute("select note_waiver_view($1, language => 'pt-BR')", session_id)
        await connection.execute("select note_waiver_view($1, language => '<script>')", other_session)

    assert (await events_of(admin, session_id))[1] == ("session.viewed", {"language": "pt-BR"})
    assert (await events_of(admin, other_session))[1] == ("session.viewed", {})


@pytest.mark.accept("TRUE-09")
async def test_a_download_is_recorded_with_the_kind_of_access_that_the_caller_had(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person, session_id: UUID
) -> None:
    waiver = await sign(database, session_id, document_secret=DOCUMENT_SECRET)
    await prepare_document(database, documents, seal, waiver["id"])

    await fetch_document(database, documents, rosa.principal, waiver["id"], now(), ip="203.0.113.9")
    await fetch_document(database, documents, rosa.principal, waiver["id"], now(), ip="203.0.113.9")
    await admin.execute("alter table waivers.audit_events disable trigger all")
    await admin.execute("update waivers.audit_events set at = at - interval '1 minute'")
    await fetch_document(database, documents, ANON, waiver["id"], now(), secret=DOCUMENT_SECRET)

    downloads = [details for name, details in await events_of(admin, session_id) if name == "document.downloaded"]
    assert downloads == [
        {"access": "company", "by": str(rosa.id), "ip": "203.0.113.9", "waiver_id": str(waiver["id"])},
        {"access": "browser that signed", "waiver_id": str(waiver["id"])},
    ]


async def test_downloads_of_two_waivers_of_one_session_within_seconds_are_both_recorded(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, session_id: UUID
) -> None:
    waivers = [await sign(database, session_id, document_secret=DOCUMENT_SECRET) for _ in range(2)]

    for waiver in waivers:
        await prepare_document(database, documents, seal, waiver["id"])
        await fetch_document(database, documents, ANON, waiver["id"], now(), secret=DOCUMENT_SECRET)

    downloads = [details for name, details in await events_of(admin, session_id) if name == "document.downloaded"]
    assert [download["waiver_id"] for download in downloads] == [str(waiver["id"]) for waiver in waivers]


@pytest.mark.accept("TRUE-09")
async def test_an_export_is_recorded(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person, waiver: asyncpg.Record
) -> None:
    await prepare_document(database, documents, seal, waiver["id"])

    await evidence_pack(database, documents, rosa.principal, waiver["id"], ip="203.0.113.9")

    name, details = (await events_of(admin, waiver["session_id"]))[-1]
    assert (name, details["access"], details["by"]) == ("evidence.exported", "company", str(rosa.id))


@pytest.mark.accept("TRUE-09")
async def test_the_company_reads_the_history_with_titles_and_a_rival_does_not(
    database: Database, rosa: Person, mallory: Person
) -> None:
    await sign(database, await make_session(database, rosa))

    async with database.acting_as(rosa.principal) as connection:
        titles = [row["title"] for row in await connection.fetch("select title from waiver_events order by event_id")]
    async with database.acting_as(mallory.principal) as connection:
        rivals_rows = await connection.fetch("select * from waiver_events")

    assert titles == ["Waiver created", "Signed"]
    assert rivals_rows == []


def test_every_kind_of_event_has_a_title() -> None:
    """SQL builds the names of message events from the status of the message, so the test lists these statuses."""
    titles = json.loads(read_source(ROOT / "cairn/waivers/sql/event_kinds.sql").split("$$")[1])
    sources = [*(ROOT / "cairn/waivers").rglob("*.sql"), *(ROOT / "cairn/waivers").rglob("*.py")]
    pattern = re.compile(r"""['"]((?:session|recipient|adult|waiver|document|evidence|hold)\.(?!pdf|typ)[a-z]+)['"]""")
    used = {
        name for source in sources if source.name != "event_kinds.sql" for name in pattern.findall(read_source(source))
    }
    statuses = ["requested", "accepted", "bounced", "kept", "failed", "cancelled"]
    used |= {f"email.{status}" for status in statuses}
    used |= {f"text.{status}" for status in ("requested", "delivered", "failed")}

    assert used == titles.keys()


@pytest.mark.parametrize("name", ["email.accepted", "document.downloaded"])
async def test_a_title_is_plain_text(admin: Connection, name: str) -> None:
    title = await admin.fetchval("select waivers.event_title($1)", name)

    assert "." not in title
