"""Who may create a session, what the server decides about it, and who may read sessions and templates."""

import asyncio
from contextlib import suppress
from uuid import UUID, uuid4

import asyncpg
import pytest

from cairn.db import ANON, SERVICE, Connection, Database
from tests.factories import SAMPLE_TEMPLATE_ID, make_session, make_template, open_session, request_settings, sign
from tests.people import Person


async def create_as_visitor(database: Database, **row: object) -> asyncpg.Record:
    """Creates a session with the columns in `row` as a visitor who is not signed in, and returns it."""
    columns, placeholders = ", ".join(row), ", ".join(f"${number}" for number in range(1, len(row) + 1))
    async with database.acting_as(ANON) as connection:
        session = await connection.fetchrow(
            f"insert into waiver_sessions ({columns}) values ({placeholders}) returning *", *row.values()
        )
    assert session is not None
    return session


@pytest.mark.accept("REST-09", "REST-11")
async def test_a_visitors_session_has_the_text_of_the_template_whatever_text_the_browser_sends(
    database: Database, rosa: Person
) -> None:
    template = await make_template(database, rosa, content="The real text.")

    session = await create_as_visitor(
        database, template_id=template, status="pending", template_content="I owe nothing."
    )

    assert session["template_content"] == "The real text."
    assert session["company_id"] == rosa.company


@pytest.mark.accept("REST-11")
async def test_a_visitor_cannot_create_a_session_of_an_unknown_template(database: Database) -> None:
    with pytest.raises(asyncpg.PostgresError, match="could not be found"):
        await create_as_visitor(database, template_id="tpl-nowhere", status="pending", template_content="Mine")


@pytest.mark.accept("REST-10", "REST-12")
@pytest.mark.parametrize(
    "row", [{"recipient_email": "gil@example.com"}, {"recipient_name": "Gil"}, {"status": "template_default"}]
)
async def test_a_visitor_cannot_create_a_session_for_a_recipient_or_a_default_session(
    database: Database, row: dict[str, str]
) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="Only a company can send waivers."):
        await create_as_visitor(database, template_id=SAMPLE_TEMPLATE_ID, **row)


@pytest.mark.accept("REST-13")
async def test_a_company_cannot_create_a_session_for_another_company(
    database: Database, rosa: Person, mallory: Person
) -> None:
    async with database.acting_as(mallory.principal) as connection:
        owner = await connection.fetchval(
            "insert into waiver_sessions (template_id, company_id) values ($1, $2) returning company_id",
            SAMPLE_TEMPLATE_ID, rosa.company,
        )  # fmt: skip

    assert owner == mallory.company


@pytest.mark.accept("REST-13", "ENT-08")
async def test_a_session_cannot_be_created_as_signed(database: Database, rosa: Person) -> None:
    with pytest.raises(asyncpg.PostgresError, match="becomes signed only by signing"):
        async with database.acting_as(rosa.principal) as connection:
            await connection.execute(
                "insert into waiver_sessions (template_id, status) values ($1, 'signed')", SAMPLE_TEMPLATE_ID
            )


@pytest.mark.accept("SIGN-19")
async def test_a_session_of_a_sample_belongs_to_the_company_in_the_link(database: Database, rosa: Person) -> None:
    session = await create_as_visitor(database, template_id=SAMPLE_TEMPLATE_ID, company_id=rosa.company)

    assert (session["company_id"], session["company_name"]) == (rosa.company, "Rio Rafting")


@pytest.mark.accept("SIGN-19")
async def test_a_session_belongs_to_the_company_of_its_template_whatever_company_the_link_names(
    database: Database, rosa: Person, mallory: Person
) -> None:
    template = await make_template(database, rosa)

    session = await create_as_visitor(database, template_id=template, company_id=mallory.company)

    assert session["company_id"] == rosa.company


@pytest.mark.accept("SIGN-20")
async def test_a_sample_signed_without_a_company_belongs_to_no_company(database: Database, rosa: Person) -> None:
    session = await create_as_visitor(database, template_id=SAMPLE_TEMPLATE_ID)
    waiver = await sign(database, session["id"])

    assert waiver["company_id"] is None
    async with database.acting_as(rosa.principal) as connection:
        assert await connection.fetch("select * from signed_waivers") == []


@pytest.mark.accept("TPL-28")
async def test_a_company_has_one_default_session_of_a_sample_even_if_it_is_created_several_times_at_once(
    database: Database, admin: Connection, rosa: Person, bea: Person
) -> None:
    async def create_default_session(person: Person) -> object:
        async with database.acting_as(person.principal) as connection:
            return await connection.fetchval(
                "insert into waiver_sessions (template_id, status) values ($1, 'template_default') returning id",
                SAMPLE_TEMPLATE_ID,
            )

    ids = await asyncio.gather(*(create_default_session(colleague) for colleague in (rosa, bea) * 4))

    assert len(set(ids)) == 1
    assert await admin.fetchval("select count(*) from waivers.sessions") == 1


async def test_creating_a_session_twice_with_the_same_id_returns_the_same_session(
    database: Database, rosa: Person
) -> None:
    session_id = uuid4()

    first = await create_as_visitor(database, id=session_id, template_id=SAMPLE_TEMPLATE_ID, company_id=rosa.company)
    again = await create_as_visitor(database, id=session_id, template_id=SAMPLE_TEMPLATE_ID, company_id=rosa.company)

    assert first["id"] == again["id"] == session_id


async def test_the_id_of_an_existing_session_is_refused_for_another_template(database: Database, rosa: Person) -> None:
    session_id = await make_session(database, rosa, await make_template(database, rosa))

    with pytest.raises(asyncpg.UniqueViolationError):
        await create_as_visitor(database, id=session_id, template_id=SAMPLE_TEMPLATE_ID)
    other_template = await make_template(database, rosa)
    with pytest.raises(asyncpg.UniqueViolationError):
        await create_as_visitor(database, id=session_id, template_id=other_template)


@pytest.mark.accept("TPL-12")
async def test_editing_a_template_does_not_change_its_existing_sessions(database: Database, rosa: Person) -> None:
    template = await make_template(database, rosa, content="Before.")
    session_id = await make_session(database, rosa, template)

    async with database.acting_as(rosa.principal) as connection:
        await connection.execute("update waiver_templates set content = 'After.' where id = $1", template)

    assert (await sign(database, session_id))["content"] == "Before."


@pytest.mark.accept("REST-14", "ENT-08")
async def test_an_update_to_signed_is_refused_before_the_signature_and_ignored_after_it(
    database: Database, rosa: Person, session_id: UUID
) -> None:
    """The contract lets a client send this update after the signature, which has already changed the session."""
    update = "update waiver_sessions set status = 'signed', signer_name = 'Forged' where id = $1"
    with pytest.raises(asyncpg.PostgresError, match="becomes signed only by signing"):
        async with database.acting_as(ANON, request_settings(session_id)) as connection:
            await connection.execute(update, session_id)

    await sign(database, session_id)
    async with database.acting_as(ANON, request_settings(session_id)) as connection:
        await connection.execute(update, session_id)

    async with database.acting_as(rosa.principal) as connection:
        assert await connection.fetchval("select signer_name from waiver_sessions") == "Gil Okafor"


@pytest.mark.accept("ENT-08")
@pytest.mark.parametrize("role", ["visitor", "company", "service"])
@pytest.mark.parametrize("first_status", ["pending", "signed", "template_default"])
@pytest.mark.parametrize("next_status", ["pending", "signed", "template_default"])
async def test_no_update_changes_the_status_of_a_session(
    database: Database, admin: Connection, rosa: Person, role: str, first_status: str, next_status: str
) -> None:
    session_id = await make_session_with_status(database, rosa, first_status)
    caller = {"visitor": ANON, "company": rosa.principal, "service": SERVICE}[role]

    with suppress(asyncpg.PostgresError):
        async with database.acting_as(caller, request_settings(session_id)) as connection:
            await connection.execute("update waiver_sessions set status = $2 where id = $1", session_id, next_status)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.acting_as(caller) as connection:
            await connection.execute("update waivers.sessions set status = $2 where id = $1", session_id, next_status)

    assert await admin.fetchval("select status from waivers.sessions where id = $1", session_id) == first_status


@pytest.mark.accept("ENT-08")
async def test_signing_never_changes_a_default_session(database: Database, admin: Connection, rosa: Person) -> None:
    session_id = await make_session_with_status(database, rosa, "template_default")

    with pytest.raises(asyncpg.PostgresError, match="template"):
        await sign(database, session_id)

    assert await admin.fetchval("select status from waivers.sessions where id = $1", session_id) == "template_default"


async def make_session_with_status(database: Database, owner: Person, status: str) -> UUID:
    if status == "template_default":
        return await open_session(database, owner.principal, status=status)
    session_id = await make_session(database, owner)
    if status == "signed":
        await sign(database, session_id)
    return session_id


@pytest.mark.accept("REST-05")
async def test_a_visitor_sees_a_session_only_by_its_exact_id(database: Database, rosa: Person) -> None:
    """A condition in the SQL is not enough: the policy compares the id with the filter of the request."""
    session_id, other_session_id = await make_session(database, rosa), await make_session(database, rosa)

    async with database.acting_as(ANON) as connection:
        assert await connection.fetch("select id from waiver_sessions") == []
        assert await connection.fetch("select id from waiver_sessions where id = $1", session_id) == []
    async with database.acting_as(ANON, request_settings(session_id)) as connection:
        assert [row["id"] for row in await connection.fetch("select id from waiver_sessions")] == [session_id]
        assert await connection.fetch("select id from waiver_sessions where id = $1", other_session_id) == []


@pytest.mark.accept("REST-06")
async def test_the_holder_of_a_link_does_not_see_the_signature(
    database: Database, mallory: Person, session_id: UUID
) -> None:
    await sign(database, session_id)

    for reader in (ANON, mallory.principal):
        # These are the settings and the role of a REST request with the filter `id=eq.<session_id>`.
        async with database.acting_as(reader, request_settings(session_id), by_id=True) as connection:
            session = await connection.fetchrow(
                "select status, signature, signer_name, signer_email, signed_at from waiver_sessions"
            )
        assert tuple(session or ()) == ("signed", None, None, None, None)


@pytest.mark.accept("TPL-07")
async def test_a_template_needs_a_name(database: Database, rosa: Person) -> None:
    with pytest.raises(asyncpg.PostgresError, match=r"Template name is required\."):
        await make_template(database, rosa, name="  ")


@pytest.mark.accept("REST-07", "TPL-09")
async def test_only_its_company_lists_a_template_and_others_see_it_only_by_its_exact_id(
    database: Database, rosa: Person, bea: Person, mallory: Person
) -> None:
    template = await make_template(database, rosa)

    count_company_templates = "select count(*) from waiver_templates where company_id is not null"
    async with database.acting_as(bea.principal) as connection:
        assert await connection.fetchval(count_company_templates) == 1
    for outsider in (mallory.principal, ANON):
        async with database.acting_as(outsider) as connection:
            assert await connection.fetchval(count_company_templates) == 0
        async with database.acting_as(outsider, request_settings(template), by_id=True) as connection:
            assert await connection.fetchval(count_company_templates) == 1


@pytest.mark.accept("TPL-10", "ENT-12")
async def test_every_company_sees_the_three_samples_and_cannot_edit_them(database: Database, rosa: Person) -> None:
    async with database.acting_as(rosa.principal) as connection:
        samples = await connection.fetch("select id, name, content from waiver_templates order by name")
        changed = await connection.execute("update waiver_templates set name = 'Mine now'")

    assert {sample["id"]: sample["name"] for sample in samples} == {
        "template-general-liability": "General Liability Waiver",
        "template-photography-release": "Photography Release",
        "template-medical-emergency-authorization": "Medical Emergency Authorization",
    }
    assert all("[PARTICIPANT NAME]" in s["content"] and "[COMPANY NAME]" in s["content"] for s in samples)
    assert changed == "UPDATE 0"


@pytest.mark.accept("TPL-26")
async def test_template_ids_are_too_short_to_be_mistaken_for_session_ids(database: Database, rosa: Person) -> None:
    assert len(await make_template(database, rosa)) <= 30

    with pytest.raises(asyncpg.CheckViolationError):
        async with database.acting_as(rosa.principal) as connection:
            await connection.execute("insert into waiver_templates (id, name) values ($1, 'Long')", "x" * 31)
