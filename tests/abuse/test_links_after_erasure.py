"""8E3 and 9AL2: after the last waiver of a link was erased, no personal data is added to its history.

Nothing would erase such data later.

8E3 and 9AL2 are findings in docs/security.md.
"""

from uuid import UUID

from cairn.db import ANON, Connection, Database
from cairn.waivers import Seal
from tests.abuse.test_forged_erasures import broken_reasons
from tests.factories import make_session, sign
from tests.people import Person
from tests.waivers.acts import call, correct_recipient, erase

INSERT_EMAIL = """
    insert into public.emails (id, company_id, kind, session_id, recipient, subject, body, status)
    values (gen_random_uuid(), $1, 'message', $2, 'zebulon@example.org', 'Hello', 'Hello', 'sending')
"""


async def event_names(admin: Connection, session_id: UUID) -> list[str]:
    rows = await admin.fetch("select name from waivers.audit_events where session_id = $1 order by id", session_id)
    return [row["name"] for row in rows]


async def test_8e3_neither_visits_nor_emails_are_recorded_after_the_last_erasure(
    database: Database, admin: Connection, seal: Seal, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)
    first, second = [await sign(database, session_id) for _ in range(2)]
    await erase(database, rosa, first["id"])
    await admin.execute(INSERT_EMAIL, rosa.company, session_id)
    assert (await event_names(admin, session_id))[-1] == "email.requested", "one waiver is left"

    await erase(database, rosa, second["id"])
    # This must be the first visit, because a second one within five seconds is never recorded anyway.
    await call(database, ANON, "select note_waiver_view($1)", session_id)
    await admin.execute(INSERT_EMAIL, rosa.company, session_id)

    assert (await event_names(admin, session_id))[-1] == "waiver.erased"
    assert await broken_reasons(database, seal, session_id) == []


async def test_9al2_neither_visits_nor_emails_of_a_replaced_link_are_recorded_after_the_last_erasure(
    database: Database, admin: Connection, seal: Seal, rosa: Person
) -> None:
    """The replaced link was never signed, so no later erasure would remove these events from its history."""
    replaced_id = await make_session(database, rosa)
    session_id = await correct_recipient(database, rosa, replaced_id, email="gil@example.org")
    waiver = await sign(database, session_id)
    await erase(database, rosa, waiver["id"])

    await call(database, ANON, "select note_waiver_view($1)", replaced_id)
    await admin.execute(INSERT_EMAIL, rosa.company, replaced_id)

    assert (await event_names(admin, replaced_id))[-1] == "waiver.erased"
    assert await broken_reasons(database, seal, replaced_id) == []
