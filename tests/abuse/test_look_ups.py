"""F3: looking up a document by its printed id costs little, however often and by however many people it is done.

7W2: a look-up also costs little if the signed heads around the events of the session have very many entries.

17B7: a document whose heads have too many entries is still verified by its seal.

F3, 7W2 and 17B7 are findings in docs/security.md.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import pytest

from cairn.db import SERVICE, Connection, Database
from cairn.functions.look_up_limits import LookUpLimits
from cairn.waivers import DocumentContext, Seal, seal_new_events
from cairn.waivers.documents import prepare_document
from cairn.waivers.documents.heads import count_entries_around_events, wrong_heads_around_events
from cairn.waivers.documents.heads import store as head_store
from cairn.waivers.documents.heads.model import HeadEntry
from cairn.waivers.documents.sealing import fingerprint_of
from cairn.waivers.documents.verification.check_session import check_session
from tests.abuse.locked_table import largest_waiting_count
from tests.factories import make_session, sign
from tests.functions.test_documents import call
from tests.people import Person
from tests.waivers.acts import history, hold, release
from tests.waivers.test_erasing import open_link

UNKNOWN_ID = "254ee2e0-f4d3-402b-8297-3a27ca62af27"
MAX_HOLDS = 20
LOOK_UPS_PER_MINUTE = 120


async def test_f3_a_waiver_is_put_on_hold_at_most_twenty_times(database: Database, rosa: Person) -> None:
    session_id = await make_session(database, rosa)
    waiver = await sign(database, session_id)
    for _ in range(MAX_HOLDS):
        await hold(database, rosa, waiver["id"])
        await release(database, rosa, waiver["id"])

    with pytest.raises(asyncpg.PostgresError, match="on legal hold 20 times already. To keep it, please download"):
        await hold(database, rosa, waiver["id"])

    names = [name for name, _ in await history(database, rosa, session_id)]
    assert (names.count("waiver.held"), names.count("hold.released")) == (MAX_HOLDS, MAX_HOLDS)


async def test_f3_holds_of_another_signature_of_the_same_session_do_not_count(database: Database, rosa: Person) -> None:
    session_id = await make_session(database, rosa)
    first, second = await sign(database, session_id), await sign(database, session_id)
    for _ in range(MAX_HOLDS):
        await hold(database, rosa, first["id"])
        await release(database, rosa, first["id"])

    await hold(database, rosa, second["id"])


async def look_up(client: httpx.AsyncClient, waiver_id: object) -> httpx.Response:
    return await call(client, "anon", "verify-document", {"waiver_id": str(waiver_id)})


async def test_f3_a_network_may_look_up_120_documents_a_minute(client: httpx.AsyncClient) -> None:
    """The calls of the second half start together, because the limiter allows another look-up every half second."""
    responses = [await look_up(client, UNKNOWN_ID) for _ in range(LOOK_UPS_PER_MINUTE)]
    *_, refused = await asyncio.gather(*(look_up(client, UNKNOWN_ID) for _ in range(LOOK_UPS_PER_MINUTE)))

    assert {response.json()["state"] for response in responses} == {"unknown"}
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_look_ups")
    assert int(refused.headers["retry-after"]) >= 1


async def test_f3_a_network_runs_at_most_two_look_ups_at_once_and_each_ends_after_a_short_time(
    client: httpx.AsyncClient, admin: Connection, sealed_waiver_id: UUID
) -> None:
    async with admin.transaction():
        await admin.execute("lock table waivers.audit_events in access exclusive mode")
        look_ups = asyncio.gather(*(look_up(client, sealed_waiver_id) for _ in range(4)))
        assert await largest_waiting_count(admin, "waivers.audit_events", until=look_ups) == 2

    outcomes = {(response.status_code, response.json()["code"]) for response in look_ups.result()}
    assert outcomes <= {(503, "history_not_checked"), (503, "too_busy")}
    assert (await look_up(client, sealed_waiver_id)).json()["history"] == "intact"


async def sign_between_others(
    database: Database, documents: DocumentContext, seal: Seal, owner: Person
) -> tuple[UUID, UUID, int]:
    """Signs one session three times. Each time a head also covers another session of the company.

    Returns the session, its last waiver, and how many entries the heads around its events have.
    """
    session_id = await make_session(database, owner)
    for _ in range(3):
        await make_session(database, owner)
        waiver = await sign(database, session_id)
        await prepare_document(database, documents, seal, waiver["id"])
    entry_count = await entries_around_events(database, session_id, only_of_waivers=False)
    assert entry_count >= 6
    return session_id, waiver["id"], entry_count


async def test_7w2_a_look_up_checks_a_limited_number_of_entries_and_an_evidence_pack_checks_all(
    client: httpx.AsyncClient,
    database: Database,
    documents: DocumentContext,
    seal: Seal,
    rosa: Person,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, waiver_id, entry_count = await sign_between_others(database, documents, seal, rosa)
    max_entries = "cairn.waivers.documents.verification.verify_record._MAX_ENTRIES"

    monkeypatch.setattr(max_entries, entry_count)
    assert (await look_up(client, waiver_id)).json()["history"] == "intact"

    monkeypatch.setattr(max_entries, entry_count - 1)
    assert (await look_up(client, waiver_id)).json()["history"] == "unchecked"
    pack = await call(client, "rosa", "evidence-pack", {"waiver_id": str(waiver_id)})
    assert pack.status_code == 200, pack.text


async def test_17b7_a_document_in_a_long_history_is_still_verified_by_its_seal(
    client: httpx.AsyncClient,
    admin: Connection,
    documents: DocumentContext,
    rosa: Person,
    sealed_waiver_id: UUID,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """17B7: a signer who makes a long history around their events cannot keep others from checking the document."""
    monkeypatch.setattr("cairn.waivers.documents.verification.verify_record._MAX_ENTRIES", 0)
    document = await documents.find(f"{rosa.company}/{sealed_waiver_id}.pdf")

    by_file = (await call(client, "anon", "verify-document", document)).json()
    by_link = (await look_up(client, sealed_waiver_id)).json()
    assert (by_file["state"], by_file["on_record"], by_file["history"]) == ("unchanged", True, "unchecked")
    assert (by_link["state"], by_link["history"]) == ("on_record", "unchecked")
    assert by_link["head_signed_at"] is not None

    # What is wrong with the events themselves is found all the same.
    await admin.execute("alter table waivers.audit_events disable trigger user")
    await admin.execute(
        """
        update waivers.audit_events set at = at - interval '1 day'
         where name = 'waiver.signed' and session_id = (select session_id from waivers.signed where id = $1)
        """,
        sealed_waiver_id,
    )
    await admin.execute("alter table waivers.audit_events enable trigger user")
    assert (await look_up(client, sealed_waiver_id)).json()["history"] == "broken"


async def test_17b7_visits_do_not_lengthen_the_history_that_a_look_up_checks(
    client: httpx.AsyncClient,
    database: Database,
    documents: DocumentContext,
    seal: Seal,
    rosa: Person,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """17B7: the heads around visits contain the other sessions that a guest opens in between."""
    session_id, waiver_id, _ = await sign_between_others(database, documents, seal, rosa)
    await seal_new_events(database, seal)
    entry_count = await entries_around_events(database, session_id, only_of_waivers=True)
    for _ in range(3):
        await make_session(database, rosa)
        await open_link(database, session_id, ip="203.0.113.9")
        await seal_new_events(database, seal)

    assert await entries_around_events(database, session_id, only_of_waivers=True) == entry_count
    assert await entries_around_events(database, session_id, only_of_waivers=False) > entry_count
    monkeypatch.setattr("cairn.waivers.documents.verification.verify_record._MAX_ENTRIES", entry_count)
    assert (await look_up(client, waiver_id)).json()["history"] == "intact"


async def entries_around_events(database: Database, session_id: UUID, *, only_of_waivers: bool) -> int:
    async with database.acting_as(SERVICE, read_only=True) as connection:
        return await count_entries_around_events(connection, session_id, only_of_waivers=only_of_waivers)


async def test_17b7_a_look_up_finds_a_history_that_was_replaced(
    client: httpx.AsyncClient,
    database: Database,
    admin: Connection,
    documents: DocumentContext,
    seal: Seal,
    rosa: Person,
) -> None:
    session_id, waiver_id, _ = await sign_between_others(database, documents, seal, rosa)
    await admin.execute("set session_replication_role = replica")

    await admin.execute("delete from waivers.head_entries where session_id = $1", session_id)

    assert (await look_up(client, waiver_id)).json()["history"] == "broken"


async def test_7w2_entries_are_read_in_small_batches_and_checked_in_a_thread(
    database: Database, documents: DocumentContext, seal: Seal, rosa: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    session_id, _, entry_count = await sign_between_others(database, documents, seal, rosa)
    monkeypatch.setattr(import_module("cairn.waivers.documents.heads.check_heads"), "_ENTRIES_PER_BATCH", 4)
    entries_by_head = head_store.entries_by_head
    batch_sizes = []

    def note_batch(head_ids: Sequence[int], rows: Iterable[asyncpg.Record]) -> dict[int, list[HeadEntry]]:
        assert threading.current_thread() is not threading.main_thread(), "the event loop would wait"
        entries = entries_by_head(head_ids, rows)
        batch_sizes.append(sum(len(entries_of_head) for entries_of_head in entries.values()))
        return entries

    monkeypatch.setattr(head_store, "entries_by_head", note_batch)
    async with database.acting_as(SERVICE, read_only=True) as connection:
        certificates = {fingerprint_of(seal.certificate): seal.certificate}
        assert await wrong_heads_around_events(connection, session_id, certificates, only_of_waivers=False) == []

    assert sum(batch_sizes) == entry_count
    assert max(batch_sizes) <= 4


async def test_7w2_the_history_of_an_uploaded_document_is_checked_in_a_turn_of_the_look_ups(
    client: httpx.AsyncClient,
    documents: DocumentContext,
    rosa: Person,
    sealed_waiver_id: UUID,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    document = await documents.find(f"{rosa.company}/{sealed_waiver_id}.pdf")
    steps = []

    @asynccontextmanager
    async def note_turn(_limits: LookUpLimits, _ip: str | None) -> AsyncIterator[None]:
        steps.append("turn begins")
        yield
        steps.append("turn ends")

    async def note_check(*arguments: Any, **options: Any) -> Any:
        steps.append("history is checked")
        return await check_session(*arguments, **options)

    monkeypatch.setattr(LookUpLimits, "turn", note_turn)
    monkeypatch.setattr("cairn.waivers.documents.verification.verify_record.check_session", note_check)

    response = await call(client, "anon", "verify-document", document)

    assert response.json()["history"] == "intact"
    assert steps == ["turn begins", "history is checked", "turn ends"]
