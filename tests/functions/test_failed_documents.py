"""H3: everyone who may download a document learns why it cannot be made.

H3 is a finding in docs/security.md.
"""

import io
import zipfile

import httpx
import pytest
import pytest_asyncio
from asyncpg import Record

from cairn.db import SERVICE, Database
from cairn.waivers.documents import store
from tests.factories import DOCUMENT_SECRET, make_session, make_template, sign
from tests.functions.test_documents import call
from tests.people import Person

TEXT = "I take part at my own risk."


@pytest_asyncio.fixture
async def waiver(database: Database, rosa: Person) -> Record:
    """A waiver whose document could not be made. Here the test records the failure instead of the renderer."""
    template_id = await make_template(database, rosa, content=TEXT)
    signed = await sign(database, await make_session(database, rosa, template_id), document_secret=DOCUMENT_SECRET)
    async with database.acting_as(SERVICE) as connection:
        await store.record_failure(connection, signed["id"], "it needs more memory than allowed", is_final=True)
    return signed


@pytest.mark.parametrize("caller", ["rosa", "anon"])
async def test_a_download_says_that_the_text_is_too_long(
    client: httpx.AsyncClient, waiver: Record, caller: str
) -> None:
    response = await call(client, caller, "waiver-document", parameters_of(waiver))

    assert (response.status_code, response.json()["code"]) == (422, "document_failed")
    assert response.json()["error"] == "This waiver is signed and stored, but its text is too long for a PDF."


async def test_a_rival_learns_nothing(client: httpx.AsyncClient, waiver: Record) -> None:
    for name in ("waiver-document", "email-copy", "evidence-pack"):
        response = await call(client, "mallory", name, {"waiver_id": str(waiver["id"])})
        assert (response.status_code, response.json()["code"]) == (404, "document_missing")


async def test_a_request_for_the_emailed_copy_says_that_there_is_none(
    client: httpx.AsyncClient, waiver: Record
) -> None:
    response = await call(client, "anon", "email-copy", parameters_of(waiver))

    assert response.json() == {
        "status": "no_document",
        "says": "This text is too long for a PDF. Please ask the company for a copy. Your signature is safe.",
    }


async def test_the_printed_link_says_that_there_is_no_document(client: httpx.AsyncClient, waiver: Record) -> None:
    response = await call(client, "anon", "verify-document", {"waiver_id": str(waiver["id"])})

    assert (response.json()["state"], response.json()["on_record"]) == ("failed", False)


async def test_the_company_gets_the_evidence_without_the_document(client: httpx.AsyncClient, waiver: Record) -> None:
    response = await call(client, "rosa", "evidence-pack", {"waiver_id": str(waiver["id"])})

    archive = zipfile.ZipFile(io.BytesIO(response.content))
    assert "waiver.pdf" not in archive.namelist()
    assert archive.read("text.md").decode() == TEXT
    assert "Chain of events: intact" in archive.read("timeline.txt").decode()


def parameters_of(waiver: Record) -> dict[str, str]:
    return {"waiver_id": str(waiver["id"]), "secret": DOCUMENT_SECRET}
