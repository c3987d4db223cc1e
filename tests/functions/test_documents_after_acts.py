"""A company has corrected the recipient of a waiver, or has revoked the waiver.

The verdict, the evidence pack and documents that are prepared later show it. A finished document keeps its bytes.
"""

import io
import json
import zipfile
from pathlib import Path

import httpx
from asyncpg import Record

from cairn.db import Database
from cairn.waivers import DocumentContext, Seal
from cairn.waivers.documents import prepare_document
from tests.factories import make_session, sign
from tests.functions.conftest import SignAndSeal
from tests.functions.test_documents import call
from tests.people import Person
from tests.waivers.acts import correct_recipient, revoke
from tests.waivers.documents.tools import pdftotext


async def test_anyone_who_verifies_a_document_sees_that_it_was_revoked_but_not_why(
    client: httpx.AsyncClient, database: Database, rosa: Person, sign_and_seal: SignAndSeal
) -> None:
    waiver, document = await sign_and_seal()
    before = (await call(client, "anon", "verify-document", document)).json()
    await revoke(database, rosa, waiver["id"], "Signed by the neighbour.")

    for body in (document, {"waiver_id": str(waiver["id"])}):
        response = await call(client, "anon", "verify-document", body)
        assert response.json()["revoked_at"] is not None
        assert response.json()["history"] == "intact"
        assert "neighbour" not in response.text
    assert before["revoked_at"] is None
    assert (await call(client, "anon", "verify-document", document)).json()["state"] == "unchanged"
    assert (await call(client, "rosa", "waiver-document", {"waiver_id": str(waiver["id"])})).content == document


async def test_the_evidence_pack_contains_the_revocation(
    client: httpx.AsyncClient, database: Database, rosa: Person, sign_and_seal: SignAndSeal
) -> None:
    waiver, _ = await sign_and_seal()
    await revoke(database, rosa, waiver["id"], "Signed by the neighbour.")

    response = await call(client, "rosa", "evidence-pack", {"waiver_id": str(waiver["id"])})

    with zipfile.ZipFile(io.BytesIO(response.content)) as pack:
        timeline, record = pack.read("timeline.txt").decode(), json.loads(pack.read("record.json"))
    assert "Revoked by the company  reason: Signed by the neighbour. · by Rosa Marín" in timeline
    assert "Chain of events: intact" in timeline
    assert record["revoke_reason"] == "Signed by the neighbour."


async def test_the_document_shows_that_the_recipient_was_corrected(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, tmp_path: Path
) -> None:
    old_id = await make_session(database, rosa, email="gill@example.com")
    corrected_id = await correct_recipient(database, rosa, old_id, email="gil@example.com")
    waiver = await sign(database, corrected_id)

    await prepare_document(database, documents, seal, waiver["id"])

    text = await document_text(documents, rosa, waiver, tmp_path)
    assert "Recipient corrected by the company" in text
    assert str(old_id) in text
    assert "gill@example.com" not in text


async def test_a_document_that_is_sealed_after_the_waiver_was_revoked_says_so_without_the_reason(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, tmp_path: Path
) -> None:
    waiver = await sign(database, await make_session(database, rosa))
    await revoke(database, rosa, waiver["id"], "Signed by the neighbour.")

    await prepare_document(database, documents, seal, waiver["id"])

    text = await document_text(documents, rosa, waiver, tmp_path)
    assert "Revoked by the company" in text
    assert "neighbour" not in text


async def document_text(documents: DocumentContext, rosa: Person, waiver: Record, folder: Path) -> str:
    document = await documents.find(f"{rosa.company}/{waiver['id']}.pdf")
    assert document is not None
    file = folder / "waiver.pdf"
    file.write_bytes(document)
    return pdftotext(file)
