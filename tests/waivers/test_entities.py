"""Sessions and signed records have the documented fields, in the API and in the database."""

from datetime import timedelta

import asyncpg
import pytest

from cairn.db import Database
from tests.factories import make_session, sign
from tests.people import Person

SESSION_FIELDS = {
    "id", "template_id", "recipient_name", "recipient_email", "status", "template_content", "created_at", "signed_at",
    "signature", "signer_name", "signer_email",
}  # fmt: skip
SIGNED_FIELDS = {
    "id", "template_id", "template_name", "signer_name", "signer_email", "signature", "content", "session_id",
    "signed_at",
}  # fmt: skip
COMPANY_TABLES = [
    "public.waiver_templates", "waivers.sessions", "waivers.signed", "waivers.audit_events", "waivers.reminders",
    "public.sent_waivers", "public.emails", "public.notifications", "messaging.configurations",
]  # fmt: skip


@pytest.mark.accept("ENT-05", "ENT-06", "ENT-09")
async def test_sessions_and_signed_records_have_their_documented_fields(database: Database, rosa: Person) -> None:
    session_id = await make_session(database, rosa)
    await sign(database, session_id)

    async with database.acting_as(rosa.principal) as connection:
        session = await connection.fetchrow("select * from waiver_sessions where id = $1", session_id)
        waiver = await connection.fetchrow("select * from signed_waivers where session_id = $1", session_id)

    assert session is not None
    assert waiver is not None
    assert set(session.keys()) >= SESSION_FIELDS
    assert set(waiver.keys()) >= SIGNED_FIELDS
    assert session["id"].version == 4
    assert len(str(session["id"])) == 36
    assert waiver["signature"].startswith("data:image/png;base64,")


@pytest.mark.accept("ENT-07")
async def test_a_session_is_pending_signed_cancelled_or_a_default_session_and_nothing_else(
    database: Database, rosa: Person, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    session_id = await make_session(database, rosa)

    with pytest.raises(asyncpg.CheckViolationError):
        await admin.execute("update waivers.sessions set status = 'expired' where id = $1", session_id)
    constraint = await admin.fetchval(
        "select pg_get_constraintdef(oid) from pg_constraint"
        " where conrelid = 'waivers.sessions'::regclass and pg_get_constraintdef(oid) like '%ANY%'"
    )

    statuses = ["pending", "signed", "template_default", "cancelled"]
    assert [status for status in statuses if f"'{status}'" in constraint] == statuses
    assert constraint.count("'::text") == 4


@pytest.mark.accept("ENT-10")
async def test_company_tables_have_a_company_id_and_records_have_a_document_hash(
    database: Database, rosa: Person, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    tables = await admin.fetch(
        """
        select attrelid::regclass::text as name from pg_attribute
         where attrelid = any ($1::text[]::regclass[]) and attname = 'company_id'
        """,
        COMPANY_TABLES,
    )
    session_id = await make_session(database, rosa)
    async with database.acting_as(rosa.principal) as connection:
        lifetime = await connection.fetchval(
            "select expires_at - created_at from waiver_sessions where id = $1", session_id
        )
        waivers = await connection.prepare("select * from signed_waivers")
        fields = {attribute.name for attribute in waivers.get_attributes()}

    assert len(tables) == len(COMPANY_TABLES)
    assert lifetime == timedelta(days=30)
    assert "document_sha256" in fields
