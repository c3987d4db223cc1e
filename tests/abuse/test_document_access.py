"""Only people who are entitled to a sealed PDF can open it. Its id, which is printed on it, is not enough."""

import re
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import httpx
import pytest
import pytest_asyncio

from cairn.db import ANON, SERVICE, Connection, Database
from cairn.jobs import OutboxNotifier
from cairn.kit import now
from cairn.waivers import DOCUMENT_LINK_PATH, DocumentContext, Seal, document_link_page, fetch_document
from cairn.waivers.documents import prepare_document
from cairn.waivers.documents.errors import DocumentMissing
from tests.factories import DOCUMENT_SECRET as SECRET
from tests.factories import make_session, sign, signature_data_url
from tests.functions_service import functions_client, make_functions_context
from tests.people import Person

DOCUMENT_LINK = re.compile(r"\S+(/documents/\S+)")


@pytest_asyncio.fixture
async def functions(
    database: Database,
    notifier: OutboxNotifier,
    documents: DocumentContext,
    rosa: Person,
    gil: Person,
    mallory: Person,
) -> AsyncIterator[httpx.AsyncClient]:
    people = {"rosa": rosa.principal, "gil": gil.principal, "mallory": mallory.principal, "anon": ANON}
    async with functions_client(make_functions_context(database, notifier, documents), people) as client:
        yield client


@pytest_asyncio.fixture
async def links(database: Database, documents: DocumentContext) -> AsyncIterator[httpx.AsyncClient]:
    app = document_link_page(database, documents)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://cairn") as client:
        yield client


@pytest_asyncio.fixture
async def waiver_id(database: Database, documents: DocumentContext, seal: Seal, rosa: Person) -> UUID:
    """Returns the id of a waiver with a sealed document. The browser of its signer chose `SECRET`."""
    return await sealed_waiver(database, documents, seal, rosa, document_secret=SECRET)


async def sealed_waiver(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, **columns: Any
) -> UUID:
    waiver_id: UUID = (await sign(database, await make_session(database, rosa), **columns))["id"]
    await prepare_document(database, documents, seal, waiver_id)
    return waiver_id


async def status_of(client: httpx.AsyncClient, caller: str, function: str, waiver_id: UUID, **body: object) -> int:
    headers = {"Authorization": f"Bearer {caller}"}
    response = await client.post(f"/{function}", json={"waiver_id": str(waiver_id), **body}, headers=headers)
    return response.status_code


@pytest.mark.parametrize("function", ["waiver-document", "email-copy"])
@pytest.mark.parametrize("caller", ["anon", "gil", "mallory"])
@pytest.mark.accept("SAFE-22", "GUEST-11", "STORE-13")
async def test_the_id_alone_opens_nothing(
    functions: httpx.AsyncClient, waiver_id: UUID, caller: str, function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Gil has not proven that the signer's address is his."""
    monkeypatch.setattr("cairn.functions.email_copy._WAIT_SECONDS", 0.1)

    assert await status_of(functions, caller, function, waiver_id) == 404
    assert await status_of(functions, caller, function, waiver_id, secret=None) == 404
    assert await status_of(functions, caller, function, waiver_id, secret="") == 404
    assert await status_of(functions, caller, function, waiver_id, secret=str(waiver_id)) == 404


@pytest.mark.parametrize("function", ["waiver-document", "email-copy"])
@pytest.mark.accept("SAFE-22")
async def test_the_browser_that_signed_opens_the_document_with_its_secret(
    functions: httpx.AsyncClient, waiver_id: UUID, function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cairn.functions.email_copy._WAIT_SECONDS", 0.1)

    assert await status_of(functions, "anon", function, waiver_id, secret=SECRET) == 200
    assert await status_of(functions, "anon", function, uuid4(), secret=SECRET) == 404
    assert await status_of(functions, "anon", function, waiver_id, secret=SECRET.upper()) == 404


async def test_the_secret_of_one_waiver_does_not_open_another(
    functions: httpx.AsyncClient,
    database: Database,
    documents: DocumentContext,
    seal: Seal,
    rosa: Person,
    waiver_id: UUID,
) -> None:
    other_waiver_id = await sealed_waiver(database, documents, seal, rosa, document_secret=str(uuid4()))
    waiver_without_secret = await sealed_waiver(database, documents, seal, rosa)

    assert await status_of(functions, "anon", "waiver-document", waiver_id, secret=SECRET) == 200
    assert await status_of(functions, "anon", "waiver-document", other_waiver_id, secret=SECRET) == 404
    assert await status_of(functions, "anon", "waiver-document", waiver_without_secret, secret=SECRET) == 404


@pytest.mark.accept("SAFE-22")
async def test_the_secret_opens_the_document_for_only_one_day(
    database: Database, documents: DocumentContext, waiver_id: UUID, rosa: Person
) -> None:
    later = now() + timedelta(hours=25)

    assert await fetch_document(database, documents, ANON, waiver_id, now() + timedelta(hours=23), secret=SECRET)
    with pytest.raises(DocumentMissing):
        await fetch_document(database, documents, ANON, waiver_id, later, secret=SECRET)
    assert await fetch_document(database, documents, rosa.principal, waiver_id, later)


async def test_only_the_hash_of_the_secret_is_stored(database: Database, admin: Connection, rosa: Person) -> None:
    waiver = await sign(database, await make_session(database, rosa), document_secret=SECRET)

    async with database.acting_as(rosa.principal) as connection:
        assert await connection.fetchval("select document_secret from signed_waivers") is None
    assert waiver["document_secret"] is None
    stored = await admin.fetchval("select to_jsonb(w)::text from waivers.signed w")
    events = await admin.fetchval("select jsonb_agg(to_jsonb(e))::text from waivers.audit_events e")
    outbox = await admin.fetchval("select jsonb_agg(to_jsonb(e))::text from jobs.events e")
    assert "document_secret_sha256" in stored
    assert SECRET not in stored + events + outbox


async def test_a_secret_that_can_be_guessed_is_refused(database: Database, admin: Connection, rosa: Person) -> None:
    with pytest.raises(asyncpg.PostgresError, match="must have at least 32 characters"):
        await sign(database, await make_session(database, rosa), document_secret="1234")

    assert await admin.fetchval("select count(*) from waivers.signed") == 0


async def test_repeating_the_signature_does_not_replace_the_secret(
    functions: httpx.AsyncClient, database: Database, documents: DocumentContext, seal: Seal, rosa: Person
) -> None:
    session_id, waiver_id = await make_session(database, rosa), uuid4()
    for secret in (SECRET, "0" * 36):
        await sign(database, session_id, id=waiver_id, document_secret=secret)
    await prepare_document(database, documents, seal, waiver_id)

    assert await status_of(functions, "anon", "waiver-document", waiver_id, secret=SECRET) == 200
    assert await status_of(functions, "anon", "waiver-document", waiver_id, secret="0" * 36) == 404


async def test_signing_again_does_not_open_the_first_document(
    functions: httpx.AsyncClient, database: Database, rosa: Person, documents: DocumentContext, seal: Seal
) -> None:
    """A visitor with the link of a session can sign it again, but reads only their own document."""
    session_id = await make_session(database, rosa)
    first = (await sign(database, session_id))["id"]
    await prepare_document(database, documents, seal, first)
    await sign(database, session_id, signature=signature_data_url(b"\xff\x00\x00\xff"), document_secret=SECRET)

    assert await status_of(functions, "anon", "waiver-document", first, secret=SECRET) == 404


@pytest.mark.accept("SAFE-22")
async def test_the_link_in_the_email_opens_the_document_for_as_long_as_it_is_kept(
    links: httpx.AsyncClient, admin: Connection, documents: DocumentContext, rosa: Person, waiver_id: UUID
) -> None:
    body = await admin.fetchval("select body from emails")
    link = DOCUMENT_LINK.search(body)
    assert link is not None
    path = link[1].removeprefix(DOCUMENT_LINK_PATH)

    response = await links.get(path)

    assert response.content == await documents.find(f"{rosa.company}/{waiver_id}.pdf")
    assert response.headers["content-type"] == "application/pdf"
    assert response.headers["cache-control"] == "no-store"
    assert response.headers["referrer-policy"] == "no-referrer"
    for other_path in (path[:-1], f"/{waiver_id}", f"/{SECRET}", "/%FF%00"):
        assert (await links.get(other_path)).status_code == 404


@pytest.mark.parametrize("statement", ["select * from waivers.document_links", "delete from waivers.document_links"])
async def test_no_client_reads_or_writes_the_links(
    database: Database, rosa: Person, mallory: Person, waiver_id: UUID, statement: str
) -> None:
    forged = f"insert into waivers.document_links (secret_sha256, waiver_id) values ('\\x00', '{waiver_id}')"
    for principal in (ANON, mallory.principal, rosa.principal):
        for attempt in (statement, forged):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                async with database.acting_as(principal) as connection:
                    await connection.execute(attempt)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.acting_as(SERVICE) as connection:
            await connection.execute("delete from waivers.document_links")
