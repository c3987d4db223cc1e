"""Waivers whose history began with Cairn 0.1 can be erased, and their history can still be verified afterwards."""

from uuid import UUID

import asyncpg
import pytest
import pytest_asyncio

from cairn.db import Connection, Database
from cairn.waivers import DocumentContext, Seal, seal_new_events
from cairn.waivers.documents import prepare_document
from tests.abuse.test_forged_erasures import broken_reasons, pack_findings
from tests.factories import make_session, sign
from tests.people import Person
from tests.waivers.acts import erase, history

NAME, EMAIL, IP = "Zebulon Quist", "zebulon@example.org", "203.0.113.99"


async def rewrite_as_0_1(admin: Connection, session_id: UUID) -> None:
    """Writes the history of a session as 0.1 did: the hash of an event covers its details, without a salt."""
    previous = None
    for row in await admin.fetch("select id from waivers.audit_events where session_id = $1 order by id", session_id):
        previous = await admin.fetchval(
            """
            update waivers.audit_events e
               set version = 1, salt = null, previous = $2,
                   hash = sha256(coalesce($2, ''::bytea) || convert_to(
                       e.session_id || E'\n' || e.name || E'\n' || e.details || E'\n'
                       || to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'UTF8'))
             where e.id = $1 returning hash
            """,
            row["id"], previous,
        )  # fmt: skip


class OldSession:
    """A session that two people signed with Cairn 0.1. The document of one of them was sealed after the update."""

    def __init__(self, session_id: UUID, erased: asyncpg.Record, remaining: asyncpg.Record) -> None:
        self.id, self.erased_id, self.remaining_id = session_id, erased["id"], remaining["id"]


@pytest_asyncio.fixture
async def old_session(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person
) -> OldSession:
    session_id = await make_session(database, rosa)
    erased = await sign(database, session_id, name=NAME, signer_email=EMAIL, ip=IP)
    remaining = await sign(database, session_id)
    await rewrite_as_0_1(admin, session_id)
    await prepare_document(database, documents, seal, remaining["id"])
    return OldSession(session_id, erased, remaining)


async def test_the_history_of_0_1_is_intact_after_an_erasure(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person, old_session: OldSession
) -> None:
    assert await broken_reasons(database, seal, old_session.id) == []

    await erase(database, rosa, old_session.erased_id)
    await seal_new_events(database, seal)

    events = await history(database, rosa, old_session.id)
    assert [name for name, _ in events][-2:] == ["session.upgraded", "waiver.erased"]
    assert NAME not in str(events)
    assert IP not in str(events)
    assert await broken_reasons(database, seal, old_session.id) == []
    assert await pack_findings(database, documents, seal, rosa, old_session.remaining_id) == []
    assert await admin.fetchval("select count(*) from waivers.audit_events where version = 1 and is_erased") == 1


async def test_the_second_erasure_does_not_upgrade_the_history_again(
    database: Database, admin: Connection, seal: Seal, rosa: Person, old_session: OldSession
) -> None:
    await erase(database, rosa, old_session.erased_id)
    await erase(database, rosa, old_session.remaining_id)

    names = [name for name, _ in await history(database, rosa, old_session.id)]
    assert names.count("session.upgraded") == 1
    assert await broken_reasons(database, seal, old_session.id) == []
    assert await admin.fetchval("select bool_and(is_erased) from waivers.audit_events where version = 1") is True


async def test_a_history_of_this_version_is_not_upgraded(database: Database, rosa: Person) -> None:
    waiver = await sign(database, await make_session(database, rosa))

    await erase(database, rosa, waiver["id"])

    assert "session.upgraded" not in [name for name, _ in await history(database, rosa, waiver["session_id"])]


@pytest.mark.parametrize(
    "change",
    [
        "set at = at - interval '1 day' where version = 1 and is_erased",
        "set name = 'session.viewed' where version = 1 and is_erased",
        "set details_sha256 = sha256('x') where version = 1 and is_erased",
        "set details = details || jsonb_build_object('record_sha256', 'x') where version = 1 and is_erased",
        "set details = details || '{\"name\": \"Mallory\"}' where version = 1 and name = 'waiver.signed'",
        "set salt = sha256('x') where version = 1 and not is_erased",
        "set version = 2, salt = coalesce(salt, 'x') where version = 1 and not is_erased",
    ],
)
async def test_a_change_of_an_upgraded_event_is_found(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person,
    old_session: OldSession, change: str,
) -> None:  # fmt: skip
    await erase(database, rosa, old_session.erased_id)
    await seal_new_events(database, seal)
    await admin.execute("set session_replication_role = replica")

    await admin.execute(f"update waivers.audit_events {change}")

    assert await broken_reasons(database, seal, old_session.id) != []
    assert await pack_findings(database, documents, seal, rosa, old_session.remaining_id) != []


async def test_no_history_can_be_declared_an_old_one_after_an_erasure(
    database: Database, admin: Connection, seal: Seal, rosa: Person
) -> None:
    """The forger passes off the events of an erased waiver as events of version 1, with another time."""
    waiver = await sign(database, await make_session(database, rosa))
    await erase(database, rosa, waiver["id"])
    await seal_new_events(database, seal)
    await admin.execute("set session_replication_role = replica")
    await admin.execute("update waivers.audit_events set version = 1, at = at - interval '1 minute' where is_erased")
    await admin.execute(
        """
        select waivers.append_audit(s, 'session.upgraded', jsonb_build_object(
                   'history_sha256', encode(waivers.upgraded_history_hash(s.id), 'hex')))
          from waivers.sessions s where s.id = $1
        """,
        waiver["session_id"],
    )

    [reason] = await broken_reasons(database, seal, waiver["session_id"])

    assert "the events of version 1 are not those to which this event commits" in reason
