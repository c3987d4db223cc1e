"""B2: an account cannot fill the disk with its templates and their versions, each of which is a copy of the text.

B2 and 12A3 are findings in docs/security.md.
"""

from uuid import UUID

import asyncpg
import pytest

from cairn.db import SERVICE, Connection, Database
from tests.factories import make_template
from tests.people import Person

MAX_TEMPLATES = 1000
MAX_CHANGED_TEMPLATES = 20
MAX_VERSIONS_PER_DAY = 2000
LARGEST_TEXT = "\N{CANOE}" * 99_000
"""Has 396,000 bytes."""

INSERT_TEMPLATES = """
    insert into waiver_templates (name, content)
    select 'Trip ' || number, 'I ride.' from generate_series(1, $1) as number
"""


async def make_templates(database: Database, owner: Person, template_count: int) -> None:
    async with database.acting_as(owner.principal) as connection:
        await connection.execute(INSERT_TEMPLATES, template_count)


async def save_text(database: Database, owner: Person, text: str) -> None:
    """Saves the text in all templates of the owner with one statement, as a PATCH without an id does."""
    async with database.acting_as(owner.principal) as connection:
        await connection.execute("update waiver_templates set content = $1 where company_id is not null", text)


async def versions_of(admin: Connection, owner: Person) -> int:
    count: int = await admin.fetchval(
        "select count(*) from waiver_template_versions where company_id = $1", owner.company
    )
    return count


async def test_b2_one_request_changes_at_most_20_templates(
    database: Database, admin: Connection, mallory: Person
) -> None:
    await make_templates(database, mallory, MAX_CHANGED_TEMPLATES)
    await save_text(database, mallory, "I ride at my own risk.")
    await make_template(database, mallory)

    with pytest.raises(asyncpg.PostgresError, match="At most 20 templates can be changed at once") as refused:
        await save_text(database, mallory, LARGEST_TEXT)

    assert refused.value.sqlstate == "PT400"
    assert await versions_of(admin, mallory) == 2 * MAX_CHANGED_TEMPLATES + 1


async def test_b2_any_number_of_templates_is_archived_at_once(database: Database, rosa: Person) -> None:
    await make_templates(database, rosa, 3 * MAX_CHANGED_TEMPLATES)

    async with database.acting_as(rosa.principal) as connection:
        status = await connection.execute(
            "update waiver_templates set archived_at = now() where company_id is not null"
        )

    assert status == f"UPDATE {3 * MAX_CHANGED_TEMPLATES}"


async def test_b2_the_text_that_a_company_saves_in_a_day_is_limited(
    database: Database, admin: Connection, rosa: Person, mallory: Person
) -> None:
    await make_templates(database, mallory, MAX_CHANGED_TEMPLATES)
    for number in range(3):
        await save_text(database, mallory, LARGEST_TEXT + str(number))
    version_count = await versions_of(admin, mallory)

    for statement in (
        "update waiver_templates set content = 'I ride.'",
        "update waiver_templates set name = 'River trip'",
        "insert into waiver_templates (name) values ('Lake trip')",
    ):
        with pytest.raises(asyncpg.PostgresError, match="Too many changes of templates were saved today") as refused:
            async with database.acting_as(mallory.principal) as connection:
                await connection.execute(statement)
        assert refused.value.sqlstate == "PT429"
    assert await versions_of(admin, mallory) == version_count
    await make_template(database, rosa)

    # The company can still archive a template, and a day later it can save templates again.
    async with database.acting_as(mallory.principal) as connection:
        await connection.execute("update waiver_templates set archived_at = now() where company_id is not null")
    await admin.execute("alter table waiver_template_versions disable trigger keep_version")
    await admin.execute("update waiver_template_versions set saved_at = saved_at - interval '25 hours'")
    await make_template(database, mallory)


async def test_12a3_a_company_saves_at_most_2000_versions_in_a_day(
    database: Database, admin: Connection, mallory: Person
) -> None:
    """12A3: an export has a file for each version, and short versions hardly count against the limit of saved text."""
    await make_templates(database, mallory, MAX_TEMPLATES)

    with pytest.raises(asyncpg.PostgresError, match="Too many changes of templates were saved today"):
        for number in range(100):
            async with database.acting_as(mallory.principal) as connection:
                await connection.execute(
                    """
                    update waiver_templates set content = $1
                     where id in (select id from waiver_templates where company_id is not null order by id limit 20)
                    """,
                    f"I ride {number}.",
                )

    assert MAX_TEMPLATES < await versions_of(admin, mallory) <= MAX_VERSIONS_PER_DAY


@pytest.mark.parametrize(("changes", "version"), [(19, 1), (20, None)])
async def test_12a3_a_session_is_compared_with_the_newest_versions(
    database: Database, admin: Connection, rosa: Person, changes: int, version: int | None
) -> None:
    """12A3: the text of a new session is compared with the newest 20 versions of its template, and not with all."""
    template_id = await make_template(database, rosa, content="The first text.")
    async with database.acting_as(rosa.principal) as connection:
        for number in range(changes):
            await connection.execute(
                "update waiver_templates set content = $2 where id = $1", template_id, f"Text {number}."
            )

    session_id = await open_session(database, rosa, template_id, "The first text.")

    assert await version_of(admin, session_id) == version


async def test_12a3_a_session_is_not_compared_with_templates_of_others(
    database: Database, admin: Connection, rosa: Person, mallory: Person
) -> None:
    template_id = await make_template(database, rosa, content="The text.")

    session_id = await open_session(database, mallory, template_id, "The text.")

    assert await version_of(admin, session_id) is None


async def test_12a3_a_session_that_replaces_another_one_keeps_its_version(
    database: Database, admin: Connection, rosa: Person
) -> None:
    template_id = await make_template(database, rosa, content="The first text.")
    session_id = await open_session(database, rosa, template_id, "The first text.", "ana@example.com")
    async with database.acting_as(rosa.principal) as connection:
        for number in range(30):
            await connection.execute(
                "update waiver_templates set content = $2 where id = $1", template_id, f"Text {number}."
            )
        corrected_id = await connection.fetchval(
            "select correct_recipient($1, 'Ana Lee', 'ana.lee@example.com')", session_id
        )

    assert await version_of(admin, corrected_id) == 1


async def open_session(
    database: Database, owner: Person, template_id: str, content: str, email: str | None = None
) -> UUID:
    async with database.acting_as(owner.principal) as connection:
        session_id: UUID = await connection.fetchval(
            """
            insert into waiver_sessions (template_id, template_content, recipient_name, recipient_email)
            values ($1, $2, $3, $4) returning id
            """,
            template_id, content, email and "Ana", email,
        )  # fmt: skip
    return session_id


async def version_of(admin: Connection, session_id: UUID) -> int | None:
    version: int | None = await admin.fetchval(
        "select template_version from waivers.sessions where id = $1", session_id
    )
    return version


async def test_b2_a_company_has_at_most_1000_templates(database: Database, rosa: Person, mallory: Person) -> None:
    await make_templates(database, mallory, MAX_TEMPLATES)

    with pytest.raises(asyncpg.PostgresError, match="A company can have at most 1,000 templates") as refused:
        await make_template(database, mallory)

    assert refused.value.sqlstate == "PT409"
    await make_template(database, rosa)


async def test_b2_the_operator_changes_any_number_of_templates(database: Database, rosa: Person) -> None:
    await make_templates(database, rosa, 2 * MAX_CHANGED_TEMPLATES)

    async with database.acting_as(SERVICE) as connection:
        status = await connection.execute(
            "update waiver_templates set content = 'I paddle.' where company_id = $1", rosa.company
        )

    assert status == f"UPDATE {2 * MAX_CHANGED_TEMPLATES}"


async def test_b2_a_rival_cannot_change_the_templates_of_others_or_call_the_functions_of_the_limits(
    database: Database, admin: Connection, rosa: Person, mallory: Person
) -> None:
    """The functions run with the privileges of the database owner, but count only rows of the caller's company."""
    await make_templates(database, rosa, MAX_TEMPLATES)

    await make_template(database, mallory)
    async with database.acting_as(mallory.principal) as connection:
        assert await connection.execute("update waiver_templates set content = 'x'") == "UPDATE 1"
    for function in ("check_saved_text()", "check_changed_templates()", "check_template_count()"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.acting_as(mallory.principal) as connection:
                await connection.execute(f"select waivers.{function}")
    assert await admin.fetchval("select count(*) from waiver_templates where content = 'x'") == 1
