"""Queries about how much an account has stored."""

from uuid import UUID

from cairn.db import Connection
from cairn.kit import frozen_dataclass
from cairn.storage.model import ObjectPath


@frozen_dataclass
class Usage:
    """What an account has stored: its objects, and what has arrived of its unfinished resumable uploads."""

    bytes: int
    files: int


async def usage_of(connection: Connection, owner: UUID, *, without: ObjectPath | None = None) -> Usage:
    """Leaves out the object at `without`, which is about to be replaced."""
    row = await connection.fetchrow(
        """
        select coalesce(sum(size), 0)::bigint as bytes, count(*) as files
          from (select coalesce((metadata ->> 'size')::bigint, 0) as size
                  from storage.objects
                 where owner = $1 and (bucket_id, name) is distinct from ($2, $3)
                union all
                select received
                  from storage.uploads
                 where owner_id = $1::text and finished_at is null) stored
        """,
        owner,
        without and without.bucket,
        without and without.key,
    )
    assert row is not None, "an aggregate always returns one row"
    return Usage(row["bytes"], row["files"])


async def lock_usage(connection: Connection, owner: UUID) -> None:
    """Lets the simultaneous uploads of one account commit one after the other, so that each sees those before it."""
    await connection.execute(
        "select pg_advisory_xact_lock(hashtextextended('storage usage of ' || $1::text, 0))", str(owner)
    )
