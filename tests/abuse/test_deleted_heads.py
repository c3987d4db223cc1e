"""6B4: someone who has the database, but not the key of the seal, cannot replace or backdate a history.

The forger replaces the history and deletes the head entries about it, so that no entry contradicts the new history. The
service then covers the new history with another head. `check_session`, the check behind `/verify` and `cairn verify`,
must find the forgery, and the evidence pack must not confirm the history.

6B4 is a finding in docs/security.md.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from cairn.db import SERVICE, Connection, Database
from cairn.kit import now
from cairn.waivers import DocumentContext, Seal, evidence_pack, seal_new_events
from cairn.waivers.documents import prepare_document
from cairn.waivers.documents.heads import seal_heads
from tests.abuse.test_forged_erasures import broken_reasons, pack_findings
from tests.factories import SAMPLE_TEMPLATE_ID, make_session, sign
from tests.independent_verifier import read_pack
from tests.people import Person

SetClock = Callable[[datetime], None]


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> SetClock:
    """Returns a function that sets the time at which heads are signed. Events get their times from the database."""
    return lambda moment: monkeypatch.setattr(seal_heads, "now", lambda: moment)


@pytest_asyncio.fixture
async def waiver(database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person) -> Any:
    """A signed waiver of a company with three heads. The second head covers this waiver and another session."""
    waivers = []
    for _ in range(3):
        await make_session(database, rosa)
        waivers.append(await sign(database, await make_session(database, rosa)))
        await prepare_document(database, documents, seal, waivers[-1]["id"])
    assert await admin.fetchval("select array_agg(entry_count order by number) from waivers.chain_heads") == [2, 2, 2]
    await admin.execute("set session_replication_role = replica")
    return waivers[1]


async def replace_history(admin: Connection, session_id: UUID, moved_by: timedelta = timedelta()) -> None:
    """Changes who signed, moves all times, and computes all hashes again, as the owner of the database can."""
    await admin.execute(
        "update waivers.signed set signer_name = 'Mallory Forger', signed_at = signed_at + $2 where session_id = $1",
        session_id, moved_by,
    )  # fmt: skip
    await admin.execute("update waivers.signed w set record_sha256 = waivers.record_hash(w) where true")
    previous = None
    for row in await admin.fetch("select id from waivers.audit_events where session_id = $1 order by id", session_id):
        await admin.execute(
            """
            update waivers.audit_events e
               set at = at + $2, previous = $3,
                   details = case when name = 'waiver.signed' then details || (
                                  select jsonb_build_object('record_sha256', encode(w.record_sha256, 'hex'))
                                    from waivers.signed w where w.id::text = e.details ->> 'waiver_id')
                                  else details end
             where id = $1
            """,
            row["id"], moved_by, previous,
        )  # fmt: skip
        previous = await admin.fetchval(
            "update waivers.audit_events e set hash = waivers.expected_hash(e) where id = $1 returning hash", row["id"]
        )


async def delete_the_entries(admin: Connection, session_id: UUID) -> None:
    await admin.execute("delete from waivers.head_entries where session_id = $1", session_id)


async def delete_the_entries_and_backdate(admin: Connection, session_id: UUID) -> None:
    await delete_the_entries(admin, session_id)
    await replace_history(admin, session_id, -timedelta(days=100))


async def give_the_entries_to_another_session(admin: Connection, session_id: UUID) -> None:
    await admin.execute(
        "update waivers.head_entries set session_id = gen_random_uuid() where session_id = $1", session_id
    )


async def change_the_entries(admin: Connection, session_id: UUID) -> None:
    await admin.execute(
        """
        update waivers.head_entries n
           set last_hash = (select e.hash from waivers.audit_events e
                             where e.session_id = n.session_id order by e.id offset n.event_count - 1 limit 1)
         where n.session_id = $1
        """,
        session_id,
    )


async def delete_the_covering_head(admin: Connection, _session_id: UUID) -> None:
    await admin.execute(
        "delete from waivers.head_entries where head_id = (select id from waivers.chain_heads where number = 2)"
    )
    await admin.execute("delete from waivers.chain_heads where number = 2")


async def delete_the_covering_head_and_the_one_before(admin: Connection, session_id: UUID) -> None:
    await delete_the_covering_head(admin, session_id)
    await admin.execute("delete from waivers.chain_heads where number = 1")


async def delete_the_entries_and_change_the_time_of_the_heads(admin: Connection, session_id: UUID) -> None:
    await delete_the_entries(admin, session_id)
    await admin.execute("update waivers.chain_heads set at = at - interval '1 day'")


FORGERIES = [
    delete_the_entries, delete_the_entries_and_backdate, give_the_entries_to_another_session, change_the_entries,
    delete_the_covering_head, delete_the_covering_head_and_the_one_before,
    delete_the_entries_and_change_the_time_of_the_heads,
]  # fmt: skip


async def test_6b4_honest_heads_are_accepted(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, waiver: Any
) -> None:
    assert await broken_reasons(database, seal, waiver["session_id"]) == []
    assert await pack_findings(database, documents, seal, rosa, waiver["id"]) == []
    assert await broken_reasons(database, seal, waiver["session_id"]) == []


@pytest.mark.accept("TRUE-05")
@pytest.mark.parametrize("forge", FORGERIES)
async def test_6b4_a_replaced_history_is_found_although_its_entries_were_deleted(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person, waiver: Any, forge: Any
) -> None:
    await replace_history(admin, waiver["session_id"])
    await forge(admin, waiver["session_id"])

    before_the_next_head = await broken_reasons(database, seal, waiver["session_id"])
    findings = await pack_findings(database, documents, seal, rosa, waiver["id"])
    after_the_next_head = await broken_reasons(database, seal, waiver["session_id"])

    assert before_the_next_head != []
    assert after_the_next_head != []
    assert findings != []


async def test_6b4_the_pack_of_a_replaced_history_says_so(
    database: Database, admin: Connection, documents: DocumentContext, rosa: Person, waiver: Any
) -> None:
    await replace_history(admin, waiver["session_id"])
    await delete_the_entries(admin, waiver["session_id"])

    pack = read_pack((await evidence_pack(database, documents, rosa.principal, waiver["id"])).content)

    assert "head.json" not in pack
    assert "BROKEN: head 2: entries are missing or were added" in pack["timeline.txt"].decode()


async def test_6b4_a_new_history_cannot_be_backdated(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person, set_clock: SetClock
) -> None:
    """Nothing is deleted: the forger adds a session with events that are older than a head of the company."""
    set_clock(now() - timedelta(hours=3))
    await sign(database, await make_session(database, rosa))
    await seal_new_events(database, seal)
    set_clock(now())
    forged = await sign(database, await make_session(database, rosa))
    await admin.execute("set session_replication_role = replica")
    await replace_history(admin, forged["session_id"], -timedelta(hours=5))
    await prepare_document(database, documents, seal, forged["id"])

    reasons = await broken_reasons(database, seal, forged["session_id"])

    assert len(reasons) == 2, "the two events of the document have true times"
    assert all("heads that were signed after the event do not contain it" in reason for reason in reasons)
    assert await pack_findings(database, documents, seal, rosa, forged["id"]) != []


async def test_6b4_a_new_history_without_a_company_cannot_be_backdated(
    database: Database, admin: Connection, seal: Seal, set_clock: SetClock
) -> None:
    sessions = []
    for hours in (3, 0):
        async with database.acting_as(SERVICE) as connection:
            sessions.append(
                await connection.fetchval(
                    "insert into waiver_sessions (template_id) values ($1) returning id", SAMPLE_TEMPLATE_ID
                )
            )
        await sign(database, sessions[-1])
        if hours == 0:
            assert await broken_reasons(database, seal, sessions[-1]) == []
            await admin.execute("set session_replication_role = replica")
            await replace_history(admin, sessions[-1], -timedelta(hours=5))
        set_clock(now() - timedelta(hours=hours))
        await seal_new_events(database, seal)

    assert await broken_reasons(database, seal, sessions[0]) == []
    assert await broken_reasons(database, seal, sessions[1]) != []


async def test_6b4_events_that_waited_for_the_worker_are_accepted(
    database: Database, admin: Connection, seal: Seal, rosa: Person, set_clock: SetClock
) -> None:
    """The worker stopped just after it signed a head without the event, and was started again days later."""
    covered, waiting = await make_session(database, rosa), await make_session(database, rosa)
    set_clock(now() + timedelta(seconds=1))
    async with database.acting_as(SERVICE) as connection:
        await seal_heads._seal_sessions(connection, seal, rosa.company, [covered])
    set_clock(now() + timedelta(days=5))
    await seal_new_events(database, seal)

    assert await admin.fetchval("select array_agg(entry_count order by number) from waivers.chain_heads") == [1, 1]
    assert await broken_reasons(database, seal, waiting) == []


async def test_6b4_the_head_of_an_evidence_pack_covers_all_events_of_the_company(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person, mallory: Person
) -> None:
    """So events of its other sessions do not look backdated if the worker is stopped while packs are exported."""
    waiver = await sign(database, await make_session(database, rosa))
    await prepare_document(database, documents, seal, waiver["id"])
    other, rival = await make_session(database, rosa), await make_session(database, mallory)

    await evidence_pack(database, documents, rosa.principal, waiver["id"])

    covered = {row["session_id"] for row in await admin.fetch("select session_id from waivers.head_entries")}
    assert {waiver["session_id"], other} <= covered
    assert rival not in covered
