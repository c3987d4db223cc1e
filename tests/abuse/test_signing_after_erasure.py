"""F9: a link whose waivers were all erased is closed, and says so to the guest.

F9 is a finding in docs/security.md.
"""

import asyncpg
import pytest

from cairn.db import Database
from tests.factories import make_session, sign
from tests.people import Person
from tests.waivers.acts import erase


async def test_f9_a_link_cannot_be_signed_after_its_last_waiver_was_erased(database: Database, rosa: Person) -> None:
    session_id = await make_session(database, rosa)
    first = await sign(database, session_id)
    second = await sign(database, session_id, name="Ann Hill", signer_email="ann@example.org")
    await erase(database, rosa, first["id"])
    third = await sign(database, session_id, name="Ann Hill", signer_email="ann@example.org")
    await erase(database, rosa, second["id"])
    await erase(database, rosa, third["id"])

    with pytest.raises(asyncpg.PostgresError, match=r"so the link is closed. Please ask for a new link\."):
        await sign(database, session_id)
