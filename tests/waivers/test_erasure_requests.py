"""A person asks a company to erase what they have signed, and the company grants or refuses the request."""

from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest
import pytest_asyncio

from cairn.db import ANON, Connection, Database
from cairn.waivers.notify_erasure_request import TITLE, notify_erasure_request
from tests.factories import make_session, sign
from tests.people import Person, signed_in
from tests.waivers.acts import call, erase, history, hold

SITE_URL = "https://cairn.example"


async def request(database: Database, person: Person, company: UUID | None, note: str = "") -> UUID:
    principal = await signed_in(database, person)
    request_id: UUID = await call(database, principal, "select request_erasure($1, $2)", company, note)
    return request_id


async def answer(
    database: Database, person: Person, request_id: UUID, *, is_granted: bool, reason: str = "As the guest wishes"
) -> int:
    sql = "select answer_erasure_request($1, $2, $3)"
    erased: int = await call(database, person.principal, sql, request_id, is_granted, reason)
    return erased


async def requests_of(database: Database, person: Person) -> list[dict[str, Any]]:
    async with database.acting_as(person.principal) as connection:
        return [dict(row) for row in await connection.fetch("select * from erasure_requests order by requested_at")]


async def companies_of(database: Database, person: Person) -> list[tuple[str, int]]:
    async with database.acting_as(await signed_in(database, person)) as connection:
        rows = await connection.fetch("select * from my_companies()")
    return [(row["company_name"], row["waiver_count"]) for row in rows]


@pytest.mark.accept("TRUE-19")
async def test_a_granted_request_erases_everything_that_the_person_signed_for_the_company(
    database: Database, admin: Connection, rosa: Person, mallory: Person, gil: Person
) -> None:
    sessions = [await make_session(database, owner) for owner in (rosa, rosa, mallory)]
    for session_id in sessions:
        await sign(database, session_id)
    await sign(database, await make_session(database, rosa), name="Ann Hill", signer_email="ann@example.org")
    assert await companies_of(database, gil) == [("Rapid Rivals", 1), ("Rio Rafting", 2)]
    request_id = await request(database, gil, rosa.company, "I no longer ride with you.")

    assert await answer(database, rosa, request_id, is_granted=True) == 2

    names = await admin.fetch("select signer_name, company_id from waivers.signed order by signed_at")
    assert [(row["signer_name"], row["company_id"]) for row in names] == [
        ("(erased)", rosa.company), ("(erased)", rosa.company), ("Gil Okafor", mallory.company),
        ("Ann Hill", rosa.company),
    ]  # fmt: skip
    [seen] = await requests_of(database, gil)
    assert (seen["status"], seen["answer"], seen["email"], seen["note"]) == (
        "granted", "As the guest wishes", "(erased)", "",
    )  # fmt: skip
    assert seen["company_name"] == "Rio Rafting"
    assert await companies_of(database, gil) == [("Rapid Rivals", 1)]
    name, details = (await history(database, rosa, sessions[0]))[-1]
    assert (name, details["cause"], details["reason"]) == ("waiver.erased", "request", "As the guest wishes")
    assert await admin.fetch("select * from waivers.broken_evidence()") == []


@pytest_asyncio.fixture
async def request_id(database: Database, rosa: Person, gil: Person) -> UUID:
    """A request that Gil has sent to Rosa's company, after he signed a waiver."""
    await sign(database, await make_session(database, rosa))
    return await request(database, gil, rosa.company)


@pytest.mark.accept("TRUE-19")
async def test_a_refused_request_erases_nothing_and_the_person_sees_why(
    database: Database, admin: Connection, rosa: Person, gil: Person, request_id: UUID
) -> None:
    assert await answer(database, rosa, request_id, is_granted=False, reason="A claim is open") == 0

    [seen] = await requests_of(database, gil)
    assert (seen["status"], seen["answer"]) == ("refused", "A claim is open")
    assert await admin.fetchval("select count(*) from waivers.signed where erased_at is not null") == 0
    with pytest.raises(asyncpg.PostgresError, match="answered already"):
        await answer(database, rosa, request_id, is_granted=True)


async def test_an_open_request_is_not_made_twice(database: Database, rosa: Person, gil: Person) -> None:
    await sign(database, await make_session(database, rosa))

    first = await request(database, gil, rosa.company)

    assert await request(database, gil, rosa.company) == first
    assert len(await requests_of(database, rosa)) == 1


async def test_a_person_sends_a_company_at_most_three_requests_a_day(
    database: Database, rosa: Person, mallory: Person, gil: Person
) -> None:
    for owner in (rosa, mallory):
        await sign(database, await make_session(database, owner))
    for _ in range(3):
        await answer(database, rosa, await request(database, gil, rosa.company), is_granted=False)

    with pytest.raises(asyncpg.PostgresError, match="several requests today"):
        await request(database, gil, rosa.company)
    await request(database, gil, mallory.company)


async def test_a_request_needs_something_to_erase_and_a_proven_address(
    database: Database, rosa: Person, gil: Person, mallory: Person
) -> None:
    await sign(database, await make_session(database, rosa))

    for company in (mallory.company, uuid4(), None):
        with pytest.raises(asyncpg.PostgresError, match="has no waiver that was signed with your email"):
            await request(database, gil, company)
    with pytest.raises(asyncpg.PostgresError, match="at most 1,000 characters"):
        await request(database, gil, rosa.company, "a" * 1001)
    with pytest.raises(asyncpg.PostgresError, match="verify your email address"):
        await call(database, gil.principal, "select request_erasure($1, '')", rosa.company)
    with pytest.raises(asyncpg.PostgresError, match="permission denied"):
        await call(database, ANON, "select request_erasure($1, '')", rosa.company)


async def test_without_a_proven_address_no_company_is_listed(database: Database, rosa: Person, gil: Person) -> None:
    await sign(database, await make_session(database, rosa))

    async with database.acting_as(gil.principal) as connection:
        assert await connection.fetch("select * from my_companies()") == []


async def test_a_waiver_on_hold_is_not_erased_by_a_request(
    database: Database, admin: Connection, rosa: Person, gil: Person
) -> None:
    waivers = [await sign(database, await make_session(database, rosa)) for _ in range(2)]
    await hold(database, rosa, waivers[1]["id"])
    request_id = await request(database, gil, rosa.company)

    with pytest.raises(asyncpg.PostgresError, match="on legal hold"):
        await answer(database, rosa, request_id, is_granted=True)

    assert await admin.fetchval("select count(*) from waivers.signed where erased_at is not null") == 0


async def test_the_answer_to_a_granted_request_does_not_name_the_person(
    database: Database, rosa: Person, request_id: UUID
) -> None:
    with pytest.raises(asyncpg.PostgresError, match="do not name the person"):
        await answer(database, rosa, request_id, is_granted=True, reason="Gil Okafor wants it")


async def test_erasing_the_last_waiver_in_another_way_closes_the_requests(
    database: Database, rosa: Person, gil: Person
) -> None:
    waivers = [await sign(database, await make_session(database, rosa)) for _ in range(2)]
    await answer(database, rosa, await request(database, gil, rosa.company), is_granted=False, reason="Gil owes us")
    await request(database, gil, rosa.company, "I am Gil.")

    await erase(database, rosa, waivers[0]["id"])
    assert [row["status"] for row in await requests_of(database, gil)] == ["refused", "open"]
    await erase(database, rosa, waivers[1]["id"])

    rows = await requests_of(database, gil)
    assert [(row["status"], row["answer"], row["email"], row["note"]) for row in rows] == [
        ("refused", "(erased)", "(erased)", ""), ("granted", "All waivers were erased.", "(erased)", ""),
    ]  # fmt: skip


@pytest.mark.accept("TRUE-19")
async def test_a_rival_and_the_person_cannot_answer_and_a_rival_sees_nothing(
    database: Database, rosa: Person, mallory: Person, gil: Person, request_id: UUID
) -> None:
    with pytest.raises(asyncpg.PostgresError, match="Could not find this request"):
        await answer(database, mallory, request_id, is_granted=True)
    with pytest.raises(asyncpg.PostgresError, match="Only the company"):
        await answer(database, gil, request_id, is_granted=True)
    assert await requests_of(database, mallory) == []
    assert len(await requests_of(database, gil)) == len(await requests_of(database, rosa)) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "update waivers.erasure_requests set status = 'refused', answer = 'No', answered_at = now()",
        "delete from waivers.erasure_requests",
        "insert into waivers.erasure_requests (company_id, email) values ($1, 'gil@example.com')",
    ],
    ids=["update", "delete", "insert"],
)
async def test_no_one_changes_requests_directly(
    database: Database, rosa: Person, mallory: Person, gil: Person, statement: str
) -> None:
    values = [rosa.company] if "$1" in statement else []
    for person in (rosa, mallory, gil):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await call(database, person.principal, statement, *values)


async def test_an_employee_sees_and_answers_requests(
    database: Database, bea: Person, gil: Person, request_id: UUID
) -> None:
    assert [row["email"] for row in await requests_of(database, bea)] == [gil.email]
    assert await answer(database, bea, request_id, is_granted=True) == 1


async def test_the_company_is_notified_once_without_the_name_of_the_guest(
    database: Database, admin: Connection, rosa: Person, gil: Person
) -> None:
    await sign(database, await make_session(database, rosa))
    request_id = await request(database, gil, rosa.company, "I am Gil.")

    for _ in range(2):
        await notify_erasure_request(database, request_id, rosa.company, SITE_URL)

    [notification] = await admin.fetch("select * from notifications")
    [email] = await admin.fetch("select * from emails where subject = $1", str(TITLE))
    assert (notification["company_id"], email["recipient"]) == (rosa.company, rosa.email)
    assert f"{SITE_URL}/dashboard/profile#records" in email["body"]
    assert "gil" not in f"{dict(notification)} {email['body']}".lower()


async def test_many_requests_do_not_fill_the_mailboxes_of_the_company(
    database: Database, admin: Connection, rosa: Person
) -> None:
    for _ in range(12):
        await notify_erasure_request(database, uuid4(), rosa.company, SITE_URL)

    assert await admin.fetchval("select count(*) from emails where subject = $1", str(TITLE)) == 10
    assert await admin.fetchval("select count(*) from notifications") == 12
