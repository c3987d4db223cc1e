"""H3: a template has at most 2,000 lines and 100,000 characters; older, longer ones can still be signed.

`test_worst_texts` proves that texts within these limits are rendered quickly.

H3 is a finding in docs/security.md.
"""

import contextlib
import json
from uuid import UUID

import asyncpg
import pytest

from cairn.db import Connection, Database
from cairn.kit import TookTooLong
from cairn.waivers import DocumentContext, Seal, retry_overdue_documents
from cairn.waivers.documents import MAX_TRIES, prepare_document
from tests.factories import make_session, make_template, sign
from tests.people import Person

# Each placeholder for a name counts as 400 characters, the length of the longest name.
LONGEST_TEXTS = ["- a\n" * 2000, "word " * 20_000, "a\n\n\n" * 2000, "[PARTICIPANT NAME]" * 250, ""]
TOO_LONG_TEXTS = [
    "- a\n" * 2001,
    "a" * 100_001,
    "a\r" * 2001,
    "# a\r\n\r\n" * 2001,
    "[PARTICIPANT NAME]" * 251,
    "[COMPANY NAME]" * 251,
]


@pytest.mark.parametrize("text", LONGEST_TEXTS)
async def test_a_text_within_the_limits_is_saved(database: Database, rosa: Person, text: str) -> None:
    await make_template(database, rosa, content=text)


@pytest.mark.parametrize("text", TOO_LONG_TEXTS)
async def test_h3_a_longer_text_is_refused(database: Database, rosa: Person, text: str) -> None:
    template_id = await make_template(database, rosa)

    with pytest.raises(asyncpg.PostgresError) as insert:
        await make_template(database, rosa, content=text)
    with pytest.raises(asyncpg.PostgresError) as update:
        async with database.acting_as(rosa.principal) as connection:
            await connection.execute("update waiver_templates set content = $2 where id = $1", template_id, text)
    with pytest.raises(asyncpg.PostgresError) as sending:
        async with database.acting_as(rosa.principal) as connection:
            await connection.execute(
                "insert into waiver_sessions (template_id, template_content) values ($1, $2)", template_id, text
            )

    assert [code_of(error.value) for error in (insert, update, sending)] == ["template_too_long"] * 3


def code_of(error: asyncpg.PostgresError) -> str:
    code: str = json.loads(error.detail or "{}")["code"]
    return code


async def test_an_older_longer_template_can_be_renamed_sent_and_signed(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person
) -> None:
    template_id = await make_older_template(admin, rosa, "- a\n" * 3000)
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute("update waiver_templates set name = 'Renamed' where id = $1", template_id)

    waiver = await sign(database, await make_session(database, rosa, template_id))
    await prepare_document(database, documents, seal, waiver["id"])

    assert await status_of(database, rosa, waiver["id"]) == "ready"


async def test_h3_a_text_that_cannot_be_rendered_gives_the_document_the_status_failed(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person, mallory: Person
) -> None:
    template_id = await make_older_template(admin, rosa, "- a\n" * 50_000)
    waiver = await sign(database, await make_session(database, rosa, template_id))

    await prepare_like_the_worker(database, documents, seal, waiver["id"])

    assert await status_of(database, rosa, waiver["id"]) == "failed"
    assert await status_of(database, mallory, waiver["id"]) is None
    await admin.execute("update waivers.document_failures set tried_at = now() - interval '1 day', attempts = 9")
    await retry_overdue_documents(database, documents, seal)
    assert await admin.fetchval("select attempts from waivers.document_failures") == 9, "it is not tried again"
    assert await admin.fetchval("select count(*) from emails") == 0


async def prepare_like_the_worker(database: Database, documents: DocumentContext, seal: Seal, waiver_id: UUID) -> None:
    """Prepares the document, and tries again if it took too long because the machine is busy."""
    for _ in range(MAX_TRIES):
        with contextlib.suppress(TookTooLong):
            await prepare_document(database, documents, seal, waiver_id)
            return
    raise TookTooLong


async def make_older_template(admin: Connection, owner: Person, content: str) -> str:
    """Inserts a template as if it had been saved before there was a limit."""
    await admin.execute("alter table waiver_templates disable trigger check_template")
    template_id: str = await admin.fetchval(
        "insert into waiver_templates (name, content, company_id) values ('Old', $1, $2) returning id",
        content, owner.company,
    )  # fmt: skip
    await admin.execute("alter table waiver_templates enable trigger check_template")
    return template_id


async def status_of(database: Database, person: Person, waiver_id: UUID) -> str | None:
    async with database.acting_as(person.principal) as connection:
        status: str | None = await connection.fetchval(
            "select document_status from signed_waivers where id = $1", waiver_id
        )
    return status
