"""M1: characters that no person types cannot make the evidence, a document or an email unusable.

M1 and 15L2 are findings in docs/security.md.
"""

import sys
from collections.abc import AsyncIterator

import asyncpg
import httpx
import pytest
import pytest_asyncio

from cairn.db import SERVICE, Connection, Database
from cairn.jobs import OutboxNotifier
from cairn.kit import clean_text
from cairn.messaging import Email, add_email
from cairn.messaging.render_email import mime_message
from cairn.waivers import DocumentContext, Seal, verify
from cairn.waivers.documents import prepare_document
from tests.factories import make_session, make_template, sign
from tests.functions_service import functions_client, make_functions_context
from tests.people import Person
from tests.rest.conftest import Callbacks, client_for, rest_app
from tests.waivers.documents.conftest import MakeRecord, make_record

__all__ = ["make_record"]

# Characters that are removed, or replaced by line breaks, before anything is stored.
UNUSABLE = "\x01\x08\x0b\x0c\x1b\x7f\x85\x9f\u2028\u202e\u2066\ufdd0\ufeff\ufffe\uffff\U0001fffe"
NAME_WITH_UNUSABLE = f"Gil{UNUSABLE} Okafor"
EVERY_CHARACTER = "".join(map(chr, (*range(1, 0xD800), *range(0xE000, sys.maxunicode + 1))))


async def test_m1_the_database_and_the_documents_remove_the_same_characters(admin: Connection) -> None:
    assert await admin.fetchval("select cairn.clean_text($1)", EVERY_CHARACTER) == clean_text(EVERY_CHARACTER)


@pytest.mark.parametrize(
    "name", ["Žofie Дмитриева", "نیک\u200cمرد", "क्\u200dष", "\U0001f469\u200d\U0001f680 Ada", "שרה\u200f!"]
)
async def test_m1_names_of_all_scripts_stay_as_they_are(admin: Connection, name: str) -> None:
    assert await admin.fetchval("select cairn.clean_line($1)", name) == name


async def test_15l2_only_the_beginning_of_a_very_long_text_is_cleaned(admin: Connection) -> None:
    """Cleaning megabytes of line breaks took seconds. Callers refuse such a text anyway: no line is that long."""
    assert await admin.fetchval("select length(cairn.clean_line($1))", "\na" * 1_000_000) == 9_999, (
        "the first 10,000 characters, without the line break at the beginning"
    )
    assert await admin.fetchval("select length(cairn.clean_line($1))", "n" * 5_000) == 5_000


@pytest.mark.accept("SAFE-19")
async def test_m1_a_signature_stores_clean_names_and_is_sealed(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person
) -> None:
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute(
            "update companies set name = $1, sender_name = $2", f"Rio{UNUSABLE}\nRafting", "Rio\x01\u202e"
        )
    template = await make_template(
        database, rosa, name=f"River{UNUSABLE}", description=UNUSABLE, content="I,\x0b [PARTICIPANT NAME],\u202e ride."
    )
    session_id = await make_session(database, rosa, template, name=NAME_WITH_UNUSABLE, email="gil\x01@example.com")

    waiver = await sign(
        database, session_id, name=NAME_WITH_UNUSABLE, signer_email="gil\x01@example.com", time_zone="UTC\x01",
        strokes='{"typed": "Gil\\u0001 \\u202eOkafor"}',
    )  # fmt: skip
    await prepare_document(database, documents, seal, waiver["id"])

    record = await admin.fetchrow("select * from waivers.signed")
    assert record is not None
    assert (record["signer_name"], record["signer_email"]) == ("Gil Okafor", "gil@example.com")
    assert record["content"] == "I,\n Gil Okafor, ride."
    assert (record["company_name"], record["time_zone"]) == ("Rio Rafting", "UTC")
    assert record["strokes"] == '{"typed": "Gil Okafor"}'
    assert await unclean_columns(admin) == []
    assert await sealed_document_is_unchanged(documents, seal, record)


async def unclean_columns(admin: Connection) -> list[str]:
    """Returns the text columns of the product in which an unusable character is stored."""
    columns = await admin.fetch(
        """
        select format('%I.%I', table_schema, table_name) as relation, column_name
          from information_schema.columns join information_schema.tables using (table_schema, table_name)
         where table_schema in ('public', 'waivers', 'messaging') and table_type = 'BASE TABLE'
           and data_type in ('text', 'jsonb')
        """
    )
    return [
        f"{relation}.{column}"
        for relation, column in columns
        if await admin.fetchval(
            f"select exists (select from {relation} where {as_text(column)} <> cairn.clean_text({as_text(column)}))"
        )
    ]


def as_text(column: str) -> str:
    return f'"{column}"::text'


async def sealed_document_is_unchanged(documents: DocumentContext, seal: Seal, record: asyncpg.Record) -> bool:
    document = await documents.find(f"{record['company_id']}/{record['id']}.pdf")
    assert document is not None
    return (await verify(document, [seal.certificate])).is_unchanged


@pytest.mark.parametrize("name", ["\x01\x02", "\u200b\u2060", "\ufeff", "\u202e \u3164", "\u2800"])
async def test_m1_a_name_of_invisible_characters_is_no_name(database: Database, rosa: Person, name: str) -> None:
    with pytest.raises(asyncpg.PostgresError, match="Name, email and signature are required."):
        await sign(database, await make_session(database, rosa), name=name)
    with pytest.raises(asyncpg.PostgresError, match="Template name is required."):
        await make_template(database, rosa, name=name)


async def test_m1_a_record_that_was_stored_with_unusable_characters_is_sealed(
    documents: DocumentContext, seal: Seal, make_record: MakeRecord
) -> None:
    record = make_record(
        signer_name=NAME_WITH_UNUSABLE, template_name=f"River{UNUSABLE}", company_name=f"Rio{UNUSABLE}",
        template_content=f"I, [PARTICIPANT NAME],{UNUSABLE} ride.", user_agent=UNUSABLE, consent_text=UNUSABLE,
        strokes={"typed": UNUSABLE}, recipient_name=UNUSABLE,
    )  # fmt: skip

    document = await documents.render_and_seal(record, seal)

    assert (await verify(document, [seal.certificate])).is_unchanged


async def test_m1_an_email_with_unusable_characters_is_stored_without_them_and_can_be_sent(
    database: Database, admin: Connection, rosa: Person
) -> None:
    row_id = await admin.fetchval("select gen_random_uuid()")
    email = Email(
        row_id, "gil@example.com", f"Sign{UNUSABLE}", f"Hello{UNUSABLE}\n\nGil", sender_name=f"Rio\n{UNUSABLE}"
    )
    async with database.acting_as(SERVICE) as connection:
        await add_email(connection, email, company_id=rosa.company)

    row = await admin.fetchrow("select subject, body, sender_name from emails")
    assert row is not None
    assert (row["subject"], row["sender_name"]) == ("Sign", "Rio")
    assert row["body"] == "Hello\n\n\n\n\n\nGil"
    message = mime_message(Email(row_id, "gil@example.com", **row), "waivers@cairn.example")
    assert message["From"] == "Rio <waivers@cairn.example>"


@pytest_asyncio.fixture
async def functions(
    database: Database, notifier: OutboxNotifier, documents: DocumentContext, rosa: Person
) -> AsyncIterator[httpx.AsyncClient]:
    context = make_functions_context(database, notifier, documents)
    async with functions_client(context, {"rosa": rosa.principal}) as client:
        yield client


@pytest.mark.parametrize(
    ("function", "body"),
    [
        ("send-email", rb'{"to": "gil@example.com", "subject": "a\u0000b", "body": "x"}'),
        ("send-email", rb'{"to": "gil@example.com", "subject": "a", "body": "x\u0000"}'),
        ("send-email", rb'{"to": "gil@example.com", "subject": "a\ud800", "body": "x"}'),
        ("waiver-form", rb'{"template_id": "a\u0000b"}'),
        ("ask-support", rb'{"name": "R\u0000", "email": "r@example.com", "subject": "a\u0000", "message": "b\u0000"}'),
        ("save-webhook", rb'{"url": "https://example.com/\u0000", "name": "\u0000"}'),
    ],
)
async def test_m1_a_nul_or_a_lone_surrogate_in_a_function_call_is_refused(
    functions: httpx.AsyncClient, function: str, body: bytes
) -> None:
    response = await functions.post(f"/{function}", content=body, headers={"Authorization": "Bearer rosa"})

    assert response.status_code == 400, response.text
    assert "incident" not in response.json()


async def test_m1_the_refusal_of_a_nul_says_what_to_do(functions: httpx.AsyncClient) -> None:
    body = {"to": "gil@example.com", "subject": "a\x00b", "body": "x"}

    response = await functions.post("/send-email", json=body, headers={"Authorization": "Bearer rosa"})

    assert response.json() == {
        "error": "The parameter subject contains a character that cannot be stored. Please type the text again.",
        "code": "character_unusable",
        "field": "subject",
    }


@pytest.mark.parametrize("character", [r"\u0000", r"\ud800", r"\udc00\ud800"])
async def test_m1_a_nul_or_a_lone_surrogate_in_a_row_is_refused(
    database: Database, rosa: Person, character: str
) -> None:
    session_id = await make_session(database, rosa)
    body = f'{{"session_id": "{session_id}", "signer_name": "Gil{character}"}}'

    async with client_for(rest_app(database, Callbacks())) as client:
        response = await client.post("/signed_waivers", content=body.encode(), headers={"Authorization": "Bearer anon"})

    assert response.status_code == 400, response.text
