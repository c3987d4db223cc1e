"""7E1: someone who has the database, but not the key of the seal, cannot pass off a history as one of version 0.1.

Cairn 0.1 wrote events of version 1. The hash of such an event cannot be checked once the event is erased. The forger
keeps the hashes of all events, because signed heads contain them, declares the events to be erased ones of version 1,
and makes them name another waiver, which seems to be erased. So nothing contradicts the changed record of the true
waiver, which seems to have been signed later.

7E1 and 7E3 are findings in docs/security.md.
"""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
import pytest_asyncio

from cairn.db import SERVICE, Connection, Database
from cairn.kit import now
from cairn.waivers import DocumentContext, Seal, seal_new_events
from cairn.waivers.documents import prepare_document
from cairn.waivers.documents.heads import seal_heads
from tests.abuse.test_forged_erasures import broken_reasons, pack_findings
from tests.factories import make_session, sign
from tests.people import Person
from tests.waivers.acts import erase, history
from tests.waivers.test_erasing_old_histories import rewrite_as_0_1

COPY_AS_ERASED = """
    insert into waivers.signed
    select (jsonb_populate_record(w, jsonb_build_object('id', $2::uuid, 'erased_at', now()))).*
      from waivers.signed w where w.id = $1
"""
DECLARE_VERSION_1 = """
    update waivers.audit_events e
       set version = 1, is_erased = true, salt = null, details_sha256 = sha256('x'), at = {time},
           details = waivers.public_details(e.details) || case when e.details ? 'waiver_id'
                     then jsonb_build_object('waiver_id', $2::uuid) else '{{}}' end
     where e.session_id = $1
"""
MOVE_THE_ERASED_RECORD = """
    update waivers.signed w set signed_at = e.at, document_at = e.at from waivers.audit_events e
     where w.id = $1 and e.name = 'waiver.signed' and e.details ->> 'waiver_id' = w.id::text
"""
APPEND_UPGRADE = """
    select waivers.append_audit(s, 'session.upgraded', jsonb_build_object(
               'history_sha256', encode(waivers.upgraded_history_hash(s.id), 'hex')))
      from waivers.sessions s where s.id = $1
"""
APPEND_ERASURE = """
    select waivers.append_audit(s, 'waiver.erased', jsonb_build_object(
               'waiver_id', w.id, 'cause', 'request', 'reason', 'The guest asked for it',
               'record_sha256', encode(w.record_sha256, 'hex'), 'document_sha256', w.document_sha256,
               'erased_events', (select jsonb_agg(e.position order by e.position)
                                   from (select row_number() over (order by a.id) as position, a.version, a.details
                                           from waivers.audit_events a where a.session_id = s.id) e
                                  where e.version = 1 and not e.details ? 'waiver_id')))
      from waivers.sessions s join waivers.signed w on w.session_id = s.id where w.id = $1
"""
CHANGE_RECORD = """
    update waivers.signed
       set content = 'I accept EVERYTHING.', signed_at = clock_timestamp(),
           document_path = null, document_sha256 = null, document_at = null, document_bytes = null
     where id = $1
"""
APPEND_SIGNATURE = """
    select waivers.append_audit(s, 'waiver.signed', jsonb_build_object(
               'waiver_id', w.id, 'record_sha256', encode(w.record_sha256, 'hex')))
      from waivers.sessions s join waivers.signed w on w.session_id = s.id where w.id = $1
"""
FIRST_HEAD_AT = "(select min(h.at) from waivers.chain_heads h)"
COVERING_HEAD_AT = "(select max(h.at) from waivers.chain_heads h)"

PassOff = Callable[[str], Awaitable[None]]


@pytest_asyncio.fixture
async def waiver(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person,
    monkeypatch: pytest.MonkeyPatch,
) -> Any:  # fmt: skip
    """A signed waiver of a company whose first head was signed three hours ago. The second head covers the waiver."""
    first_head_at = now() - timedelta(hours=3)
    with monkeypatch.context() as patch:
        patch.setattr(seal_heads, "now", lambda: first_head_at)
        await sign(database, await make_session(database, rosa))
        await seal_new_events(database, seal)
    waiver = await sign(database, await make_session(database, rosa))
    await prepare_document(database, documents, seal, waiver["id"])
    assert await admin.fetchval("select array_agg(entry_count order by number) from waivers.chain_heads") == [1, 1]
    assert await broken_reasons(database, seal, waiver["session_id"]) == []
    await admin.execute("set session_replication_role = replica")
    return waiver


@pytest.fixture
def pass_off_as_0_1(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, waiver: Any
) -> PassOff:
    """Returns a function that forges the history. Its argument is an SQL expression for the times of the old events."""

    async def pass_off(time: str) -> None:
        waiver_id, session_id, erased_id = waiver["id"], waiver["session_id"], uuid4()
        hashes = await hashes_of(admin, session_id)
        await admin.execute(COPY_AS_ERASED, waiver_id, erased_id)
        await admin.execute(DECLARE_VERSION_1.format(time=time), session_id, erased_id)
        await admin.execute(MOVE_THE_ERASED_RECORD, erased_id)
        await admin.execute(APPEND_UPGRADE, session_id)
        await admin.execute(APPEND_ERASURE, erased_id)
        await admin.execute(CHANGE_RECORD, waiver_id)
        await admin.execute(
            "update waivers.signed w set record_sha256 = waivers.record_hash(w) where w.id = $1", waiver_id
        )
        await admin.execute(APPEND_SIGNATURE, waiver_id)
        await admin.execute("delete from storage.objects")
        await prepare_document(database, documents, seal, waiver_id)
        assert (await hashes_of(admin, session_id))[: len(hashes)] == hashes, "the heads still contain them"

    return pass_off


async def hashes_of(admin: Connection, session_id: UUID) -> list[bytes]:
    rows = await admin.fetch("select hash from waivers.audit_events where session_id = $1 order by id", session_id)
    return [row["hash"] for row in rows]


@pytest.mark.parametrize(
    "time",
    ["e.at", FIRST_HEAD_AT, f"{FIRST_HEAD_AT} - interval '1 microsecond'", f"{FIRST_HEAD_AT} - interval '1 year'"],
)
async def test_7e1_a_history_of_this_version_cannot_be_passed_off_as_one_of_0_1(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, waiver: Any,
    pass_off_as_0_1: PassOff, time: str,
) -> None:  # fmt: skip
    await pass_off_as_0_1(time)

    reasons = await broken_reasons(database, seal, waiver["session_id"])

    assert reasons != []
    assert all("the event is not older than the first heads, so it does not have version 1" in text for text in reasons)
    assert await pack_findings(database, documents, seal, rosa, waiver["id"]) != []


@pytest.mark.parametrize("moved_by", ["-1 microsecond", "0", "1 minute"])
async def test_7e1_deleting_the_heads_before_the_history_does_not_help(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person, waiver: Any,
    pass_off_as_0_1: PassOff, moved_by: str,
) -> None:  # fmt: skip
    """The head that covers the history would then be the first one."""
    time = await admin.fetchval(f"select ({COVERING_HEAD_AT} + $1::text::interval)::text", moved_by)
    await admin.execute(
        "delete from waivers.head_entries where head_id = (select id from waivers.chain_heads where number = 1)"
    )
    await admin.execute("delete from waivers.chain_heads where number = 1")

    await pass_off_as_0_1(f"'{time}'")

    assert await broken_reasons(database, seal, waiver["session_id"]) != []
    assert await pack_findings(database, documents, seal, rosa, waiver["id"]) != []


async def test_7e1_moving_the_session_to_a_company_without_heads_does_not_help(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, mallory: Person, waiver: Any,
    pass_off_as_0_1: PassOff,
) -> None:  # fmt: skip
    for table, column in (("sessions", "id"), ("signed", "session_id"), ("audit_events", "session_id")):
        await admin.execute(
            f"update waivers.{table} set company_id = $2 where {column} = $1", waiver["session_id"], mallory.company
        )

    await pass_off_as_0_1("e.at")

    reasons = await broken_reasons(database, seal, waiver["session_id"])
    assert any("a signed head of another company covers its history" in reason for reason in reasons)
    assert await pack_findings(database, documents, seal, mallory, waiver["id"]) != []


async def test_7e1_a_true_history_of_0_1_is_intact_long_after_the_first_head(
    database: Database, seal: Seal, rosa: Person, admin: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = await sign(database, await make_session(database, rosa))
    await rewrite_as_0_1(admin, old["session_id"])
    await seal_new_events(database, seal)
    tomorrow = now() + timedelta(days=1)
    monkeypatch.setattr(seal_heads, "now", lambda: tomorrow)
    await erase(database, rosa, old["id"])
    await seal_new_events(database, seal)

    assert await admin.fetchval("select count(*) from waivers.audit_events where version = 1 and is_erased") == 2
    assert await broken_reasons(database, seal, old["session_id"]) == []


async def test_7e3_a_history_of_0_1_without_a_signature_is_intact_after_its_company_was_deleted(
    database: Database, admin: Connection, seal: Seal, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)
    await rewrite_as_0_1(admin, session_id)

    async with database.acting_as(SERVICE) as connection:
        while await connection.fetchval("select waivers.erase_company_waivers($1, 10)", rosa.company):
            pass

    names = [name for name, _ in await history(database, rosa, session_id)]
    assert names[-2:] == ["session.upgraded", "session.erased"]
    assert await broken_reasons(database, seal, session_id) == []
