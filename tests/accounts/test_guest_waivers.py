"""What a guest with an account sees: the waivers of every company, once the address is proven to be theirs."""

from datetime import timedelta
from typing import Any

import pytest

from cairn.db import Connection, Database
from cairn.kit import now
from cairn.waivers import DocumentContext, Seal, fetch_document
from cairn.waivers.documents import prepare_document
from cairn.waivers.documents.errors import DocumentMissing
from tests.accounts.conftest import GIL, House
from tests.cast import Person
from tests.make import make_session, sign

LIST = "select * from my_waivers()"
TABLES = ("waiver_sessions", "signed_waivers", "waiver_templates", "sent_waivers", "emails", "notifications")
LONG_AFTER = timedelta(days=90)


async def state(house: House, session: dict[str, Any]) -> tuple[str, int]:
    """What the page is told of the address, and how many waivers it lists."""
    [address] = await house.ask(session, "select my_address() as is")
    return address["is"], len(await house.ask(session, LIST))


@pytest.mark.accept("GUEST-07")
async def test_a_proven_guest_sees_pending_and_signed_waivers_of_all_companies(
    house: House, database: Database, rosa: Person, mallory: Person, admin: Connection
) -> None:
    await sign(database, await make_session(database, rosa))
    pending = await make_session(database, mallory, email="GIL@example.com")
    expired = await make_session(database, mallory)
    await admin.execute("update waivers.sessions set expires_at = now() where id = $1", expired)
    await make_session(database, rosa, email="hana@example.com", name="Hana Sato")
    await house.sign_up(GIL)

    rows = await house.ask(await house.open_the_mail(GIL), LIST)

    assert {(row["company_name"], row["status"]) for row in rows} == {
        ("Rio Rafting", "signed"),
        ("Rapid Rivals", "pending"),
        ("Rapid Rivals", "expired"),
    }
    assert pending in {row["session_id"] for row in rows}
    assert [row["document_status"] for row in rows if row["status"] == "signed"] == ["preparing"]


@pytest.mark.accept("GUEST-08")
async def test_before_the_address_is_verified_the_list_is_empty(house: House, database: Database, rosa: Person) -> None:
    await make_session(database, rosa)
    session = await house.sign_up(GIL)

    assert await state(house, session) == ("unverified", 0)
    assert await state(house, await house.open_the_mail(GIL)) == ("proven", 1)


async def test_whoever_signed_up_with_a_strangers_address_sees_nothing_when_the_stranger_confirms(
    house: House, database: Database, rosa: Person
) -> None:
    await make_session(database, rosa)
    impostor = await house.sign_up(GIL)

    stranger = await house.open_the_mail(GIL)

    assert await state(house, impostor) == ("sign in again", 0)
    assert await state(house, stranger) == ("proven", 1)


async def test_a_changed_address_must_be_proven_by_a_new_session(
    house: House, database: Database, rosa: Person
) -> None:
    await make_session(database, rosa, email="hana@example.com")
    await house.sign_up(GIL)
    mover = await house.open_the_mail(GIL)
    await house.visitor.change(mover, email="hana@example.com")
    for address in (GIL, "hana@example.com"):
        await house.visitor.press((await house.mail.newest(address)).path)

    assert await state(house, mover) == ("sign in again", 0)
    assert await state(house, await house.sign_in("hana@example.com")) == ("proven", 1)


async def test_a_session_that_was_ended_sees_nothing_more(house: House, database: Database, rosa: Person) -> None:
    await make_session(database, rosa)
    await house.sign_up(GIL)
    session = await house.open_the_mail(GIL)
    await house.visitor.log_out(session, "local")

    # The token itself lives on for an hour.
    assert await house.ask(session, LIST) == []


@pytest.mark.accept("GUEST-11")
async def test_a_guest_reads_nothing_of_anybody_else(
    house: House, database: Database, rosa: Person, documents: DocumentContext, seal: Seal, admin: Connection
) -> None:
    session_id = await make_session(database, rosa, name="Hana Sato", email="hana@example.com")
    waiver = await sign(database, session_id, name="Hana Sato", signer_email="hana@example.com")
    await prepare_document(database, documents, seal, waiver["id"])
    await house.sign_up(GIL)
    gil = await house.open_the_mail(GIL)

    for relation in (
        "waiver_sessions",
        "signed_waivers",
        "waiver_templates",
        "waivers.audit_events",
        "storage.objects",
    ):
        assert await house.ask(gil, f"select * from {relation}") == [], relation
    assert await house.ask(gil, LIST) == []
    with pytest.raises(DocumentMissing):
        await fetch_document(database, documents, house.principal(gil), waiver["id"], now() + LONG_AFTER)
    assert await admin.fetchval("select count(*) from storage.objects") == 1, "there was something to see"


async def test_the_signer_fetches_the_document_for_as_long_as_it_exists(
    house: House, database: Database, rosa: Person, documents: DocumentContext, seal: Seal
) -> None:
    waiver = await sign(database, await make_session(database, rosa))
    await prepare_document(database, documents, seal, waiver["id"])
    unproven = await house.sign_up(GIL)
    proven = await house.open_the_mail(GIL)

    document = await fetch_document(database, documents, house.principal(proven), waiver["id"], now() + LONG_AFTER)

    assert document is not None
    assert document.content.startswith(b"%PDF")
    with pytest.raises(DocumentMissing):
        await fetch_document(database, documents, house.principal(unproven), waiver["id"], now() + LONG_AFTER)
