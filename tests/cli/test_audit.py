"""`cairn audit` checks all evidence of a company or of the database, and says in plain words what is wrong."""

from uuid import UUID, uuid4

import pytest

from cairn.audit import CompanyWithoutEvidence, audit_database
from cairn.db import SERVICE, Connection, Database
from cairn.waivers import DocumentContext, Seal, export_heads, seal_new_events
from cairn.waivers.documents import document_path, prepare_document
from tests.factories import make_session, sign
from tests.people import Person
from tests.waivers.acts import erase


@pytest.fixture
def reported() -> list[str]:
    return []


async def run_audit(
    database: Database,
    documents: DocumentContext,
    reported: list[str],
    company_id: UUID | None = None,
    exported_heads: bytes | None = None,
) -> int:
    reported.clear()
    async with database.acting_as(SERVICE, read_only=True) as connection:
        return await audit_database(connection, documents, company_id, exported_heads, reported.append)


async def sign_and_seal(database: Database, documents: DocumentContext, seal: Seal, owner: Person) -> UUID:
    waiver = await sign(database, await make_session(database, owner))
    await prepare_document(database, documents, seal, waiver["id"])
    session_id: UUID = waiver["session_id"]
    return session_id


@pytest.mark.accept("TRUE-08")
async def test_sound_evidence_is_counted_for_each_company(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, mallory: Person, reported: list[str]
) -> None:
    await sign_and_seal(database, documents, seal, rosa)
    await sign(database, await make_session(database, mallory))
    await seal_new_events(database, seal)

    assert await run_audit(database, documents, reported) == 0
    rosas_line = f"Rio Rafting, company {rosa.company}: 1 session, 1 signed waiver, 4 events, 1 signed head."
    assert rosas_line in reported
    assert len(reported) == 3
    assert reported[-1] == "Nothing is wrong: every record, event, head and document is as it was signed."

    assert await run_audit(database, documents, reported, rosa.company) == 0
    assert reported[0] == rosas_line
    assert len(reported) == 2


async def test_an_erased_waiver_is_not_reported(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, admin: Connection, reported: list[str]
) -> None:
    await sign_and_seal(database, documents, seal, rosa)
    waiver_id = await admin.fetchval("select id from waivers.signed")
    await erase(database, rosa, waiver_id)
    await documents.erase(document_path(rosa.company, waiver_id))
    await seal_new_events(database, seal)

    assert await run_audit(database, documents, reported) == 0, reported


@pytest.mark.accept("TRUE-08")
async def test_each_contradiction_is_reported_with_its_session(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person, mallory: Person,
    reported: list[str],
) -> None:  # fmt: skip
    session_id = await sign_and_seal(database, documents, seal, rosa)
    await sign_and_seal(database, documents, seal, mallory)
    await admin.execute(
        """
        delete from waivers.audit_events
         where session_id = $1 and id = (select max(id) from waivers.audit_events where session_id = $1)
        """,
        session_id,
    )

    assert await run_audit(database, documents, reported) == 1
    assert reported[-2:] == [
        f"WRONG  session {session_id}, waiver none: the last events are missing: a signed head covers more of them",
        "1 finding. Keep this database as it is, and compare it with a backup.",
    ]
    assert await run_audit(database, documents, reported, rosa.company) == 1
    assert await run_audit(database, documents, reported, mallory.company) == 0


async def test_a_document_that_is_missing_in_the_file_store_is_reported(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, reported: list[str]
) -> None:
    await sign_and_seal(database, documents, seal, rosa)
    for file in (documents.data_folder / "storage").rglob("*"):
        if file.is_file():
            file.unlink()

    assert await run_audit(database, documents, reported) == 1
    assert "is not what was stored" in reported[1]


async def test_a_company_whose_sessions_were_all_removed_is_still_audited(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person, reported: list[str]
) -> None:
    await sign_and_seal(database, documents, seal, rosa)
    await admin.execute("set session_replication_role = replica")
    for table in ("signed", "audit_events", "sessions"):
        await admin.execute(f"delete from waivers.{table}")

    assert await run_audit(database, documents, reported) == 1
    assert reported[0] == f"Rio Rafting, company {rosa.company}: 0 sessions, 0 signed waivers, 0 events, 1 signed head."


async def test_heads_that_were_exported_earlier_are_compared(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person, reported: list[str]
) -> None:
    await sign_and_seal(database, documents, seal, rosa)
    async with database.acting_as(rosa.principal, read_only=True) as connection:
        exported = await export_heads(connection, rosa.company)
    assert await run_audit(database, documents, reported, exported_heads=exported) == 0

    await admin.execute("set session_replication_role = replica")
    for table in ("head_entries", "chain_heads", "signed", "audit_events", "sessions"):
        await admin.execute(f"delete from waivers.{table}")

    assert await run_audit(database, documents, reported) == 0, "without the export, no trace is left"
    assert await run_audit(database, documents, reported, exported_heads=exported) == 1
    assert "was exported, but is missing or was replaced." in reported[-2]


async def test_an_unknown_company_is_refused(
    database: Database, documents: DocumentContext, reported: list[str]
) -> None:
    with pytest.raises(CompanyWithoutEvidence, match="There is no company"):
        await run_audit(database, documents, reported, uuid4())
