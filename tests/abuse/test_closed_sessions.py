"""Low finding in docs/security.md: an expired session accepts no new signature, even if one was stored before."""

from uuid import uuid4

import asyncpg
import pytest

from cairn.db import Connection, Database
from tests.factories import make_session, sign, signature_data_url
from tests.people import Person

ANOTHER_SIGNATURE = signature_data_url(b"\xff\x00\x00\xff")


async def expire_all_sessions(admin: Connection) -> None:
    await admin.execute("update waivers.sessions set expires_at = now() - interval '1 second'")


@pytest.mark.accept("SAFE-21")
async def test_low_a_signed_session_cannot_be_signed_again_after_it_has_expired(
    database: Database, admin: Connection, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)
    await sign(database, session_id)
    await expire_all_sessions(admin)

    with pytest.raises(asyncpg.PostgresError, match="This waiver has expired. Please ask for a new link."):
        await sign(database, session_id, signature=ANOTHER_SIGNATURE)

    assert await admin.fetchval("select count(*) from waivers.signed") == 1


async def test_low_a_repeated_request_still_returns_the_stored_signature_after_the_session_has_expired(
    database: Database, admin: Connection, rosa: Person
) -> None:
    """A device that lost the first response must be able to find out that its signature is stored."""
    session_id, waiver_id = await make_session(database, rosa), uuid4()
    first = await sign(database, session_id, id=waiver_id)
    await expire_all_sessions(admin)

    assert (await sign(database, session_id, id=waiver_id))["signed_at"] == first["signed_at"]
    with pytest.raises(asyncpg.UniqueViolationError):
        await sign(database, session_id, id=waiver_id, signature=ANOTHER_SIGNATURE)
