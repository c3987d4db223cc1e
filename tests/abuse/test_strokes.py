"""A11: strokes that no browser sends cannot prevent the document or the evidence pack of a waiver.

A11 is a finding in docs/security.md.
"""

import json
from datetime import timedelta
from uuid import UUID

import asyncpg
import pytest

from cairn.db import SERVICE, Connection, Database
from cairn.waivers import DocumentContext, Seal, retry_overdue_documents
from cairn.waivers.documents import MAX_TRIES, prepare_document
from cairn.waivers.documents.evidence_pack import evidence_pack
from cairn.waivers.documents.store import overdue_waivers
from tests.factories import make_session, sign
from tests.people import Person

DRAWING = [[{"x": 1.5, "y": -2, "time": 1763280000123, "pressure": 0.5}, {"x": 3, "y": 4, "time": 17}], []]
HUGE_NUMBER = '[[{"x": 1e400, "y": 1, "time": 1}]]'
UNUSABLE_STROKES = [
    "[" * 500 + "]" * 500,
    "1e130000",
    HUGE_NUMBER,
    '[[{"x": 1, "y": 1, "time": 1e24}]]',
    f'[[{{"x": 1, "y": 1, "time": 0.{"1" * 40}}}]]',
    '[[{"x": 1, "y": 1}]]',
    '[[{"x": "1", "y": 1, "time": 1}]]',
    '[[{"x": 1, "y": 1, "time": 1, "more": [[[]]]}]]',
    '[{"x": 1, "y": 1, "time": 1}]',
    '{"typed": 5}',
    '{"strokes": []}',
    '"text"',
    "null",
]


@pytest.mark.parametrize("strokes", UNUSABLE_STROKES, ids=range(len(UNUSABLE_STROKES)))
@pytest.mark.accept("SAFE-19")
async def test_a11_a_signature_with_unusable_strokes_is_stored_without_them(
    database: Database, admin: Connection, rosa: Person, strokes: str
) -> None:
    await sign(database, await make_session(database, rosa), strokes=strokes)

    assert await admin.fetchval("select strokes from waivers.signed") is None
    assert await admin.fetchval("select count(*) from waivers.broken_evidence(null)") == 0


async def test_a11_drawn_strokes_are_stored_as_they_were_sent(
    database: Database, admin: Connection, rosa: Person
) -> None:
    await sign(database, await make_session(database, rosa), strokes=json.dumps(DRAWING))

    assert json.loads(await admin.fetchval("select strokes from waivers.signed")) == DRAWING


async def test_a11_more_strokes_than_a_browser_sends_are_refused(database: Database, rosa: Person) -> None:
    point = {"x": 123.4, "y": 56.7, "pressure": 0.5, "time": 1763280000123}
    browser_limit = 8000

    await sign(database, await make_session(database, rosa), strokes=json.dumps([[point] * browser_limit]))
    with pytest.raises(asyncpg.CheckViolationError):
        await sign(database, await make_session(database, rosa), strokes=json.dumps([[point] * 3 * browser_limit]))


async def test_a11_only_the_text_of_a_typed_signature_is_stored(
    database: Database, admin: Connection, rosa: Person
) -> None:
    nested = "[" * 500 + "]" * 500
    await sign(database, await make_session(database, rosa), strokes=f'{{"typed": "Gil O.", "more": {nested}}}')

    assert json.loads(await admin.fetchval("select strokes from waivers.signed")) == {"typed": "Gil O."}


@pytest.mark.parametrize("strokes", ["[" * 500 + "]" * 500, "1e130000", HUGE_NUMBER], ids=["nested", "long", "huge"])
async def test_a11_an_older_record_with_unusable_strokes_gets_its_document_and_evidence_pack(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person, strokes: str
) -> None:
    await admin.execute(
        "create or replace function waivers.clean_strokes(strokes jsonb) returns jsonb language sql return $1"
    )
    waiver = await sign(database, await make_session(database, rosa), strokes=strokes)

    await prepare_document(database, documents, seal, waiver["id"])
    pack = await evidence_pack(database, documents, rosa.principal, waiver["id"])

    assert pack.content.startswith(b"PK")
    assert await admin.fetchval("select strokes = $1 from waivers.signed", strokes), "the record stays as it was"
    assert await admin.fetchval("select count(*) from waivers.broken_evidence(null)") == 0


async def test_a11_a_record_that_cannot_be_read_waits_longer_after_each_failure(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person
) -> None:
    waiver = await sign(database, await make_session(database, rosa))
    await admin.execute("alter table waivers.audit_events disable trigger user")
    await admin.execute("update waivers.audit_events set details = '{\"number\": 1e130000}'")
    for _ in range(MAX_TRIES):
        with pytest.raises(ValueError, match="integer string conversion"):
            await prepare_document(database, documents, seal, waiver["id"])

    assert await waivers_to_retry(database) == []
    await admin.execute("update waivers.document_failures set tried_at = tried_at - interval '1 hour'")
    assert await waivers_to_retry(database) == [waiver["id"]]
    await retry_overdue_documents(database, documents, seal)
    assert await waivers_to_retry(database) == []
    assert await admin.fetchval("select attempts from waivers.document_failures") == MAX_TRIES + 1


async def waivers_to_retry(database: Database) -> list[UUID]:
    async with database.acting_as(SERVICE, read_only=True) as connection:
        return await overdue_waivers(connection, older_than=timedelta(0), tries=MAX_TRIES)
