"""Reads the outbox in order, without skipping events of transactions that are still running."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from cairn.db import Connection
from cairn.kit import frozen_dataclass

# A reader polls every two seconds. The time of its last poll is written only this often.
_RECORD_READING_EVERY = "5 seconds"
# If no worker has read the outbox or sent a heartbeat for this long, we assume that none is running.
_WORKER_TIMEOUT = "20 seconds"


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """The place of an event in the outbox. A reader stores the position of the last event that it has read.

    Positions are compared by transaction first, because an event gets its id before its transaction commits.
    """

    xid: int = 0
    id: int = 0


@frozen_dataclass
class Event:
    position: Position
    name: str
    payload: dict[str, Any]
    at: datetime


async def raise_event(connection: Connection, name: str, **payload: object) -> None:
    """Writes the event in the caller's transaction, so that both commit or roll back together."""
    await connection.execute("select jobs.raise_event($1, $2)", name, json.dumps(payload, default=str))


async def events_after(
    connection: Connection, position: Position, *, with_payload: Collection[str], limit: int = 500
) -> list[Event]:
    """Returns events in order. Events after the oldest running transaction are left for a later call.

    The payloads of events whose name is not in `with_payload` are not read, because changed rows can be large.
    """
    rows = await connection.fetch(
        """
        select xid::text::bigint as xid, id, name, case when name = any ($4) then payload else '{}' end as payload, at
          from jobs.events
         where (xid, id) > ($1::text::xid8, $2)
           and xid < (select jobs.oldest_running_xid())
         order by xid, id
         limit $3
        """,
        str(position.xid),
        position.id,
        limit,
        list(with_payload),
    )
    return [Event(Position(row["xid"], row["id"]), row["name"], json.loads(row["payload"]), row["at"]) for row in rows]


async def stuck_counts(connection: Connection) -> tuple[int, int]:
    """Returns how many events have waited for a worker for more than a minute, and how many jobs failed for good."""
    row = await connection.fetchrow(
        """
        select (select count(*)
                  from jobs.events e
                  join jobs.readers r on r.name = 'worker' and (e.xid, e.id) > (r.xid, r.id)
                 where e.at < now() - interval '1 minute'),
               (select count(*) from jobs.procrastinate_jobs where status = 'failed')
        """
    )
    assert row is not None, "a select without from always has a row"
    return row[0], row[1]


@frozen_dataclass
class QueueState:
    delay_seconds: float
    failed_jobs: int


# The first event that no worker has read. With a limit, PostgreSQL reads only this one.
_OLDEST_UNREAD_AT = """
select e.at
  from jobs.events e
 where (e.xid, e.id) > ((select r.xid from jobs.readers r where r.name = 'worker'),
                        (select r.id from jobs.readers r where r.name = 'worker'))
 order by e.xid, e.id
 limit 1
"""


async def outbox_delay_seconds(connection: Connection) -> float:
    """Returns how long the oldest event has been waiting for a worker."""
    seconds = await connection.fetchval(f"select extract(epoch from now() - ({_OLDEST_UNREAD_AT}))")
    return max(0.0, float(seconds or 0))


async def queue_state(connection: Connection) -> QueueState:
    """Returns how long the oldest event or due job has been waiting, and how many stored jobs failed for good."""
    row = await connection.fetchrow(
        f"""
        select extract(epoch from now() - least(
                   now(),
                   ({_OLDEST_UNREAD_AT}),
                   (select min(coalesce(j.scheduled_at, e.at))
                      from jobs.procrastinate_jobs j
                      join jobs.procrastinate_events e on e.job_id = j.id and e.type = 'deferred'
                     where j.status = 'todo'
                       and coalesce(j.scheduled_at, now()) <= now()))),
               (select count(*) from jobs.procrastinate_jobs where status = 'failed')
        """
    )
    assert row is not None, "a select without from always has a row"
    return QueueState(float(row[0]), row[1])


async def claim_position(connection: Connection, reader: str) -> Position | None:
    """Locks the reader's position for this transaction. Returns None if another process has locked it."""
    row = await connection.fetchrow(
        f"""
        select xid::text::bigint as xid, id,
               -- A time in the future is from before the clock was set back.
               coalesce(read_at not between now() - interval '{_RECORD_READING_EVERY}' and now(), true)
                 as is_read_at_old
          from jobs.readers
         where name = $1
           for update skip locked
        """,
        reader,
    )
    if row is None:
        return None
    if row["is_read_at_old"]:
        await connection.execute("update jobs.readers set read_at = now() where name = $1", reader)
    return Position(row["xid"], row["id"])


async def is_worker_running(connection: Connection) -> bool:
    """Returns whether some worker has recently read the outbox, and some worker runs jobs."""
    is_running: bool = await connection.fetchval(
        f"""
        select exists (select from jobs.readers
                        where name = 'worker'
                          and read_at between now() - interval '{_WORKER_TIMEOUT}'
                                          and now() + interval '{_WORKER_TIMEOUT}')
           and exists (select from jobs.procrastinate_workers
                        where last_heartbeat between now() - interval '{_WORKER_TIMEOUT}'
                                                 and now() + interval '{_WORKER_TIMEOUT}')
        """
    )
    return is_running


async def move_position(connection: Connection, reader: str, position: Position) -> None:
    await connection.execute(
        "update jobs.readers set xid = $2::text::xid8, id = $3 where name = $1",
        reader,
        str(position.xid),
        position.id,
    )
