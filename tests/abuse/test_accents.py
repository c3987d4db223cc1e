"""14A5 in docs/security.md: normalizing many accents takes hours, and PostgreSQL cannot be interrupted meanwhile."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import asyncpg
import pytest

from cairn.db import Connection, Database
from cairn.kit import is_one_address, valid_address
from tests.factories import make_session, sign
from tests.people import Person

# To normalize a text, PostgreSQL sorts the accents of each character, in quadratic time.
ACCENTS = "a" + "\u0301\u0316" * 8_000
ADDRESS = f"{ACCENTS}@example.com"
MAX_SECONDS = 1.5


@asynccontextmanager
async def quickly() -> AsyncIterator[None]:
    started_at = time.monotonic()
    yield
    assert time.monotonic() - started_at < MAX_SECONDS


async def test_14a5_signing_with_many_accents_in_the_address_is_refused_at_once(
    database: Database, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)

    async with quickly():
        with pytest.raises(asyncpg.PostgresError, match="Please enter one email address"):
            await sign(database, session_id, signer_email=ADDRESS)


@pytest.mark.parametrize(
    "statement",
    [
        "insert into waiver_sessions (template_id, recipient_name, recipient_email) values ('none', 'Gil', $1)",
        "update companies set reply_to = $1",
        "update companies set name = $1",
        "update companies set sender_name = $1",
        "select correct_recipient(gen_random_uuid(), 'Gil', $1)",
        "select allow_address_again($1)",
        "select * from waiver_directory(term => $1)",
        "insert into sent_waivers (session_id, recipient_name, recipient_email) values (gen_random_uuid(), $1, $1)",
    ],
)
async def test_14a5_nothing_that_a_company_writes_is_normalized_for_long(
    database: Database, rosa: Person, statement: str
) -> None:
    async with quickly():
        # Some of these statements are refused, and others find nothing.
        with suppress(asyncpg.PostgresError):
            async with database.acting_as(rosa.principal) as connection:
                await connection.fetch(statement, ADDRESS)


async def test_ordinary_addresses_are_still_normalized(admin: Connection) -> None:
    cleaned = await admin.fetchval("select cairn.clean_address(E' Gil\uff20Example.COM\\n')")
    assert cleaned == "gil@example.com"


async def test_14a5_the_server_refuses_an_address_that_is_too_long_at_once() -> None:
    async with quickly():
        assert not is_one_address(ADDRESS * 5)
        with pytest.raises(ValueError, match="longer than an email address can be"):
            valid_address(ADDRESS * 5)
