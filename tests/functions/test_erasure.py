"""After a waiver is erased, no data about the person is stored any more, and a copy of its document still verifies."""

from pathlib import Path
from uuid import UUID

import httpx
import pytest
import pytest_asyncio

from cairn.db import Connection, Database
from cairn.waivers import DocumentContext, Seal
from cairn.waivers.documents import prepare_document
from tests.factories import make_session, record_sending, sign, signature_data_url
from tests.functions.stored_data import expect_all_stored, expect_none_stored
from tests.functions.test_documents import call
from tests.people import Person
from tests.waiting import wait_until_true
from tests.waivers.acts import correct_recipient, erase, history, revoke

WRONG_NAME, WRONG_EMAIL = "Cebulon Kwist", "cebulon@example.net"
NAME, EMAIL, IP = "Zebulon Quist", "zebulon@example.org", "203.0.113.99"
SIGNATURE = signature_data_url(b"\x13\x37\x42\xff")
STROKES = '[[{"x": 31.4159, "y": 27.1828, "time": 0}]]'


@pytest_asyncio.fixture
async def signed_session(
    client: httpx.AsyncClient,
    database: Database,
    admin: Connection,
    rosa: Person,
    worker: None,  # noqa: ARG001 - the worker runs during the test
) -> tuple[UUID, UUID]:
    """Zebulon was invited by email, opened the link and signed. Returns the ids of the session and of the waiver.

    Rosa had corrected his name and his address before. She gets an email for each signature. She has downloaded the
    document, exported the evidence pack and revoked the waiver.
    """
    await admin.execute("update profiles set email_on_signing = true")
    wrong_session_id = await make_session(database, rosa, name=WRONG_NAME, email=WRONG_EMAIL)
    await record_sending(database, rosa, wrong_session_id)
    session_id = await correct_recipient(database, rosa, wrong_session_id, NAME, EMAIL)
    message = {"to": EMAIL, "subject": f"Hello {NAME}", "body": f"Dear {NAME}", "sessionId": str(session_id)}
    await call(client, "rosa", "send-email", message)
    async with database.acting_as(rosa.principal, {"request.ip": IP}) as connection:
        await connection.execute("select note_waiver_view($1, 100, 'en')", session_id)
    waiver = await sign(
        database, session_id, name=NAME, signer_email=EMAIL, ip=IP, signature=SIGNATURE, strokes=STROKES,
        time_zone="Asia/Tokyo",
    )  # fmt: skip
    await wait_until_true(admin, "select count(*) = 3 from emails where status = 'delivered'")
    await wait_until_true(admin, "select exists (select from notifications)")
    for function in ("waiver-document", "evidence-pack"):
        assert (await call(client, "rosa", function, {"waiver_id": str(waiver["id"])})).status_code == 200
    await revoke(database, rosa, waiver["id"], f"{NAME} signed the wrong text")
    return session_id, waiver["id"]


def stored_files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.accept("TRUE-13")
async def test_no_byte_about_the_person_is_left(
    database: Database,
    admin: Connection,
    admin_url: str,
    documents: DocumentContext,
    rosa: Person,
    signed_session: tuple[UUID, UUID],
) -> None:
    session_id, waiver_id = signed_session
    personal = [NAME, "Zebulon", EMAIL, WRONG_NAME, WRONG_EMAIL, IP, SIGNATURE[-40:], "31.4159", "Asia/Tokyo"]
    await expect_all_stored(personal, admin_url)
    assert len(stored_files(documents.data_folder / "storage")) == 1

    await erase(database, rosa, waiver_id)

    await wait_until_true(admin, "select not exists (select from storage.objects)")
    await wait_until_true(admin, "select not exists (select from storage.blobs)")
    await expect_none_stored(personal, admin_url)
    assert stored_files(documents.data_folder / "storage") == []
    assert await admin.fetch("select * from waivers.broken_evidence()") == []
    assert (await history(database, rosa, session_id))[-1][0] == "waiver.erased"


@pytest.mark.accept("TRUE-13")
async def test_a_copy_of_an_erased_document_is_still_verified(
    client: httpx.AsyncClient, database: Database, rosa: Person, signed_session: tuple[UUID, UUID]
) -> None:
    _, waiver_id = signed_session
    document = (await call(client, "rosa", "waiver-document", {"waiver_id": str(waiver_id)})).content

    await erase(database, rosa, waiver_id)

    by_file = (await call(client, "anon", "verify-document", document)).json()
    by_id = (await call(client, "anon", "verify-document", {"waiver_id": str(waiver_id)})).json()
    assert (by_file["state"], by_file["on_record"], by_file["history"]) == ("unchanged", True, "intact")
    assert (by_id["state"], by_id["history"]) == ("erased", "intact")
    assert by_file["erased_at"] == by_id["erased_at"] is not None


@pytest.mark.parametrize("function", ["waiver-document", "evidence-pack"])
async def test_an_erased_waiver_has_no_document_any_more(
    client: httpx.AsyncClient, database: Database, rosa: Person, signed_session: tuple[UUID, UUID], function: str
) -> None:
    _, waiver_id = signed_session
    await erase(database, rosa, waiver_id)

    response = await call(client, "rosa", function, {"waiver_id": str(waiver_id)})

    assert (response.status_code, response.json()["code"]) == (410, "waiver_erased")


async def test_no_copy_of_an_erased_waiver_is_mailed_again(
    client: httpx.AsyncClient, database: Database, admin: Connection, rosa: Person, signed_session: tuple[UUID, UUID]
) -> None:
    """The copy had failed, and a new one would be mailed to the address "(erased)", with a new link to the document."""
    _, waiver_id = signed_session
    await admin.execute("update emails set status = 'failed' where kind = 'copy'")
    await erase(database, rosa, waiver_id)

    response = await call(client, "rosa", "email-copy", {"waiver_id": str(waiver_id)})

    assert (response.status_code, response.json()["code"]) == (410, "waiver_erased")
    assert await admin.fetchval("select count(*) from emails where kind = 'copy'") == 1
    assert await admin.fetchval("select count(*) from waivers.document_links") == 0


async def test_a_document_that_is_being_made_during_the_erasure_is_not_kept(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The waiver is erased after the document was rendered and stored, but before it is attached to the record."""
    waiver = await sign(database, await make_session(database, rosa))
    store_once = DocumentContext.store_once

    async def erase_meanwhile(context: DocumentContext, path: str, document: bytes) -> bytes:
        stored = await store_once(context, path, document)
        await erase(database, rosa, waiver["id"])
        return stored

    monkeypatch.setattr(DocumentContext, "store_once", erase_meanwhile)

    await prepare_document(database, documents, seal, waiver["id"])

    assert stored_files(documents.data_folder / "storage") == []
    async with database.acting_as(rosa.principal) as connection:
        assert await connection.fetchval("select document_path from signed_waivers") is None


async def test_the_file_of_a_worker_that_ended_during_the_erasure_is_deleted(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small finding of the fifth review: the file stayed if the worker ended before it attached the file."""
    waiver = await sign(database, await make_session(database, rosa))
    store_once = DocumentContext.store_once

    async def erase_and_end(context: DocumentContext, path: str, document: bytes) -> bytes:
        await store_once(context, path, document)
        await erase(database, rosa, waiver["id"])
        raise ConnectionError("The worker ended.")

    with monkeypatch.context() as patch:
        patch.setattr(DocumentContext, "store_once", erase_and_end)
        with pytest.raises(ConnectionError):
            await prepare_document(database, documents, seal, waiver["id"])
    assert stored_files(documents.data_folder / "storage") != []

    await prepare_document(database, documents, seal, waiver["id"])

    assert stored_files(documents.data_folder / "storage") == []


async def test_a_rival_who_uses_the_ids_of_others_erases_none_of_their_messages(
    database: Database, admin: Connection, mallory: Person, signed_session: tuple[UUID, UUID]
) -> None:
    """Clients choose ids: the rival's session has the id of Rosa's waiver, and its waiver has the id of her session."""
    session_id, waiver_id = signed_session
    before = await admin.fetch("select * from emails order by id")
    notifications = await admin.fetch("select * from notifications order by id")
    async with database.acting_as(mallory.principal) as connection:
        await connection.execute(
            "insert into waiver_sessions (id, template_id) values ($1, 'template-general-liability')", waiver_id
        )
    await sign(database, waiver_id, id=session_id)

    await erase(database, mallory, session_id)

    assert await admin.fetch(
        "select * from emails where company_id is distinct from $1 order by id", mallory.company
    ) == [row for row in before if row["company_id"] != mallory.company]
    assert await admin.fetch(
        "select * from notifications where id = any ($1)", [row["id"] for row in notifications]
    ) == (notifications)
