"""Verification tells anyone whether a document is genuine, and names no one."""

import hashlib
from collections.abc import AsyncIterator
from datetime import datetime

import httpx
import pytest
import pytest_asyncio
from asyncpg import Record

from cairn.db import ANON, Database
from cairn.jobs import OutboxNotifier
from cairn.waivers import DocumentContext, Seal
from cairn.waivers.documents import prepare_document
from tests.factories import make_session, make_template, sign
from tests.functions_service import functions_client, make_functions_context
from tests.people import Person

PUBLIC_FIELDS = {
    "state", "says", "waiver_id", "on_record", "document_sha256", "sealed_at", "timestamped_at", "history",
    "head_signed_at", "head_timestamp", "head_timestamped_at", "revoked_at", "erased_at",
}  # fmt: skip


@pytest_asyncio.fixture
async def visitor(
    database: Database, notifier: OutboxNotifier, documents: DocumentContext
) -> AsyncIterator[httpx.AsyncClient]:
    context = make_functions_context(database, notifier, documents)
    async with functions_client(context, {"anon": ANON}) as client:
        client.headers["Authorization"] = "Bearer anon"
        yield client


async def sealed_waiver(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person
) -> tuple[Record, bytes]:
    template = await make_template(database, rosa, name="Bachelor party of Otto Maier")
    waiver = await sign(database, await make_session(database, rosa, template))
    await prepare_document(database, documents, seal, waiver["id"])
    document = await documents.find(f"{rosa.company}/{waiver['id']}.pdf")
    assert document is not None
    return waiver, document


@pytest.mark.accept("SAFE-23")
async def test_verifying_a_file_or_a_printed_link_names_no_one(
    visitor: httpx.AsyncClient, database: Database, documents: DocumentContext, seal: Seal, rosa: Person
) -> None:
    waiver, document = await sealed_waiver(database, documents, seal, rosa)

    by_file = await visitor.post("/verify-document", content=document)
    by_link = await visitor.post("/verify-document", json={"waiver_id": str(waiver["id"])})

    assert (by_file.json()["state"], by_link.json()["state"]) == ("unchanged", "on_record")
    for response in (by_file, by_link):
        assert response.json().keys() <= PUBLIC_FIELDS
        assert response.json()["document_sha256"] == hashlib.sha256(document).hexdigest()
        assert datetime.fromisoformat(response.json()["sealed_at"]).tzinfo is not None
        for name in ("Gil", "Okafor", "gil@example.com", "Rio Rafting", "Otto Maier", str(rosa.company), "Rosa"):
            assert name not in response.text


async def test_a_waiver_without_its_document_is_reported_without_a_name(
    visitor: httpx.AsyncClient, database: Database, rosa: Person
) -> None:
    waiver = await sign(database, await make_session(database, rosa))

    response = await visitor.post("/verify-document", json={"waiver_id": str(waiver["id"])})

    assert response.json().keys() <= PUBLIC_FIELDS
    assert response.json()["state"] == "preparing"
