"""The evidence that is stored with a signature cannot be changed afterwards."""

import base64
import json
import struct
from datetime import timedelta
from typing import Any

import asyncpg
import pytest

from cairn.db import ANON, SERVICE, Connection, Database, Principal
from cairn.kit import now
from tests.factories import make_session, make_template, png, sign
from tests.people import Person

STROKES = [[{"x": 1, "y": 2, "pressure": 0.5, "time": 0}]]


async def test_the_record_stores_the_consent_text_of_the_server(
    database: Database, admin: Connection, rosa: Person
) -> None:
    agreed_at = now() - timedelta(seconds=30)

    waiver = await sign(
        database, await make_session(database, rosa), consent_version="2026-11", consent_language="en",
        consented_at=agreed_at, time_zone="Asia/Tokyo", strokes=json.dumps(STROKES), first_viewed_at=agreed_at,
        scroll_depth=100,
    )  # fmt: skip

    record = await admin.fetchrow("select * from waivers.signed")
    assert record is not None
    assert record["consent_text"] == await admin.fetchval("select text from consent_texts")
    assert (record["consented_at"], record["time_zone"], record["scroll_depth"]) == (agreed_at, "Asia/Tokyo", 100)
    assert json.loads(record["strokes"]) == STROKES
    assert waiver["strokes"] is None, "lists do not contain the strokes"
    assert record["company_name"] == "Rio Rafting"


@pytest.mark.parametrize(
    "consent", [{"consent_version": "1066"}, {"consent_version": "2026-11", "consent_language": "tlh"}]
)
async def test_consent_to_an_unknown_text_is_refused(database: Database, rosa: Person, consent: dict[str, Any]) -> None:
    with pytest.raises(asyncpg.PostgresError, match="no consent text"):
        await sign(database, await make_session(database, rosa), **consent)


async def test_a_consent_time_in_the_future_becomes_the_signing_time(database: Database, rosa: Person) -> None:
    waiver = await sign(
        database, await make_session(database, rosa), consent_version="2026-11", consented_at=now() + timedelta(days=1)
    )

    assert waiver["consented_at"] == waiver["signed_at"]


async def test_a_record_has_a_template_version_only_if_its_text_is_the_text_of_that_version(
    database: Database, rosa: Person
) -> None:
    template = await make_template(database, rosa)
    insert = "insert into waiver_sessions (template_id, template_content) values ($1, 'Another text.') returning id"
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute("update waiver_templates set content = 'Newer.' where id = $1", template)
        edited_session = await connection.fetchval(insert, template)

    assert (await sign(database, await make_session(database, rosa, template)))["template_version"] == 2
    assert (await sign(database, edited_session))["template_version"] is None


@pytest.mark.parametrize(
    "change",
    [
        "content = content || ' and more'", "signer_name = 'Mallory'", "signature = signature || 'A'",
        "consent_text = 'I agree to everything'", "time_zone = 'UTC'", "signed_at = signed_at + interval '1 second'",
        "strokes = '[]'",
    ],
)  # fmt: skip
async def test_the_records_hash_detects_a_change(
    database: Database, admin: Connection, rosa: Person, change: str
) -> None:
    waiver = await sign(
        database, await make_session(database, rosa), consent_version="2026-11", time_zone="Asia/Tokyo",
        strokes=json.dumps(STROKES),
    )  # fmt: skip
    assert await admin.fetch("select * from waivers.broken_evidence()") == []

    await admin.execute("alter table waivers.signed disable trigger keep_signed")
    await admin.execute(f"update waivers.signed set {change}")

    broken = await admin.fetch("select waiver_id, reason from waivers.broken_evidence()")
    assert [tuple(row) for row in broken] == [(waiver["id"], "the signed record was changed")]


async def test_a_record_that_was_replaced_together_with_its_hash_is_detected(
    database: Database, admin: Connection, rosa: Person
) -> None:
    waiver = await sign(database, await make_session(database, rosa))

    await admin.execute("alter table waivers.signed disable trigger keep_signed")
    await admin.execute("update waivers.signed set signer_name = 'Mallory'")
    await admin.execute("update waivers.signed w set record_sha256 = waivers.record_hash(w)")

    broken = await admin.fetch("select waiver_id, reason from waivers.broken_evidence()")
    assert [tuple(row) for row in broken] == [
        (waiver["id"], "the event of its signing is missing or names another record")
    ]


async def test_a_missing_event_is_detected(database: Database, admin: Connection, rosa: Person) -> None:
    waiver = await sign(database, await make_session(database, rosa))

    await admin.execute("delete from waivers.audit_events where name = 'waiver.signed'")

    [broken] = await admin.fetch("select waiver_id, reason from waivers.broken_evidence()")
    assert broken["waiver_id"] == waiver["id"]
    assert "signing is missing" in broken["reason"]


@pytest.mark.accept("SIGN-16")
async def test_a_document_is_attached_to_its_record_once_and_nothing_else_ever_changes(
    database: Database, admin: Connection, rosa: Person
) -> None:
    waiver = await sign(database, await make_session(database, rosa))
    attach = "select waivers.store_document($1, $2, $3, 'certificate')"
    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval(attach, waiver["id"], "a.pdf", "ab" * 32) is True
        assert await connection.fetchval(attach, waiver["id"], "b.pdf", "cd" * 32) is False

    assert await admin.fetchval("select document_path from waivers.signed") == "a.pdf"
    for change in ("document_path = 'b.pdf'", "document_sha256 = repeat('0', 64)", "signer_name = 'Mallory'"):
        # Not even the owner of the database can change a record by mistake.
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="never changed"):
            await admin.execute(f"update waivers.signed set {change}")


@pytest.mark.parametrize("caller", ["anon", "rosa"])
async def test_only_the_service_attaches_documents(database: Database, rosa: Person, caller: str) -> None:
    waiver = await sign(database, await make_session(database, rosa))
    principal: Principal = {"anon": ANON, "rosa": rosa.principal}[caller]

    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.acting_as(principal) as connection:
            await connection.execute("select waivers.store_document($1, 'x', $2, 'c')", waiver["id"], "ab" * 32)


async def test_opening_a_waiver_is_recorded_but_cannot_flood_the_history(
    database: Database, admin: Connection, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)

    for _ in range(3):
        async with database.acting_as(ANON, {"request.ip": "203.0.113.7"}) as connection:
            await connection.execute("select note_waiver_view($1, 140)", session_id)

    [viewed] = await admin.fetch("select details from waivers.audit_events where name = 'session.viewed'")
    assert json.loads(viewed["details"]) == {"ip": "203.0.113.7", "scroll_depth": 100}
    assert await admin.fetch("select * from waivers.broken_evidence()") == []


@pytest.mark.parametrize(("width", "height"), [(50_000, 50_000), (5000, 2), (2, 70_000)])
async def test_a_picture_too_large_to_decompress_is_refused(
    database: Database, rosa: Person, width: int, height: int
) -> None:
    valid = png()
    oversized = valid[:16] + struct.pack(">II", width, height) + valid[24:]

    with pytest.raises(asyncpg.PostgresError, match="too large"):
        await sign(
            database, await make_session(database, rosa),
            signature="data:image/png;base64," + base64.b64encode(oversized).decode(),
        )  # fmt: skip
