"""A company erases a signed waiver. Nothing about the person is left, but the history can still be verified.

FL2, G6, IL3 and IL5 are findings in docs/security.md.
"""

from typing import Any
from uuid import UUID

import asyncpg
import pytest
import pytest_asyncio

from cairn.db import ANON, Connection, Database
from tests.factories import make_session, make_template, record_sending, sign
from tests.people import Person
from tests.waivers.acts import erase, history, hold, release

NAME, EMAIL, IP = "Zebulon Quist", "zebulon@example.org", "203.0.113.99"


async def sign_as_zebulon(database: Database, session_id: UUID) -> "asyncpg.Record":
    return await sign(database, session_id, name=NAME, signer_email=EMAIL, ip=IP, time_zone="Asia/Tokyo")


async def send_and_sign(database: Database, rosa: Person) -> "asyncpg.Record":
    """Sends Zebulon a waiver, which he signs."""
    session_id = await make_session(database, rosa, name=NAME, email=EMAIL)
    await record_sending(database, rosa, session_id)
    return await sign_as_zebulon(database, session_id)


async def stored(admin: Connection, waiver_id: UUID) -> dict[str, Any]:
    row = await admin.fetchrow("select * from waivers.signed where id = $1", waiver_id)
    assert row is not None
    return dict(row)


async def test_an_erased_record_keeps_ids_times_and_hashes_only(
    database: Database, admin: Connection, rosa: Person
) -> None:
    waiver = await send_and_sign(database, rosa)
    before = await stored(admin, waiver["id"])

    await erase(database, rosa, waiver["id"])

    after = await stored(admin, waiver["id"])
    erased_columns = {
        "signer_name": "(erased)", "signer_email": "(erased)", "signature": "", "content": "", "strokes": None,
        "ip": None, "user_agent": None, "time_zone": None, "document_secret_sha256": None,
        "erased_at": after["erased_at"],
    }  # fmt: skip
    assert after["erased_at"] is not None
    assert after == {**before, **erased_columns}
    [session] = await admin.fetch(
        "select recipient_name, recipient_email from waivers.sessions where status = 'signed'"
    )
    assert tuple(session) == (None, None)
    [sending] = await admin.fetch("select recipient_name, recipient_email from sent_waivers")
    assert tuple(sending) == ("(erased)", "(erased)")


async def test_the_event_that_the_person_opened_the_link_on_another_network_is_erased(
    database: Database, admin: Connection, rosa: Person
) -> None:
    """Nothing in this event connects it to the person, except that no other person has signed with this link."""
    session_id = await make_session(database, rosa, name=NAME, email=EMAIL)
    async with database.acting_as(ANON, {"request.ip": "198.51.100.23"}) as connection:
        await connection.execute("select note_waiver_view($1)", session_id)
    waiver = await sign_as_zebulon(database, session_id)
    count_openings = "select count(*) from waivers.audit_events e where e.details ->> 'ip' = '198.51.100.23'"
    assert await admin.fetchval(count_openings) == 1

    await erase(database, rosa, waiver["id"])

    assert await admin.fetchval(count_openings) == 0


async def test_the_history_of_an_erased_waiver_is_intact_and_says_who_erased_it_and_why(
    database: Database, admin: Connection, rosa: Person
) -> None:
    session_id = await make_session(database, rosa, name=NAME, email=EMAIL)
    waiver = await sign_as_zebulon(database, session_id)

    await erase(database, rosa, waiver["id"], "The guest asked for it by email")

    events = await history(database, rosa, session_id)
    assert [name for name, _ in events] == ["session.opened", "waiver.signed", "waiver.erased"]
    assert events[1][1] == {"waiver_id": str(waiver["id"]), "record_sha256": waiver["record_sha256"]}
    erasure = events[2][1]
    assert (erasure["cause"], erasure["reason"]) == ("request", "The guest asked for it by email")
    assert (erasure["by_name"], erasure["record_sha256"]) == ("Rosa Marín", waiver["record_sha256"])
    assert await admin.fetch("select * from waivers.broken_evidence()") == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("update waivers.audit_events set details_sha256 = sha256('x') where name = 'waiver.signed'", "was changed"),
        ("update waivers.audit_events set at = at - interval '1 day' where name = 'waiver.signed'", "was changed"),
        ("update waivers.audit_events set details = details - 'reason' where name = 'waiver.erased'", "was changed"),
        ("delete from waivers.audit_events where name = 'waiver.erased'", "no waiver was erased after it"),
        ("delete from waivers.audit_events where name = 'waiver.erased'", "event of its erasure is missing"),
        ("update waivers.signed set record_sha256 = sha256('x')", "event of its erasure is missing or differs"),
        ("update waivers.signed set erased_at = null", "the signed record was changed"),
    ],
    ids=["details", "time", "reason", "event", "event of the record", "record hash", "record"],
)  # fmt: skip
async def test_a_change_after_the_erasure_is_detected(
    database: Database, admin: Connection, rosa: Person, change: str, reason: str
) -> None:
    waiver = await sign_as_zebulon(database, await make_session(database, rosa))
    await erase(database, rosa, waiver["id"])
    await admin.execute("set session_replication_role = replica")

    await admin.execute(change)

    reasons = [row["reason"] for row in await admin.fetch("select reason from waivers.broken_evidence()")]
    assert any(reason in found for found in reasons), reasons


async def test_details_that_are_removed_without_an_erasure_are_detected(
    database: Database, admin: Connection, rosa: Person
) -> None:
    await sign_as_zebulon(database, await make_session(database, rosa))

    await admin.execute(
        """
        update waivers.audit_events e
           set is_erased = true, details_sha256 = waivers.private_hash(e), salt = null, details = '{}'
         where name = 'session.opened'
        """
    )

    [broken] = await admin.fetch("select reason from waivers.broken_evidence()")
    assert broken["reason"] == "the details of the event were removed, but no waiver was erased after it"


async def test_erasing_one_signature_of_a_template_link_leaves_the_others(
    database: Database, admin: Connection, rosa: Person
) -> None:
    session_id = await make_session(database, rosa, await make_template(database, rosa), name="River day", email="")
    other = await sign_as_ann(database, session_id)
    waiver = await sign_as_zebulon(database, session_id)

    await erase(database, rosa, waiver["id"])

    assert (await stored(admin, other["id"]))["signer_name"] == "Ann Hill"
    events = str(await history(database, rosa, session_id))
    assert ("Ann Hill" in events, NAME in events, IP in events) == (True, False, False)
    assert await admin.fetch("select * from waivers.broken_evidence()") == []
    await erase(database, rosa, other["id"])
    assert "Ann Hill" not in str(await history(database, rosa, session_id))
    assert await admin.fetch("select * from waivers.broken_evidence()") == []


async def test_the_recipient_is_erased_with_their_own_signature_even_if_someone_else_signed_the_link(
    database: Database, admin: Connection, rosa: Person
) -> None:
    waiver = await send_and_sign(database, rosa)
    await sign_as_ann(database, waiver["session_id"])

    await erase(database, rosa, waiver["id"])

    [session] = await admin.fetch(
        "select recipient_name, recipient_email from waivers.sessions where status = 'signed'"
    )
    assert tuple(session) == (None, None)
    [sending] = await admin.fetch("select recipient_name, recipient_email from sent_waivers")
    assert tuple(sending) == ("(erased)", "(erased)")
    assert NAME not in str(await history(database, rosa, waiver["session_id"]))
    assert await admin.fetch("select * from waivers.broken_evidence()") == []


@pytest.mark.parametrize("reason", [f"{NAME} asked", f"Request of {EMAIL.upper()}"])
async def test_a_reason_that_names_the_person_is_refused(database: Database, rosa: Person, reason: str) -> None:
    waiver = await sign_as_zebulon(database, await make_session(database, rosa))

    with pytest.raises(asyncpg.PostgresError, match="please do not name the person"):
        await erase(database, rosa, waiver["id"], reason)


@pytest.mark.parametrize("name", ["e", "a", "Mo", "Ann", "Planned", "moment"])
async def test_a_reason_may_contain_a_short_or_common_word_that_is_also_the_name_of_the_person(
    database: Database, admin: Connection, rosa: Person, name: str
) -> None:
    """FL2 and IL5: a waiver that was signed as "e" or "Will" could be erased only with a reason without that word."""
    waiver = await sign(database, await make_session(database, rosa), name=name)

    await erase(database, rosa, waiver["id"], "A moment of planned work, no longer wanted")

    assert (await stored(admin, waiver["id"]))["erased_at"] is not None


async def test_an_erased_waiver_can_be_neither_erased_again_nor_held_nor_changed(
    database: Database, admin: Connection, rosa: Person
) -> None:
    waiver = await sign_as_zebulon(database, await make_session(database, rosa))
    await erase(database, rosa, waiver["id"])

    with pytest.raises(asyncpg.PostgresError, match="has been erased"):
        await erase(database, rosa, waiver["id"])
    with pytest.raises(asyncpg.PostgresError, match="has been erased"):
        await hold(database, rosa, waiver["id"])
    for change in ("erased_at = null", "signer_name = 'Zebulon'", "held_since = now()"):
        with pytest.raises(asyncpg.PostgresError, match=r"never changed|held_waivers_are_not_erased"):
            await admin.execute(f"update waivers.signed set {change}")


@pytest_asyncio.fixture
async def viewed_session_id(database: Database, rosa: Person) -> UUID:
    """A session that was opened on Zebulon's device."""
    session_id = await make_session(database, rosa)
    await open_link(database, session_id, ip=IP)
    return session_id


async def sign_as_ann(database: Database, session_id: UUID) -> asyncpg.Record:
    return await sign(database, session_id, name="Ann Hill", signer_email="ann@example.org", ip="203.0.113.50")


async def test_g6_erasing_one_signature_keeps_the_events_of_another(
    database: Database, admin: Connection, rosa: Person
) -> None:
    """G6: a second signature with a short name, or from the same network, destroyed evidence of the first one."""
    session_id = await make_session(database, rosa, name="Ann Hill", email="ann@example.org")
    await open_link(database, session_id, ip="203.0.113.50")
    await sign_as_ann(database, session_id)
    before = await history(database, rosa, session_id)
    waiver = await sign(database, session_id, name="e", signer_email="ANN@example.org", ip="203.0.113.50")

    await erase(database, rosa, waiver["id"], "No longer wanted")

    after = await history(database, rosa, session_id)
    assert after[: len(before)] == before
    [recipient] = await admin.fetch("select recipient_email from waivers.sessions where id = $1", session_id)
    assert recipient["recipient_email"] == "ann@example.org"
    assert await admin.fetch("select * from waivers.broken_evidence()") == []


async def test_g6_events_that_only_the_erased_signer_has_caused_are_erased(
    database: Database, admin: Connection, rosa: Person, viewed_session_id: UUID
) -> None:
    waiver = await sign_as_zebulon(database, viewed_session_id)
    await sign_as_ann(database, viewed_session_id)

    await erase(database, rosa, waiver["id"])

    events = await history(database, rosa, viewed_session_id)
    assert [details for name, details in events if name == "session.viewed"] == [{}]
    assert events[-1][1]["erased_events"] == [2]
    assert await admin.fetch("select * from waivers.broken_evidence()") == []


async def test_g6_nothing_shared_is_erased_while_another_waiver_of_the_session_is_held(
    database: Database, admin: Connection, rosa: Person, viewed_session_id: UUID
) -> None:
    held = await sign_as_ann(database, viewed_session_id)
    await hold(database, rosa, held["id"])
    before = await history(database, rosa, viewed_session_id)
    waiver = await sign_as_zebulon(database, viewed_session_id)

    await erase(database, rosa, waiver["id"])

    assert (await history(database, rosa, viewed_session_id))[: len(before)] == before
    await release(database, rosa, held["id"])
    await erase(database, rosa, held["id"])
    assert IP not in str(await history(database, rosa, viewed_session_id))
    assert await admin.fetch("select * from waivers.broken_evidence()") == []


async def open_link(database: Database, session_id: UUID, ip: str) -> None:
    async with database.acting_as(ANON, {"request.ip": ip}) as connection:
        await connection.execute("select note_waiver_view($1)", session_id)


async def test_il3_the_recipient_is_not_erased_while_another_waiver_of_the_session_is_held(
    database: Database, admin: Connection, rosa: Person
) -> None:
    session_id = await make_session(database, rosa, name=NAME, email=EMAIL)
    held = await sign(database, session_id, name="Ann Hill", signer_email="ann@example.org", ip="203.0.113.50")
    await hold(database, rosa, held["id"])
    waiver = await sign_as_zebulon(database, session_id)

    await erase(database, rosa, waiver["id"])
    recipient = "select recipient_email from waivers.sessions where id = $1"
    assert await admin.fetchval(recipient, session_id) == EMAIL

    await release(database, rosa, held["id"])
    await erase(database, rosa, held["id"])
    assert await admin.fetchval(recipient, session_id) is None
    assert await admin.fetch("select * from waivers.broken_evidence()") == []
