"""Signs heads, which show later that no event, no record and no whole history was removed or replaced."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from uuid import UUID

from cairn.db import SERVICE, Connection, Database
from cairn.kit import now
from cairn.waivers.documents.heads import store
from cairn.waivers.documents.heads.model import HeadContent, tree_root
from cairn.waivers.documents.heads.store import UncoveredHistory
from cairn.waivers.documents.sealing import Seal
from cairn.waivers.documents.store import save_certificate

# To create the proof in an evidence pack, all entries of a head are read, so a head has a limited number of them.
_MAX_ENTRIES = 1000
_EVENTS_PER_PASS = 20_000


async def seal_new_events(database: Database, seal: Seal) -> None:
    """Covers all new events of all companies with heads. The worker calls this at intervals."""
    while await _seal_next_events(database, seal):
        pass


async def seal_session(database: Database, seal: Seal, company_id: UUID | None, session_id: UUID) -> None:
    """Covers the new events of this session, and those of all other sessions of its company.

    A head thus leaves out no event that is older than the head. If an event claims a time before a head that does not
    cover it, the event was added later. `waivers.broken_evidence` reports such events.
    """
    async with database.acting_as(SERVICE) as connection:
        position = (await store.read_position(connection)).id
        session_ids = await store.sessions_of_company_with_events(
            connection, company_id, position, position + _EVENTS_PER_PASS
        )
        await _seal_sessions(connection, seal, company_id, {session_id, *session_ids})


async def _seal_sessions(
    connection: Connection, seal: Seal, company_id: UUID | None, session_ids: Collection[UUID]
) -> None:
    """Covers the new events of these sessions of one company. Does nothing if there are none."""
    await store.lock_heads(connection, company_id)
    histories = await store.uncovered_histories(connection, session_ids)
    if not histories:
        return
    newest = await store.newest_head(connection, company_id)
    previous, signed_at = newest.content if newest else None, now()
    await save_certificate(connection, seal.fingerprint, seal.certificate_pem.decode(), seal.certificate_mac)
    for start in range(0, len(histories), _MAX_ENTRIES):
        batch = histories[start : start + _MAX_ENTRIES]
        content = next_head(company_id, previous, batch, signed_at)
        head_id = await store.add_head(
            connection,
            content,
            seal.sign(content.text.encode()),
            seal.fingerprint,
            wants_timestamp=seal.is_timestamped,
        )
        await store.add_entries(connection, head_id, [history.entry for history in batch])
        previous = content


def next_head(
    company_id: UUID | None, earlier: HeadContent | None, histories: Sequence[UncoveredHistory], at: datetime
) -> HeadContent:
    return HeadContent(
        company_id=company_id,
        number=earlier.number + 1 if earlier else 1,
        previous=earlier.hash if earlier else None,
        at=at,
        session_count=(earlier.session_count if earlier else 0) + sum(history.is_first for history in histories),
        waiver_count=(earlier.waiver_count if earlier else 0) + sum(history.new_waivers for history in histories),
        event_count=(earlier.event_count if earlier else 0) + sum(history.new_events for history in histories),
        entry_count=len(histories),
        root=tree_root([history.entry.leaf for history in histories]),
    )


async def _seal_next_events(database: Database, seal: Seal) -> bool:
    """Covers some thousand events. Returns True if there may be more.

    The position of this reader moves only over events of transactions that have ended. Events above the position are
    read again the next time, which changes nothing if a head covers them already.
    """
    async with database.acting_as(SERVICE, read_only=True) as connection:
        position = await store.read_position(connection)
        last = min(position.id + _EVENTS_PER_PASS, position.newest_id)
        session_ids = await store.sessions_with_events(connection, position.id, last)
        histories = await store.uncovered_histories(connection, session_ids)
    for company_id, company_sessions in _by_company(histories):
        async with database.acting_as(SERVICE) as connection:
            await _seal_sessions(connection, seal, company_id, company_sessions)
    covered = min(last, position.next_id) if position.is_next_safe else position.id
    async with database.acting_as(SERVICE) as connection:
        next_id = position.newest_id if covered >= position.next_id and position.newest_id > position.next_id else None
        if covered > position.id or next_id is not None:
            await store.move_position(connection, covered, next_id)
    return covered > position.id and last < position.newest_id


def _by_company(histories: Iterable[UncoveredHistory]) -> list[tuple[UUID | None, list[UUID]]]:
    sessions: dict[UUID | None, list[UUID]] = {}
    for history in histories:
        sessions.setdefault(history.company_id, []).append(history.entry.session_id)
    return list(sessions.items())
