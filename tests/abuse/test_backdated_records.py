"""7E2: someone who has the database, but not the key of the seal, cannot backdate a record before it is sealed.

The forger changes the times of the record, and computes the hashes of the record and of its events again. No signed
head covers these events yet. 8E4: the forger cannot change the times of the sealing, the revocation and the erasure.

7E2 and 8E4 are findings in docs/security.md.
"""

from datetime import timedelta

import pytest

from cairn.db import Connection, Database
from cairn.waivers import DocumentContext, Seal
from cairn.waivers.documents import prepare_document
from tests.abuse.test_deleted_heads import replace_history
from tests.abuse.test_forged_erasures import broken_reasons, pack_findings
from tests.factories import make_session, sign
from tests.people import Person
from tests.waivers.acts import erase, revoke


async def test_7e2_a_record_has_the_time_of_the_event_of_its_signing(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person
) -> None:
    waiver = await sign(database, await make_session(database, rosa), consent_version="2026-11")
    await admin.execute("set session_replication_role = replica")
    await admin.execute(
        "update waivers.signed set signed_at = signed_at - $1::interval, consented_at = consented_at - $1::interval",
        timedelta(days=730),
    )
    await replace_history(admin, waiver["session_id"])
    await prepare_document(database, documents, seal, waiver["id"])

    [reason] = await broken_reasons(database, seal, waiver["session_id"])

    assert "the record has another time than the event of its signing" in reason
    findings = await pack_findings(database, documents, seal, rosa, waiver["id"])
    assert "The record has another time than the event of the signature." in findings


@pytest.mark.parametrize("column", ["document_at", "revoked_at", "erased_at"])
async def test_8e4_a_document_a_revocation_and_an_erasure_have_the_times_of_their_events(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person, column: str
) -> None:
    """`/verify` shows these times, and no hash covers them."""
    waiver = await sign(database, await make_session(database, rosa))
    await prepare_document(database, documents, seal, waiver["id"])
    await revoke(database, rosa, waiver["id"])
    await erase(database, rosa, waiver["id"])
    assert await broken_reasons(database, seal, waiver["session_id"]) == []
    await admin.execute("set session_replication_role = replica")

    await admin.execute(f"update waivers.signed set {column} = {column} - interval '20 minutes'")

    [reason] = await broken_reasons(database, seal, waiver["session_id"])
    assert "another time than the event of its document, its revocation or its erasure" in reason
