"""The SQL queries for heads."""

from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from datetime import datetime
from uuid import UUID

from asyncpg import Record

from cairn.db import Connection
from cairn.kit import frozen_dataclass
from cairn.waivers.documents.heads.model import HeadContent, HeadEntry

_HEAD_COLUMNS = """
    h.id, h.company_id, h.number, h.previous, h.at, h.session_count, h.waiver_count, h.event_count, h.entry_count,
    h.root, h.hash, h.signature, h.certificate, h.wants_timestamp, t.token, t.timestamped_at
"""
# Each batch of heads is read with one query.
_HEADS_PER_BATCH = 500
# A head gets no timestamp yet if its id is more than this above the id of the oldest head that waits for one.
_MAX_ID_DISTANCE = 10_000


@frozen_dataclass
class ChainHead:
    """A stored head. `timestamp_token` is the response of the timestamp authority."""

    id: int
    content: HeadContent
    hash: bytes
    signature: bytes
    certificate: str
    wants_timestamp: bool
    timestamp_token: bytes | None
    timestamped_at: datetime | None

    @property
    def timestamp_status(self) -> str:
        if self.timestamp_token is not None:
            return "confirmed"
        return "pending" if self.wants_timestamp else "none"


@frozen_dataclass
class UncoveredHistory:
    """A history that has grown since a head last covered it."""

    company_id: UUID | None
    entry: HeadEntry
    new_events: int
    new_waivers: int
    is_first: bool
    """True if no head has covered this session before."""


@frozen_dataclass
class Position:
    """Up to which event all histories are covered; see the table `waivers.head_position`."""

    id: int
    next_id: int
    """The position moves to this event as soon as that is safe."""
    is_next_safe: bool
    """True if all transactions that ran when `next_id` was stored have ended."""
    newest_id: int
    """The id of the newest event."""


async def lock_heads(connection: Connection, company_id: UUID | None) -> None:
    await connection.execute("select waivers.lock_heads($1)", company_id)


async def uncovered_histories(connection: Connection, session_ids: Collection[UUID]) -> list[UncoveredHistory]:
    rows = await connection.fetch(
        """
        select company_id, session_id, event_count, last_hash, new_events, new_waivers, is_first
          from waivers.uncovered_histories($1)
        """,
        list(session_ids),
    )
    return [
        UncoveredHistory(
            row["company_id"],
            HeadEntry(row["session_id"], row["event_count"], row["last_hash"]),
            row["new_events"],
            row["new_waivers"],
            row["is_first"],
        )
        for row in rows
    ]


async def newest_head(connection: Connection, company_id: UUID | None) -> ChainHead | None:
    row = await connection.fetchrow(
        f"""
        select {_HEAD_COLUMNS}
          from waivers.chain_heads h
          left join waivers.head_timestamps t on t.head_id = h.id
         where {_of_company(company_id)}
         order by h.number desc
         limit 1
        """,
        company_id,
    )
    return None if row is None else _head(row)


async def add_head(
    connection: Connection, content: HeadContent, signature: bytes, certificate: str, *, wants_timestamp: bool
) -> int:
    head_id: int = await connection.fetchval(
        """
        insert into waivers.chain_heads
               (company_id, number, previous, at, session_count, waiver_count, event_count, entry_count, root, hash,
                signature, certificate, wants_timestamp)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
        returning id
        """,
        content.company_id, content.number, content.previous, content.at, content.session_count, content.waiver_count,
        content.event_count, content.entry_count, content.root, content.hash, signature, certificate, wants_timestamp,
    )  # fmt: skip
    return head_id


async def add_entries(connection: Connection, head_id: int, entries: Sequence[HeadEntry]) -> None:
    await connection.executemany(
        """
        insert into waivers.head_entries (head_id, position, session_id, event_count, last_hash)
        values ($1, $2, $3, $4, $5)
        """,
        [
            (head_id, position, entry.session_id, entry.event_count, entry.last_hash)
            for position, entry in enumerate(entries)
        ],
    )


async def covering_head(connection: Connection, session_id: UUID) -> ChainHead | None:
    """Returns the newest head that covers the session."""
    row = await connection.fetchrow(
        f"""
        select {_HEAD_COLUMNS}
          from waivers.head_entries n
          join waivers.chain_heads h on h.id = n.head_id
          left join waivers.head_timestamps t on t.head_id = h.id
         where n.session_id = $1
         order by n.event_count desc
         limit 1
        """,
        session_id,
    )
    return None if row is None else _head(row)


async def heads_around_events(
    connection: Connection, session_id: UUID, *, only_of_waivers: bool
) -> list[tuple[int, ChainHead]]:
    """Returns the heads that show when the events of a session existed, each with the start of its span.

    With `only_of_waivers`, only events that open, sign, seal, revoke or erase count.
    """
    rows = await connection.fetch(
        f"""
        select a.span, {_HEAD_COLUMNS}
          from waivers.heads_around_events($1, $2) a
          join waivers.chain_heads h on h.id = a.head_id
          left join waivers.head_timestamps t on t.head_id = h.id
         order by h.number, h.id
        """,
        session_id, only_of_waivers,
    )  # fmt: skip
    return [(row["span"], _head(row)) for row in rows]


async def count_entries_around_events(connection: Connection, session_id: UUID, *, only_of_waivers: bool) -> int:
    """Returns how many entries the heads of `heads_around_events` have."""
    count: int = await connection.fetchval(
        """
        select coalesce(sum(h.entry_count), 0)::bigint
          from waivers.heads_around_events($1, $2) a
          join waivers.chain_heads h on h.id = a.head_id
        """,
        session_id, only_of_waivers,
    )  # fmt: skip
    return count


async def entries_of(connection: Connection, head_ids: Sequence[int]) -> dict[int, list[HeadEntry]]:
    return entries_by_head(head_ids, await entry_rows(connection, head_ids))


async def entry_rows(connection: Connection, head_ids: Sequence[int]) -> list[Record]:
    """Returns the rows for `entries_by_head`, which needs no connection and can therefore run in a thread."""
    return await connection.fetch(
        """
        select head_id, session_id, event_count, last_hash
          from waivers.head_entries
         where head_id = any ($1::bigint[])
         order by head_id, position
        """,
        list(head_ids),
    )


def entries_by_head(head_ids: Sequence[int], rows: Iterable[Record]) -> dict[int, list[HeadEntry]]:
    entries: dict[int, list[HeadEntry]] = {head_id: [] for head_id in head_ids}
    for row in rows:
        entries[row["head_id"]].append(HeadEntry(row["session_id"], row["event_count"], row["last_hash"]))
    return entries


async def head_batches(connection: Connection, company_id: UUID | None) -> AsyncIterator[list[ChainHead]]:
    """Yields all heads of a company in order, some hundred at a time."""
    last_number, last_id = 0, 0
    while True:
        rows = await connection.fetch(
            f"""
            select {_HEAD_COLUMNS}
              from waivers.chain_heads h
              left join waivers.head_timestamps t on t.head_id = h.id
             where {_of_company(company_id)} and (h.number, h.id) > ($2, $3)
             order by h.number, h.id
             limit {_HEADS_PER_BATCH}
            """,
            company_id, last_number, last_id,
        )  # fmt: skip
        if not rows:
            return
        last_number, last_id = rows[-1]["number"], rows[-1]["id"]
        yield [_head(row) for row in rows]


async def heads_without_timestamp(connection: Connection, *, limit: int) -> list[tuple[int, bytes]]:
    """Returns the ids and hashes of heads that wait for a timestamp. Companies take turns, each with its oldest head.

    Only heads whose ids are near that of the oldest waiting head are returned. So no waiting head is far below the
    newest head with a timestamp, and older heads need not be read. The query reads twice that distance, because a head
    may be committed after one with a higher id.
    """
    rows = await connection.fetch(
        f"""
        with waiting as (
            select h.id, h.hash, h.company_id
              from waivers.chain_heads h
             where h.wants_timestamp
               and h.id > (select coalesce(max(t.head_id), 0) - {2 * _MAX_ID_DISTANCE} from waivers.head_timestamps t)
               and not exists (select from waivers.head_timestamps t where t.head_id = h.id)
        )
        select w.id, w.hash
          from waiting w
         where w.id < (select min(id) + {_MAX_ID_DISTANCE} from waiting)
         order by row_number() over (partition by w.company_id order by w.id), w.id
         limit $1
        """,
        limit,
    )
    return [(row["id"], row["hash"]) for row in rows]


async def add_timestamp(connection: Connection, head_id: int, token: bytes, timestamped_at: datetime) -> None:
    await connection.execute(
        """
        insert into waivers.head_timestamps (head_id, token, timestamped_at) values ($1, $2, $3)
        on conflict do nothing
        """,
        head_id, token, timestamped_at,
    )  # fmt: skip


async def read_position(connection: Connection) -> Position:
    row = await connection.fetchrow(
        """
        select coalesce(p.id, 0) as id, coalesce(p.next_id, 0) as next_id,
               coalesce(p.next_xid <= jobs.oldest_running_xid(), true) as is_next_safe,
               coalesce((select max(e.id) from waivers.audit_events e), 0) as newest_id
          from (values (true)) as only_row
          left join waivers.head_position p on true
        """
    )
    assert row is not None, "a left join always has a row"
    return Position(**row)


async def move_position(connection: Connection, position: int, next_id: int | None) -> None:
    """With `next_id`, the position may move there when all transactions that run now have ended."""
    await connection.execute(
        """
        insert into waivers.head_position as p (id, next_id, next_xid)
        values ($1, coalesce($2::bigint, 0), pg_snapshot_xmax(pg_current_snapshot()))
        on conflict (is_only_row) do update
           set id = greatest(p.id, excluded.id),
               next_id = case when $2::bigint is null then p.next_id else excluded.next_id end,
               next_xid = case when $2::bigint is null then p.next_xid else excluded.next_xid end
        """,
        position, next_id,
    )  # fmt: skip


async def sessions_with_events(connection: Connection, after: int, last: int) -> list[UUID]:
    """Returns the sessions that have an event with an id after `after` and up to `last`."""
    rows = await connection.fetch(
        "select distinct session_id from waivers.audit_events where id > $1 and id <= $2", after, last
    )
    return [row["session_id"] for row in rows]


async def sessions_of_company_with_events(
    connection: Connection, company_id: UUID | None, after: int, last: int
) -> list[UUID]:
    rows = await connection.fetch(
        """
        select distinct session_id
          from waivers.audit_events
         where id > $2 and id <= $3 and company_id is not distinct from $1
        """,
        company_id, after, last,
    )  # fmt: skip
    return [row["session_id"] for row in rows]


async def is_stored_head(connection: Connection, company_id: UUID | None, sha256: str) -> bool:
    """Returns True if the company has a head with this hash."""
    is_stored: bool = await connection.fetchval(
        """
        select exists (select from waivers.chain_heads h
                        where h.hash = $2 and h.company_id is not distinct from $1)
        """,
        company_id, bytes.fromhex(sha256),
    )  # fmt: skip
    return is_stored


def _of_company(company_id: UUID | None) -> str:
    """Returns a condition for which PostgreSQL can use the index, which it cannot for `is not distinct from`."""
    return "h.company_id = $1" if company_id else "(h.company_id is null and $1::uuid is null)"


def _head(row: Record) -> ChainHead:
    content = HeadContent(
        row["company_id"], row["number"], row["previous"], row["at"], row["session_count"], row["waiver_count"],
        row["event_count"], row["entry_count"], row["root"],
    )  # fmt: skip
    return ChainHead(
        row["id"], content, row["hash"], row["signature"], row["certificate"], row["wants_timestamp"], row["token"],
        row["timestamped_at"],
    )  # fmt: skip
