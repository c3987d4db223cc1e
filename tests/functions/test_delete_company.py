"""The owner deletes a company: after a fresh sign-in and a waiting period, and never under legal hold."""

from collections.abc import AsyncIterator
from datetime import datetime
from importlib import import_module
from uuid import UUID

import httpx
import pytest
import pytest_asyncio

from cairn.audit import audit_database
from cairn.db import ANON, SERVICE, Connection, Database
from cairn.deletion import delete_due_companies
from cairn.functions import FunctionsContext
from cairn.kit import now
from cairn.waivers import DocumentContext, Seal, seal_new_events
from cairn.waivers.documents import prepare_document
from tests.factories import make_session, make_template, record_sending, sign, signature_data_url
from tests.functions.deletions import acts, call, pass_days, request_twice, signed_in
from tests.functions.stored_data import expect_all_stored, expect_none_stored, stored_files_with
from tests.functions_service import functions_client
from tests.mail_server import MailServer
from tests.people import Person, hire, sign_up
from tests.waiting import wait_until_true
from tests.waivers.acts import hold, release

OWNER, OWNER_EMAIL = "Wilhelmina Quist", "wilhelmina@example.org"
NAME, EMAIL, IP = "Zebulon Kwist", "zebulon@example.org", "203.0.113.99"
SIGNATURE = signature_data_url(b"\x13\x37\x42\xff")


@pytest_asyncio.fixture
async def wilma(database: Database) -> Person:
    return await sign_up(database, OWNER_EMAIL, OWNER, company="Quist Canoes")


@pytest_asyncio.fixture
async def otto(database: Database, wilma: Person) -> Person:
    return await hire(database, "otto@example.org", "Otto Helper", by=wilma)


@pytest_asyncio.fixture
async def deletion_client(
    context: FunctionsContext, wilma: Person, otto: Person, gil: Person, mallory: Person
) -> AsyncIterator[httpx.AsyncClient]:
    people = {
        "wilma": signed_in(wilma, 60), "wilma an hour ago": signed_in(wilma, 3600),
        "otto": signed_in(otto, 60), "gil": signed_in(gil, 60), "mallory": signed_in(mallory, 60),
        "service": SERVICE, "anon": ANON,
    }  # fmt: skip
    async with functions_client(context, people) as client:
        yield client


async def delete_due(context: FunctionsContext) -> int:
    return await delete_due_companies(context.billing, context.documents.storage, now())


async def delete_at_of(admin: Connection, person: Person) -> datetime | None:
    delete_at: datetime | None = await admin.fetchval("select delete_at from companies where id = $1", person.company)
    return delete_at


@pytest.mark.accept("TRUE-35")
@pytest.mark.usefixtures("worker")
async def test_the_owner_requests_the_deletion_and_everyone_of_the_company_gets_an_email(
    deletion_client: httpx.AsyncClient, admin: Connection, wilma: Person, mail_server: MailServer
) -> None:
    delete_at = await request_twice(deletion_client, "wilma", "delete-company", waiting_days=30)

    await wait_until_true(admin, "select count(*) = 2 from emails where status = 'delivered'")
    assert {email["To"] for email in mail_server.emails} == {OWNER_EMAIL, "otto@example.org"}
    day = f"{delete_at:%B} {delete_at.day}, {delete_at.year}"
    assert {email["Subject"] for email in mail_server.emails} == {f"Quist Canoes will be deleted on {day}"}
    assert await acts(admin, wilma) == ["company_deletion_requested"]


@pytest.mark.accept("TRUE-35")
async def test_the_owner_keeps_the_company_and_everything_works_meanwhile(
    deletion_client: httpx.AsyncClient, context: FunctionsContext, database: Database, admin: Connection, wilma: Person
) -> None:
    await call(deletion_client, "wilma", "delete-company")
    await pass_days(admin, "companies", 29)
    assert await delete_due(context) == 0
    await sign(database, await make_session(database, wilma))

    response = await call(deletion_client, "wilma an hour ago", "keep-company")

    assert response.status_code == 200, response.text
    await pass_days(admin, "companies", 60)
    assert await delete_due(context) == 0
    assert await acts(admin, wilma) == ["company_deletion_requested", "company_deletion_cancelled"]
    subjects = await admin.fetch("select subject from emails where recipient = $1 order by created_at", OWNER_EMAIL)
    assert [row["subject"] for row in subjects][-1] == "Quist Canoes will not be deleted"


@pytest.mark.accept("TRUE-35")
@pytest.mark.parametrize("name", ["delete-company", "keep-company"])
@pytest.mark.parametrize(
    ("caller", "status", "code"),
    [
        ("otto", 403, "only_owners_delete"),
        ("gil", 403, "only_owners_delete"),
        ("anon", 401, "deletion_needs_sign_in"),
        ("service", 401, "deletion_needs_sign_in"),
    ],
)
async def test_everyone_else_is_refused(
    deletion_client: httpx.AsyncClient, admin: Connection, wilma: Person, name: str, caller: str, status: int, code: str
) -> None:
    await call(deletion_client, "wilma", "delete-company")
    scheduled = await delete_at_of(admin, wilma)

    response = await call(deletion_client, caller, name)

    assert (response.status_code, response.json()["code"]) == (status, code)
    assert await delete_at_of(admin, wilma) == scheduled
    assert await admin.fetchval("select count(*) from companies where delete_at is not null") == 1


@pytest.mark.accept("TRUE-35")
async def test_a_rival_deletes_only_its_own_company(
    deletion_client: httpx.AsyncClient, admin: Connection, wilma: Person, mallory: Person
) -> None:
    assert (await call(deletion_client, "mallory", "delete-company")).status_code == 200

    assert await delete_at_of(admin, wilma) is None
    assert await delete_at_of(admin, mallory) is not None


async def test_the_owner_has_to_sign_in_again_first(
    deletion_client: httpx.AsyncClient, admin: Connection, wilma: Person
) -> None:
    response = await call(deletion_client, "wilma an hour ago", "delete-company")

    assert (response.status_code, response.json()["code"]) == (403, "recent_sign_in_needed")
    assert await delete_at_of(admin, wilma) is None


async def test_no_one_schedules_a_deletion_by_editing_the_company(database: Database, wilma: Person) -> None:
    async with database.acting_as(wilma.principal) as connection:
        with pytest.raises(Exception, match="permission denied"):
            await connection.execute("update companies set delete_at = now()")


@pytest.mark.accept("TRUE-36")
async def test_a_company_with_waivers_on_hold_is_not_deleted(
    deletion_client: httpx.AsyncClient, context: FunctionsContext, database: Database, admin: Connection, wilma: Person
) -> None:
    waivers = [await sign(database, await make_session(database, wilma)) for _ in range(2)]
    await hold(database, wilma, waivers[0]["id"], "A claim is open")

    refused = await call(deletion_client, "wilma", "delete-company")
    assert (refused.status_code, refused.json()["code"]) == (409, "waivers_on_hold")
    assert "Waivers on legal hold: 1." in refused.json()["error"]

    await release(database, wilma, waivers[0]["id"], "The claim is settled")
    assert (await call(deletion_client, "wilma", "delete-company")).status_code == 200
    await hold(database, wilma, waivers[1]["id"], "Another claim is open")
    await pass_days(admin, "companies", 32)
    assert await delete_due(context) == 0
    assert await admin.fetchval("select count(*) from waivers.signed where erased_at is not null") == 0
    assert (await call(deletion_client, "wilma", "keep-company")).status_code == 200, "a hold delays the deletion"


async def test_a_failure_for_one_company_does_not_stop_the_others(
    deletion_client: httpx.AsyncClient,
    context: FunctionsContext,
    admin: Connection,
    wilma: Person,
    mallory: Person,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await call(deletion_client, "wilma", "delete-company")
    await call(deletion_client, "mallory", "delete-company")
    await pass_days(admin, "companies", 32)
    erase_files = context.documents.storage.erase_files_of

    async def fail_for_wilma(user_id: UUID) -> None:
        assert user_id != wilma.id, "the file store is broken"
        await erase_files(user_id)

    monkeypatch.setattr(context.documents.storage, "erase_files_of", fail_for_wilma)

    assert await delete_due(context) == 1

    assert await admin.fetchval("select deleted_at is not null from companies where id = $1", mallory.company)
    monkeypatch.undo()
    assert await delete_due(context) == 1


async def test_a_large_company_is_deleted_by_several_calls(
    deletion_client: httpx.AsyncClient,
    context: FunctionsContext,
    database: Database,
    admin: Connection,
    wilma: Person,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = import_module("cairn.deletion.delete_due_companies")
    monkeypatch.setattr(module, "_BATCH_SIZE", 1)
    monkeypatch.setattr(module, "_MAX_BATCHES", 2)
    for _ in range(3):
        await sign(database, await make_session(database, wilma))
    await call(deletion_client, "wilma", "delete-company")
    await pass_days(admin, "companies", 32)

    erased_counts = []
    while not await delete_due(context):
        erased_counts.append(await admin.fetchval("select count(*) from waivers.signed where erased_at is not null"))

    assert erased_counts[0] == 2
    assert erased_counts[-1] == 3
    assert await admin.fetch("select * from waivers.broken_evidence()") == []


@pytest.mark.accept("TRUE-36")
@pytest.mark.usefixtures("worker")
async def test_after_the_deletion_no_byte_of_guests_and_owner_is_left_and_documents_still_verify(
    deletion_client: httpx.AsyncClient,
    context: FunctionsContext,
    database: Database,
    documents: DocumentContext,
    seal: Seal,
    admin: Connection,
    admin_url: str,
    wilma: Person,
    mail_server: MailServer,
) -> None:
    template_text = "Beware of the Quistfall rapids."
    await make_template(database, wilma, content=template_text)
    pending_id = await make_session(database, wilma, name=NAME, email=EMAIL)
    await record_sending(database, wilma, pending_id)
    session_id = await make_session(database, wilma, name=NAME, email=EMAIL)
    await record_sending(database, wilma, session_id)
    waiver = await sign(database, session_id, name=NAME, signer_email=EMAIL, ip=IP, signature=SIGNATURE)
    await prepare_document(database, documents, seal, waiver["id"])
    document = await documents.find(f"{wilma.company}/{waiver['id']}.pdf")
    assert document is not None
    await seal_new_events(database, seal)
    await admin.execute("insert into billing.customers (provider, reference, company_id, email) "
                        "values ('sandbox', 'cus_1', $1, $2)", wilma.company, OWNER_EMAIL)  # fmt: skip
    assert (await call(deletion_client, "wilma", "delete-company")).status_code == 200
    personal = [NAME, EMAIL, IP, SIGNATURE[-40:], OWNER, OWNER_EMAIL, "otto@example.org", template_text]
    await expect_all_stored(personal, admin_url)
    await pass_days(admin, "companies", 30)

    assert await delete_due(context) == 0, "the last email is sent first"
    await wait_until_true(
        admin, "select count(*) = 2 from emails where status = 'delivered' and subject = 'Quist Canoes is deleted'"
    )
    assert await delete_due(context) == 1

    assert mail_server.emails[-1]["Subject"] == "Quist Canoes is deleted"
    await wait_until_true(admin, "select count(*) = 0 from storage.objects")
    await expect_none_stored(personal, admin_url)
    assert stored_files_with(document, documents.data_folder) == []
    assert await acts(admin, wilma) == ["user_deleted"]
    await seal_new_events(database, seal)
    async with database.acting_as(SERVICE, read_only=True) as connection:
        report: list[str] = []
        assert await audit_database(connection, documents, None, None, report.append) == 0, report
    headers = {"Authorization": "Bearer anon", "Content-Type": "application/pdf"}
    verdict = (await deletion_client.post("/verify-document", content=document, headers=headers)).json()
    assert (verdict["state"], verdict["on_record"], verdict["history"]) == ("unchanged", True, "intact")
