"""A company revokes a signed waiver. The record stays readable and unchanged, and the history shows why."""

from uuid import UUID

import asyncpg
import pytest

from cairn.db import ANON, Connection, Database
from tests.factories import make_session, sign
from tests.people import Person
from tests.waivers.acts import call, history, revoke, session_row


async def revocation(database: Database, person: Person, waiver_id: UUID) -> tuple[bool, str | None, UUID | None]:
    async with database.acting_as(person.principal) as connection:
        row = await connection.fetchrow(
            "select revoked_at, revoke_reason, superseded_by from signed_waivers where id = $1", waiver_id
        )
    assert row is not None
    return row["revoked_at"] is not None, row["revoke_reason"], row["superseded_by"]


@pytest.mark.accept("TRUE-12")
async def test_a_revoked_waiver_stays_readable_and_its_record_unchanged(
    database: Database, admin: Connection, rosa: Person, waiver: asyncpg.Record
) -> None:
    await revoke(database, rosa, waiver["id"], "Signed by the wrong person.")

    async with database.acting_as(rosa.principal) as connection:
        stored = await connection.fetchrow("select * from signed_waivers where id = $1", waiver["id"])
    assert stored is not None
    assert {name: stored[name] for name in ("content", "signature", "signer_name", "record_sha256")} == {
        name: waiver[name] for name in ("content", "signature", "signer_name", "record_sha256")
    }
    assert await revocation(database, rosa, waiver["id"]) == (True, "Signed by the wrong person.", None)
    event, details = (await history(database, rosa, waiver["session_id"]))[-1]
    assert (event, details["waiver_id"]) == ("waiver.revoked", str(waiver["id"]))
    assert (details["reason"], details["by_name"]) == ("Signed by the wrong person.", "Rosa Marín")
    assert await admin.fetch("select * from waivers.broken_evidence()") == []


async def test_a_waiver_is_superseded_by_a_newer_one_of_the_same_company(
    database: Database, rosa: Person, mallory: Person
) -> None:
    old = await sign(database, await make_session(database, rosa))
    rivals = await sign(database, await make_session(database, mallory))
    new = await sign(database, await make_session(database, rosa))

    for waiver, replacement in ((old, rivals), (new, old), (new, new)):
        with pytest.raises(asyncpg.PostgresError, match="Please choose a newer signed waiver"):
            await revoke(database, rosa, waiver["id"], "Signed again", replacement["id"])
    await revoke(database, rosa, old["id"], "Signed again", new["id"])

    assert await revocation(database, rosa, old["id"]) == (True, "Signed again", new["id"])
    assert await revocation(database, rosa, new["id"]) == (False, None, None)
    event, details = (await history(database, rosa, old["session_id"]))[-1]
    assert (event, details["superseded_by"]) == ("waiver.superseded", str(new["id"]))


async def test_a_rival_a_guest_and_a_visitor_cannot_revoke(
    database: Database, rosa: Person, mallory: Person, gil: Person, waiver: asyncpg.Record
) -> None:
    with pytest.raises(asyncpg.PostgresError, match="Could not find this signed waiver"):
        await revoke(database, mallory, waiver["id"])
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="Only the company that sent a waiver"):
        await revoke(database, gil, waiver["id"])
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await call(database, ANON, "select revoke_waiver($1, 'Not mine')", waiver["id"])

    assert await revocation(database, rosa, waiver["id"]) == (False, None, None)


@pytest.mark.parametrize(
    "change",
    [
        "revoked_at = null, revoke_reason = null",
        "revoke_reason = 'Another reason'",
        "revoked_at = now()",
        "superseded_by = id",
        "revoked_at = now(), signer_name = 'Mallory'",
    ],
)
async def test_not_even_the_owner_of_the_database_changes_or_undoes_a_revocation(
    database: Database, admin: Connection, rosa: Person, change: str, waiver: asyncpg.Record
) -> None:
    await revoke(database, rosa, waiver["id"])

    with pytest.raises(asyncpg.PostgresError, match="A signed waiver is never changed"):
        await admin.execute(f"update waivers.signed set {change}")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("revoked_at = null, revoke_reason = null", "the signed record is no longer marked as revoked"),
        ("revoke_reason = 'Another'", "the event of its revocation is missing or names another reason"),
        ("superseded_by = id", "the event of its revocation is missing or names another reason"),
    ],
)
async def test_a_revocation_that_was_changed_without_the_triggers_is_detected(
    database: Database, admin: Connection, rosa: Person, change: str, reason: str, waiver: asyncpg.Record
) -> None:
    await revoke(database, rosa, waiver["id"])

    await admin.execute("alter table waivers.signed disable trigger user")
    await admin.execute(f"update waivers.signed set {change}")

    broken = await admin.fetch("select waiver_id, reason from waivers.broken_evidence()")
    assert [(row["waiver_id"], row["reason"]) for row in broken] == [(waiver["id"], reason)]


async def test_the_document_of_a_waiver_can_be_attached_after_it_was_revoked(
    database: Database, admin: Connection, rosa: Person, waiver: asyncpg.Record
) -> None:
    await revoke(database, rosa, waiver["id"])

    assert await admin.fetchval("select waivers.store_document($1, 'a.pdf', $2, 'c')", waiver["id"], "ab" * 32) is True
    with pytest.raises(asyncpg.PostgresError, match="A signed waiver is never changed"):
        await admin.execute("update waivers.signed set document_path = 'b.pdf'")


async def test_a_session_counts_as_revoked_once_all_of_its_waivers_are(
    database: Database, rosa: Person, session_id: UUID
) -> None:
    first, second = await sign(database, session_id), await sign(database, session_id)

    await revoke(database, rosa, first["id"], "Signed again", second["id"])
    assert (await session_row(database, rosa, session_id))["revoked_at"] is None
    await revoke(database, rosa, second["id"])

    session = await session_row(database, rosa, session_id)
    assert (session["status"], session["revoked_at"] is not None) == ("signed", True)
