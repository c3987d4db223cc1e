"""A guest with an account and a verified email address sees their own waivers from all companies."""

from datetime import timedelta
from typing import Any

import pytest

from cairn.db import ANON, SERVICE, Connection, Database
from cairn.kit import now
from cairn.waivers import DocumentContext, Seal, fetch_document
from cairn.waivers.documents import prepare_document
from cairn.waivers.documents.errors import DocumentMissing
from tests.abuse.test_samples import open_session_as_visitor
from tests.accounts.conftest import GIL, Accounts
from tests.factories import make_session, make_template, request_settings, sign
from tests.people import Person
from tests.waivers.acts import cancel, revoke

LIST_WAIVERS = "select * from my_waivers()"
LONG_AFTER = timedelta(days=90)


async def address_and_count(accounts: Accounts, session: dict[str, Any]) -> tuple[str, int]:
    """Returns the state of the email address that the page shows, and how many waivers it lists."""
    [address] = await accounts.fetch(session, "select my_address() as state")
    return address["state"], len(await accounts.fetch(session, LIST_WAIVERS))


@pytest.mark.accept("GUEST-07")
async def test_a_verified_guest_sees_pending_and_signed_waivers_of_all_companies(
    accounts: Accounts, database: Database, rosa: Person, mallory: Person, admin: Connection
) -> None:
    await sign(database, await make_session(database, rosa))
    pending = await make_session(database, mallory, email="GIL@example.com")
    expired = await make_session(database, mallory)
    await admin.execute("update waivers.sessions set expires_at = now() where id = $1", expired)
    await make_session(database, rosa, email="hana@example.com", name="Hana Sato")
    await accounts.sign_up(GIL)

    rows = await accounts.fetch(await accounts.open_emailed_link(GIL), LIST_WAIVERS)

    assert {(row["company_name"], row["status"]) for row in rows} == {
        ("Rio Rafting", "signed"),
        ("Rapid Rivals", "pending"),
        ("Rapid Rivals", "expired"),
    }
    assert pending in {row["session_id"] for row in rows}
    assert [row["document_status"] for row in rows if row["status"] == "signed"] == ["preparing"]


async def test_a_cancelled_waiver_is_no_longer_listed_and_a_revoked_one_is_marked(
    accounts: Accounts, database: Database, rosa: Person
) -> None:
    pending, cancelled = await make_session(database, rosa), await make_session(database, rosa)
    waiver = await sign(database, await make_session(database, rosa))
    await cancel(database, rosa, cancelled)
    await revoke(database, rosa, waiver["id"])
    await accounts.sign_up(GIL)

    rows = await accounts.fetch(await accounts.open_emailed_link(GIL), LIST_WAIVERS)

    assert {(row["session_id"], row["status"]) for row in rows} == {
        (pending, "pending"),
        (waiver["session_id"], "revoked"),
    }


@pytest.mark.accept("GUEST-08")
async def test_before_the_address_is_verified_the_list_is_empty(
    accounts: Accounts, database: Database, rosa: Person
) -> None:
    await make_session(database, rosa)
    session = await accounts.sign_up(GIL)

    assert await address_and_count(accounts, session) == ("unverified", 0)
    assert await address_and_count(accounts, await accounts.open_emailed_link(GIL)) == ("proven", 1)


async def test_signing_up_with_someone_elses_address_shows_nothing_even_after_they_confirm_it(
    accounts: Accounts, database: Database, rosa: Person
) -> None:
    await make_session(database, rosa)
    impostor = await accounts.sign_up(GIL)

    owner = await accounts.open_emailed_link(GIL)

    assert await address_and_count(accounts, impostor) == ("sign in again", 0)
    assert await address_and_count(accounts, owner) == ("proven", 1)


async def test_after_a_change_of_address_only_a_new_session_sees_waivers(
    accounts: Accounts, database: Database, rosa: Person
) -> None:
    await make_session(database, rosa, email="hana@example.com")
    await accounts.sign_up(GIL)
    before_the_change = await accounts.open_emailed_link(GIL)
    await accounts.visitor.change(before_the_change, email="hana@example.com")
    for address in (GIL, "hana@example.com"):
        await accounts.visitor.follow_email_link((await accounts.mail.newest(address)).path)

    assert await address_and_count(accounts, before_the_change) == ("sign in again", 0)
    assert await address_and_count(accounts, await accounts.sign_in("hana@example.com")) == ("proven", 1)


async def test_an_ended_session_sees_nothing(accounts: Accounts, database: Database, rosa: Person) -> None:
    await make_session(database, rosa)
    await accounts.sign_up(GIL)
    session = await accounts.open_emailed_link(GIL)
    await accounts.visitor.log_out(session, "local")

    # The access token itself stays valid for an hour.
    assert await accounts.fetch(session, LIST_WAIVERS) == []


@pytest.mark.accept("GUEST-11")
async def test_a_guest_cannot_read_the_waivers_of_other_people(
    accounts: Accounts, database: Database, rosa: Person, documents: DocumentContext, seal: Seal, admin: Connection
) -> None:
    session_id = await make_session(database, rosa, name="Hana Sato", email="hana@example.com")
    waiver = await sign(database, session_id, name="Hana Sato", signer_email="hana@example.com")
    await prepare_document(database, documents, seal, waiver["id"])
    await accounts.sign_up(GIL)
    gil = await accounts.open_emailed_link(GIL)

    for relation in (
        "waiver_sessions",
        "signed_waivers",
        "waiver_templates",
        "waivers.audit_events",
        "storage.objects",
    ):
        assert await accounts.fetch(gil, f"select * from {relation}") == [], relation
    assert await accounts.fetch(gil, LIST_WAIVERS) == []
    for time in (now(), now() + LONG_AFTER):
        with pytest.raises(DocumentMissing):
            await fetch_document(database, documents, accounts.principal(gil), waiver["id"], time)
    assert await admin.fetchval("select count(*) from storage.objects") == 1, "there was something to see"


@pytest.mark.accept("GUEST-11")
async def test_a_guest_lists_no_templates_and_reads_the_text_that_was_sent_to_them(
    accounts: Accounts, database: Database, rosa: Person
) -> None:
    sent, other = await make_template(database, rosa, content="Sent."), await make_template(database, rosa)
    await make_session(database, rosa, sent)
    await accounts.sign_up(GIL)
    gil = await accounts.open_emailed_link(GIL)

    [waiver] = await accounts.fetch(gil, LIST_WAIVERS)
    readable = {}
    for template in (sent, other):
        async with database.acting_as(accounts.principal(gil)) as connection:
            readable[template] = await connection.fetch("select * from waiver_templates where id = $1", template)

    async with database.acting_as(
        accounts.principal(gil), request_settings(waiver["session_id"]), by_id=True
    ) as connection:
        assert await connection.fetchval("select template_content from waiver_sessions") == "Sent."
    assert readable == {sent: [], other: []}


@pytest.mark.accept("SIGN-20")
async def test_only_the_verified_signer_and_the_service_see_a_sample_signed_without_a_company(
    accounts: Accounts, database: Database, rosa: Person, mallory: Person
) -> None:
    waiver = await sign(database, await open_session_as_visitor(database))
    unverified_session = await accounts.sign_up(GIL)
    await accounts.sign_up("hana@example.com")

    signer = await accounts.fetch(await accounts.open_emailed_link(GIL), LIST_WAIVERS)
    other_guest = await accounts.fetch(await accounts.open_emailed_link("hana@example.com"), LIST_WAIVERS)

    assert [(row["waiver_id"], row["company_name"]) for row in signer] == [(waiver["id"], "the Company")]
    assert other_guest == await accounts.fetch(unverified_session, LIST_WAIVERS) == []
    rows_by_reader = {}
    for name, reader in {
        "service": SERVICE,
        "rosa": rosa.principal,
        "mallory": mallory.principal,
        "anon": ANON,
    }.items():
        async with database.acting_as(reader) as connection:
            rows_by_reader[name] = [row["id"] for row in await connection.fetch("select id from signed_waivers")]
    assert rows_by_reader == {"service": [waiver["id"]], "rosa": [], "mallory": [], "anon": []}


async def test_a_verified_signer_can_fetch_the_document_at_any_time(
    accounts: Accounts, database: Database, rosa: Person, documents: DocumentContext, seal: Seal
) -> None:
    waiver = await sign(database, await make_session(database, rosa))
    await prepare_document(database, documents, seal, waiver["id"])
    unverified_session = await accounts.sign_up(GIL)
    verified_session = await accounts.open_emailed_link(GIL)

    document = await fetch_document(
        database, documents, accounts.principal(verified_session), waiver["id"], now() + LONG_AFTER
    )

    assert document is not None
    assert document.content.startswith(b"%PDF")
    with pytest.raises(DocumentMissing):
        await fetch_document(
            database, documents, accounts.principal(unverified_session), waiver["id"], now() + LONG_AFTER
        )
