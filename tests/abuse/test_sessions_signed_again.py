"""C6, C7: a session that several people sign tells none of them about the others. At most 20 can sign.

C6 and C7 are findings in docs/security.md.
"""

import asyncio
import json
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest

from cairn.db import ANON, Connection, Database
from cairn.messaging import Email, add_email
from cairn.waivers.documents.evidence_pack import PackContent, pack_files
from cairn.waivers.documents.read_record import signed_record
from cairn.waivers.documents.record import SignedRecord
from cairn.waivers.documents.rendering import document_data
from tests.factories import make_session, sign
from tests.people import Person

ANNA: dict[str, Any] = {"name": "Anna Secretname", "ip": "198.51.100.7", "signer_email": "anna.secret@example.com"}
MALLORY: dict[str, Any] = {"name": "Mallory", "ip": "203.0.113.66", "signer_email": "mallory@rival.example"}


async def sign_as_anna(
    database: Database, admin: Connection, session_id: UUID, *, recipient: str, opened_on: str
) -> asyncpg.Record:
    """Emails the link to the recipient, who gives it to Anna. Anna opens the link and signs."""
    company_id = await admin.fetchval("select company_id from waivers.sessions where id = $1", session_id)
    email = Email(id=uuid4(), recipient=recipient, subject="Please sign", body="Here.")
    await add_email(admin, email, company_id=company_id, session_id=session_id)
    origin = {"request.ip": ANNA["ip"], "request.user_agent": opened_on}
    async with database.acting_as(ANON, origin) as connection:
        await connection.execute("select note_waiver_view($1, 80)", session_id)
    return await sign(database, session_id, **ANNA)


async def record_of(admin: Connection, waiver_id: UUID) -> SignedRecord:
    record = await signed_record(admin, waiver_id)
    assert record is not None
    return record


def events_in_document(record: SignedRecord) -> str:
    return json.dumps(document_data(record, site_url="https://cairn.example", is_timestamped=False)["events"])


async def test_c7_the_document_of_a_second_signer_tells_nothing_about_the_first(
    database: Database, admin: Connection, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)
    annas_waiver = await sign_as_anna(
        database, admin, session_id, recipient="annas.colleague@example.com", opened_on="The tablet of Anna"
    )
    await admin.execute("select waivers.store_document($1, 'anna.pdf', repeat('a', 64), 'c')", annas_waiver["id"])
    waiver = await sign(database, session_id, **MALLORY)

    events = events_in_document(await record_of(admin, waiver["id"]))

    for secret in ("Anna", "anna.secret", "annas.colleague", ANNA["ip"], str(rosa.id), "aaaaaaaa"):
        assert secret not in events
    assert events.count('"Signed"') == 1
    assert "Mallory" in events
    assert MALLORY["ip"] in events
    # The session's own events stay, so that the document still shows when the session was opened and read.
    assert "Waiver created" in events
    assert "Link opened" in events
    assert "read % 80" in events


async def test_c7_a_signer_sees_the_details_of_their_own_openings(
    database: Database, admin: Connection, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)
    waiver = await sign_as_anna(database, admin, session_id, recipient="gil@example.com", opened_on="A phone")

    events = json.loads(events_in_document(await record_of(admin, waiver["id"])))

    [opened] = [event for event in events if event["what"] == "Link opened"]
    assert f"IP {ANNA['ip']} · A phone" in opened["details"]
    [email] = [event for event in events if event["what"] == "Email written"]
    assert "gil@example.com" in email["details"], "the link was sent to this address, and its holder knows it"


async def test_c7_the_company_still_gets_the_whole_history_in_the_evidence_pack(
    database: Database, admin: Connection, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)
    await sign(database, session_id, **ANNA)
    waiver = await sign(database, session_id, **MALLORY)

    files = pack_files(PackContent(await record_of(admin, waiver["id"]), None, None, None, [], []))

    assert [event["name"] for event in json.loads(files["events.json"])].count("waiver.signed") == 2
    assert b"Anna Secretname" in files["timeline.txt"]


async def test_c6_a_session_is_signed_20_times_at_most(database: Database, admin: Connection, rosa: Person) -> None:
    """Before this limit, a stranger signed one session a thousand times, and each document listed all signatures."""
    session_id, waiver_id = await make_session(database, rosa), uuid4()
    await sign(database, session_id, id=waiver_id)
    for _ in range(19):
        await sign(database, session_id)

    with pytest.raises(asyncpg.PostgresError, match=r"signed 20 times.* Please ask for a new link\.") as refused:
        await sign(database, session_id)

    assert refused.value.sqlstate == "PT409"
    assert await admin.fetchval("select count(*) from waivers.signed") == 20
    # A device that lost the response to an earlier signature still finds out that it is stored.
    assert (await sign(database, session_id, id=waiver_id))["id"] == waiver_id
    # A new link can be signed.
    await sign(database, await make_session(database, rosa))


async def test_c6_twenty_simultaneous_signatures_do_not_pass_the_limit_of_a_session(
    database: Database, admin: Connection, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)
    for _ in range(15):
        await sign(database, session_id)

    results = await asyncio.gather(*(sign(database, session_id) for _ in range(20)), return_exceptions=True)

    assert sum(isinstance(result, asyncpg.PostgresError) for result in results) == 15
    assert await admin.fetchval("select count(*) from waivers.signed") == 20
