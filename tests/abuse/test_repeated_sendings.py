"""I4: an email changes one sending of its session, however many the company has recorded.

I4 is a finding in docs/security.md.
"""

from uuid import UUID, uuid4

from cairn.db import SERVICE, Connection, Database
from cairn.messaging import Email, add_email
from tests.factories import make_session, record_sending
from tests.people import Person

SENDING_COUNT = 5


async def make_sent_session(database: Database, owner: Person) -> UUID:
    """Opens a session and records several sendings of it."""
    session_id = await make_session(database, owner)
    for _ in range(SENDING_COUNT):
        await record_sending(database, owner, session_id)
    return session_id


async def test_i4_an_email_changes_only_the_newest_sending_of_its_session(
    database: Database, admin: Connection, rosa: Person
) -> None:
    session_id = await make_sent_session(database, rosa)
    await admin.execute("update sent_waivers set email_status = 'failed'")
    email = Email(uuid4(), "gil@example.com", "Please sign", "Hello Gil")

    async with database.acting_as(SERVICE) as connection:
        await add_email(connection, email, company_id=rosa.company, session_id=session_id)
    after_request = await statuses(admin)
    await admin.execute("update emails set status = 'delivered', message_id = 'm1'")
    after_delivery = await statuses(admin)
    await admin.execute("update emails set status = 'failed', error = 'It came back'")

    assert after_request == ["sending"] + ["failed"] * (SENDING_COUNT - 1)
    assert after_delivery == ["delivered"] + ["failed"] * (SENDING_COUNT - 1)
    errors = await admin.fetch("select email_error from sent_waivers order by sent_at desc")
    assert [error for (error,) in errors] == ["It came back"] + [None] * (SENDING_COUNT - 1)


async def test_i4_a_text_message_changes_only_the_newest_sending_of_its_session(
    database: Database, admin: Connection, rosa: Person
) -> None:
    session_id = await make_sent_session(database, rosa)

    await admin.execute(
        """
        insert into text_messages (recipient, body, kind, company_id, session_id)
        values ('15550123456', 'Sign', 'message', $1, $2)
        """,
        rosa.company, session_id,
    )  # fmt: skip

    phones = await admin.fetch("select recipient_phone from sent_waivers order by sent_at desc")
    assert [phone for (phone,) in phones] == ["+15550123456"] + [None] * (SENDING_COUNT - 1)


async def statuses(admin: Connection) -> list[str]:
    """Returns the statuses of all sendings, the newest first."""
    return [row["email_status"] for row in await admin.fetch("select * from sent_waivers order by sent_at desc")]
