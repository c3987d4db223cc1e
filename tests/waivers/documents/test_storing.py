"""Documents are stored once and encrypted, and only the company can read them from the bucket."""

import asyncio
import hashlib
from pathlib import Path
from typing import Any

import httpx
import pytest

from cairn.db import ANON, Connection, Database
from cairn.storage import BytesMissing
from cairn.waivers import DocumentContext, Seal
from cairn.waivers.documents.errors import DocumentDamaged
from tests.factories import SAMPLE_TEMPLATE_ID, signature_data_url
from tests.people import Person
from tests.serving import serving
from tests.waiting import PATIENCE_SECONDS
from tests.waivers.documents.conftest import MakeRecord


async def test_the_first_stored_document_is_never_replaced(documents: DocumentContext, admin: Connection) -> None:
    stored_contents = set(
        await asyncio.gather(*(documents.store_once("rio/a.pdf", b"%d" % number) for number in range(16)))
    )

    assert len(stored_contents) == 1
    assert stored_contents == {await documents.find("rio/a.pdf")}
    assert await admin.fetchval("select count(*) from storage.blobs") == 1, (
        "a document that came too late leaves no bytes behind"
    )
    assert len(stored_files(documents)) == 1


async def test_documents_on_disk_are_encrypted(documents: DocumentContext) -> None:
    await documents.store_once("rio/a.pdf", b"%PDF-1.7 Gil Okafor")

    [file] = stored_files(documents)
    assert b"PDF" not in file.read_bytes()
    assert b"Gil" not in file.read_bytes()


async def test_a_document_with_another_hash_is_not_delivered(documents: DocumentContext) -> None:
    await documents.store_once("rio/a.pdf", b"one")

    with pytest.raises(DocumentDamaged, match="fingerprint"):
        await documents.load("rio/a.pdf", "ab" * 32)


async def test_a_document_whose_bytes_are_lost_is_not_replaced(
    documents: DocumentContext, seal: Seal, make_record: MakeRecord
) -> None:
    document = await documents.get_or_create(make_record(), seal)
    stored_files(documents)[0].unlink()

    with pytest.raises(BytesMissing):
        await documents.get_or_create(make_record(), seal)
    with pytest.raises(DocumentDamaged, match="it is gone"):
        await documents.load(make_record().storage_path, hashlib.sha256(document).hexdigest())


async def test_no_user_can_read_a_document_that_belongs_to_no_company(
    database: Database,
    documents: DocumentContext,
    seal: Seal,
    make_record: MakeRecord,
    rosa: Person,
    gil: Person,
) -> None:
    unowned = make_record(company_id=None)
    await documents.get_or_create(unowned, seal)

    assert await documents.find(f"unowned/{unowned.id}.pdf") is not None
    for principal in (rosa.principal, gil.principal, ANON):
        async with database.acting_as(principal) as connection:
            assert await connection.fetch("select name from storage.objects") == []


def stored_files(documents: DocumentContext) -> list[Path]:
    return [path for path in (documents.data_folder / "storage").rglob("*") if path.is_file()]


@pytest.mark.accept("STORE-13")
async def test_only_the_company_downloads_its_document_from_the_bucket(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        async with httpx.AsyncClient(base_url=server.url, headers={"apikey": server.anon_key}, timeout=20) as client:
            rosa, mallory = await sign_up(client, "rosa@rio.example"), await sign_up(client, "mallory@rapid.example")
            waiver = await sealed_waiver(client, rosa)
            path = f"/storage/v1/object/signed-waivers/{waiver['document_path']}"

            downloaded = await client.get(path, headers=bearer(rosa))
            refusals = [await client.get(path, headers=bearer(token)) for token in (mallory, server.anon_key)]
            attempts = await try_to_change(client, path, [rosa, mallory, server.service_key])
            downloaded_again = await client.get(path, headers=bearer(rosa))

    assert downloaded.headers["content-type"] == "application/pdf"
    assert hashlib.sha256(downloaded.content).hexdigest() == waiver["document_sha256"]
    assert waiver["document_path"] == f"{waiver['company_id']}/{waiver['id']}.pdf"
    assert [response.json()["code"] for response in refusals] == ["NoSuchKey", "NoSuchKey"]
    assert {response.status_code for response in attempts} == {400}
    assert downloaded_again.content == downloaded.content


async def sign_up(client: httpx.AsyncClient, email: str) -> str:
    person = {"email": email, "password": "a long walk by the river", "data": {"name": email, "role": "company"}}
    token: str = (await client.post("/auth/v1/signup", json=person)).raise_for_status().json()["access_token"]
    return token


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def sealed_waiver(client: httpx.AsyncClient, owner: str, template_id: str = SAMPLE_TEMPLATE_ID) -> dict[str, Any]:
    """Sends and signs a waiver and waits until the worker has stored its document."""
    returning = {"Prefer": "return=representation"}
    response = await client.post(
        "/rest/v1/waiver_sessions", headers={**bearer(owner), **returning},
        json={"template_id": template_id, "recipient_name": "Gil Okafor", "recipient_email": "gil@example.com"},
    )  # fmt: skip
    [session] = response.raise_for_status().json()
    signer = {"signer_name": "Gil Okafor", "signer_email": "gil@example.com", "signature": signature_data_url()}
    await client.post("/rest/v1/signed_waivers", json={"session_id": session["id"], **signer})
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            [waiver] = (await client.get("/rest/v1/signed_waivers", headers=bearer(owner))).raise_for_status().json()
            if waiver["document_path"] is not None:
                return {**waiver, "company_id": session["company_id"]}
            await asyncio.sleep(0.1)


async def try_to_change(client: httpx.AsyncClient, path: str, tokens: list[str]) -> list[httpx.Response]:
    """Tries to replace, upsert and delete the document with each token, and returns the responses."""
    pdf = {"Content-Type": "application/pdf"}
    requests = [("PUT", pdf), ("POST", {**pdf, "x-upsert": "true"}), ("DELETE", pdf)]
    return [
        await client.request(method, path, content=b"%PDF-1.7 forged", headers={**headers, **bearer(token)})
        for token in tokens
        for method, headers in requests
    ]
