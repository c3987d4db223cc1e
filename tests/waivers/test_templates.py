"""Every save creates a permanent version, and an archived template accepts no new sessions."""

from uuid import UUID

import asyncpg
import pytest

from cairn.db import ANON, SERVICE, Connection, Database
from cairn.kit import now
from cairn.waivers import template_data
from tests.factories import SAMPLE_TEMPLATE_ID, make_session, make_template, open_session, request_settings, sign
from tests.people import Person


async def edit(database: Database, person: Person, template: str, **columns: object) -> None:
    changes = ", ".join(f"{column} = ${number}" for number, column in enumerate(columns, 2))
    async with database.acting_as(person.principal) as connection:
        await connection.execute(f"update waiver_templates set {changes} where id = $1", template, *columns.values())


async def versions(database: Database, person: Person, template: str) -> list[asyncpg.Record]:
    async with database.acting_as(person.principal) as connection:
        return await connection.fetch(
            """
            select version, name, content, saved_by, saved_by_name
              from waiver_template_versions where template_id = $1 order by version
            """,
            template,
        )


async def archive(database: Database, person: Person, template: str) -> None:
    await edit(database, person, template, archived_at=now())


async def test_every_save_creates_a_version_with_its_author(database: Database, rosa: Person, bea: Person) -> None:
    template = await make_template(database, rosa, name="River", content="One.")
    await edit(database, bea, template, content="Two.")
    await edit(database, rosa, template, description="A longer day")

    saved_versions = await versions(database, rosa, template)

    assert [(row["version"], row["content"], row["saved_by_name"]) for row in saved_versions] == [
        (1, "One.", "Rosa Marín"),
        (2, "Two.", "Bea Lindt"),
        (3, "Two.", "Rosa Marín"),
    ]
    assert [row["saved_by"] for row in saved_versions] == [rosa.id, bea.id, rosa.id]


async def test_saving_without_a_change_creates_no_version(database: Database, rosa: Person) -> None:
    template = await make_template(database, rosa, content="One.")

    await edit(database, rosa, template, content="One.")

    assert len(await versions(database, rosa, template)) == 1


async def test_a_version_cannot_be_changed(database: Database, admin: Connection, rosa: Person) -> None:
    template = await make_template(database, rosa)
    for principal in (rosa.principal, SERVICE):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.acting_as(principal) as connection:
                await connection.execute("update waiver_template_versions set content = 'Forged'")
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.acting_as(principal) as connection:
                await connection.execute("delete from waiver_template_versions")

    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="never changed"):
        await admin.execute("update waiver_template_versions set content = 'Forged'")
    assert len(await versions(database, rosa, template)) == 1


async def test_a_rival_sees_no_version(database: Database, rosa: Person, mallory: Person) -> None:
    template = await make_template(database, rosa)

    assert await versions(database, mallory, template) == []
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.acting_as(ANON) as connection:
            await connection.fetch("select * from waiver_template_versions")


async def test_a_company_learns_nothing_from_a_session_of_a_rivals_template(
    database: Database, admin: Connection, rosa: Person, mallory: Person
) -> None:
    template = await make_template(database, rosa, name="River trip", content="The text of Rosa.")

    session_id = await make_session(database, mallory, template)

    session = await admin.fetchrow(
        "select company_id, template_name, template_content from waivers.sessions where id = $1", session_id
    )
    assert session is not None
    assert tuple(session) == (mallory.company, template, "")


async def version_of(admin: Connection, session_id: UUID) -> int | None:
    version: int | None = await admin.fetchval(
        "select template_version from waivers.sessions where id = $1", session_id
    )
    return version


async def test_a_session_and_its_signature_keep_their_template_version(
    database: Database, admin: Connection, rosa: Person
) -> None:
    template = await make_template(database, rosa, content="One.")
    old_session = await make_session(database, rosa, template)
    await edit(database, rosa, template, content="Two.")
    new_session = await make_session(database, rosa, template)

    assert (await version_of(admin, old_session), await version_of(admin, new_session)) == (1, 2)
    waiver = await sign(database, old_session)
    assert (waiver["template_version"], waiver["content"]) == (1, "One.")


async def test_a_session_gets_the_version_that_has_the_text_it_was_sent_with(
    database: Database, admin: Connection, rosa: Person
) -> None:
    """The send dialog may still show an older version; an edited text has no version."""
    template = await make_template(database, rosa, content="One.")
    await edit(database, rosa, template, content="Two.")

    async def send(content: str) -> UUID:
        return await open_session(database, rosa.principal, template, template_content=content)

    assert await version_of(admin, await send("One.")) == 1
    assert await version_of(admin, await send("Something else.")) is None


async def test_an_archived_template_accepts_no_new_session_and_its_open_ones_can_be_signed(
    database: Database, rosa: Person
) -> None:
    template = await make_template(database, rosa)
    session_id = await make_session(database, rosa, template)

    await archive(database, rosa, template)

    with pytest.raises(asyncpg.PostgresError, match="is archived and takes no new signatures"):
        await make_session(database, rosa, template)
    assert (await sign(database, session_id))["template_id"] == template
    assert await template_data(database, template, None) is None
    await edit(database, rosa, template, archived_at=None)
    assert await make_session(database, rosa, template)
    assert await template_data(database, template, None) is not None


async def test_opening_a_session_again_works_after_its_template_was_archived(database: Database, rosa: Person) -> None:
    template = await make_template(database, rosa)
    insert = "insert into waiver_sessions (id, template_id) values ($1, $2) returning id"
    session_id = UUID("5e551011-0000-4000-8000-000000000001")
    async with database.acting_as(ANON) as connection:
        await connection.fetchval(insert, session_id, template)
    await archive(database, rosa, template)

    async with database.acting_as(ANON) as connection:
        assert await connection.fetchval(insert, session_id, template) == session_id


async def test_archiving_creates_no_version_and_uses_the_servers_time(database: Database, rosa: Person) -> None:
    template = await make_template(database, rosa)
    async with database.acting_as(rosa.principal) as connection:
        archived = await connection.fetchrow(
            """
            update waiver_templates set archived_at = '2001-01-01' where id = $1
            returning archived_at = now() as now, version
            """,
            template,
        )

    assert tuple(archived or ()) == (True, 1)


async def test_a_stranger_with_the_link_does_not_see_an_archived_template(database: Database, rosa: Person) -> None:
    template = await make_template(database, rosa)
    await archive(database, rosa, template)

    async with database.acting_as(ANON, request_settings(template)) as connection:
        assert await connection.fetch("select id from waiver_templates") == []


async def test_samples_are_never_archived(database: Database, admin: Connection, rosa: Person) -> None:
    await archive(database, rosa, SAMPLE_TEMPLATE_ID)

    assert await admin.fetchval("select archived_at from waiver_templates where id = $1", SAMPLE_TEMPLATE_ID) is None
    with pytest.raises(asyncpg.CheckViolationError):
        await admin.execute("update waiver_templates set archived_at = now() where id = $1", SAMPLE_TEMPLATE_ID)
