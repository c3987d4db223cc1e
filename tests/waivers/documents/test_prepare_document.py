"""A signed waiver gets a sealed document."""

import hashlib
import json
from pathlib import Path

import asyncpg
import pytest

from cairn.db import ANON, Connection, Database
from cairn.waivers import DocumentContext, Seal
from cairn.waivers.documents import prepare_document
from tests.factories import make_session, make_template, sign
from tests.people import Person
from tests.waivers.documents.tools import pdfsig, pdftotext, qpdf_check

pytestmark = pytest.mark.usefixtures("pdf_tools")


async def test_a_signed_waiver_becomes_a_sealed_document(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, tmp_path: Path
) -> None:
    template = await make_template(
        database, rosa, content="# Risk\n\nI, [PARTICIPANT NAME], **ride** with [COMPANY NAME]."
    )
    session_id = await make_session(database, rosa, template)
    waiver = await sign(
        database, session_id, consent_version="2026-11", consent_language="en", time_zone="Europe/Madrid"
    )

    await prepare_document(database, documents, seal, waiver["id"])

    async with database.acting_as(rosa.principal) as connection:
        record = await connection.fetchrow("select * from signed_waivers")
    assert record is not None
    document = await documents.find(record["document_path"])
    assert document is not None
    assert record["document_path"] == f"{rosa.company}/{waiver['id']}.pdf"
    assert record["document_sha256"] == hashlib.sha256(document).hexdigest()
    assert (waiver["document_status"], record["document_status"]) == ("preparing", "ready")
    file = tmp_path / "waiver.pdf"
    file.write_bytes(document)
    assert "Signature is Valid" in pdfsig(file)
    assert "Total document signed" in pdfsig(file)
    assert "No syntax or stream encoding errors" in qpdf_check(file)
    text = pdftotext(file)
    for expected in (
        "I, Gil Okafor, ride with Rio Rafting.", "gil@example.com", str(session_id), str(waiver["id"]),
        "203.0.113.7", "A phone", "I agree to read and sign this waiver electronically", "no external timestamp",
        waiver["record_sha256"], f"{waiver['signed_at']:%Y-%m-%d %H:%M:%S} UTC", "Europe/Madrid",
    ):  # fmt: skip
        assert expected in text


async def test_preparing_a_document_is_idempotent(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, signed_waiver: asyncpg.Record
) -> None:
    await prepare_document(database, documents, seal, signed_waiver["id"])
    first = await admin.fetchrow("select * from waivers.signed")

    await prepare_document(database, documents, seal, signed_waiver["id"])

    assert await admin.fetchrow("select * from waivers.signed") == first
    assert await admin.fetchval("select count(*) from emails") == 1
    assert await admin.fetchval("select count(*) from waivers.audit_events where name = 'document.sealed'") == 1


async def test_an_open_dashboard_is_notified_when_the_document_is_ready(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, signed_waiver: asyncpg.Record
) -> None:
    await prepare_document(database, documents, seal, signed_waiver["id"])

    changes = await admin.fetch("select payload from jobs.events where name = 'row.changed' order by id")
    assert [json.loads(change["payload"])["type"] for change in changes] == ["INSERT", "UPDATE"]


SIGNED_IN_PERSON = "Signed in person"


@pytest.mark.parametrize(
    ("caller", "is_labelled"), [("bea", True), ("anon", False), ("gil", False), ("mallory", False)]
)
async def test_a_signature_made_in_person_is_labelled(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, bea: Person, gil: Person, mallory: Person,
    tmp_path: Path, caller: str, is_labelled: bool,
) -> None:  # fmt: skip
    principal = {"bea": bea.principal, "anon": ANON, "gil": gil.principal, "mallory": mallory.principal}[caller]
    waiver = await sign(database, await make_session(database, rosa), by=principal)

    await prepare_document(database, documents, seal, waiver["id"])

    text = await stored_text(documents, f"{rosa.company}/{waiver['id']}.pdf", tmp_path)
    assert (SIGNED_IN_PERSON in text) == is_labelled


async def test_a_typed_signature_is_labelled_as_typed(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, tmp_path: Path
) -> None:
    waiver = await sign(database, await make_session(database, rosa), strokes='{"typed": "Gil O."}')

    await prepare_document(database, documents, seal, waiver["id"])

    assert "Typed: Gil O." in await stored_text(documents, f"{rosa.company}/{waiver['id']}.pdf", tmp_path)


async def stored_text(documents: DocumentContext, path: str, folder: Path) -> str:
    file = folder / "waiver.pdf"
    file.write_bytes(await documents.find(path) or b"")
    return pdftotext(file)
