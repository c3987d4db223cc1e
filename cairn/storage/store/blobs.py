"""Queries on the table of all blobs, including unfinished ones. Only the service may access it."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from cairn.db import Connection

_IS_USED = """exists (select from storage.objects o where o.version = b.version)
        or exists (select from storage.upload_parts p where p.version = b.version)"""


async def register_blob(connection: Connection, *, sealed: bool) -> UUID:
    """Must be committed before the first byte is written, so that every file in the blob store has a row."""
    version: UUID = await connection.fetchval(
        "insert into storage.blobs (sealed) values ($1) returning version", sealed
    )
    return version


async def unused_among(connection: Connection, versions: Sequence[UUID]) -> list[UUID]:
    rows = await connection.fetch(
        f"select version from storage.blobs b where version = any ($1) and not ({_IS_USED})", list(versions)
    )
    return [row["version"] for row in rows]


async def delete_unused(connection: Connection, versions: Sequence[UUID]) -> list[UUID]:
    """Deletes the rows of unused blobs and returns their versions. Commit only after the bytes are removed."""
    rows = await connection.fetch(
        f"delete from storage.blobs b where version = any ($1) and not ({_IS_USED}) returning version", list(versions)
    )
    return [row["version"] for row in rows]


async def orphaned_blobs(
    connection: Connection, *, older_than: timedelta, younger_than: timedelta, limit: int
) -> list[UUID]:
    """Returns unused blobs of this age, the oldest first."""
    rows = await connection.fetch(
        f"""
        select version
          from storage.blobs b
         where started_at < now() - $1::interval and started_at > now() - $2::interval and not ({_IS_USED})
         order by started_at
         limit $3
        """,
        older_than,
        younger_than,
        limit,
    )
    return [row["version"] for row in rows]


async def old_orphaned_blobs(
    connection: Connection, first_byte: int, *, older_than: timedelta, limit: int
) -> list[UUID]:
    """Returns unused blobs whose random version starts with this byte: one in 256 of all blobs is read."""
    rows = await connection.fetch(
        f"""
        select version
          from storage.blobs b
         where version between $1 and $2 and started_at < now() - $3::interval and not ({_IS_USED})
         limit $4
        """,
        UUID(bytes=bytes([first_byte, *[0] * 15])),
        UUID(bytes=bytes([first_byte, *[255] * 15])),
        older_than,
        limit,
    )
    return [row["version"] for row in rows]


async def recent_objects(connection: Connection, *, younger_than: timedelta, limit: int) -> list[tuple[str, UUID]]:
    """Returns the path and version of recently written objects, to check that their blobs exist."""
    rows = await connection.fetch(
        """
        select o.bucket_id || '/' || o.name as path, b.version
          from storage.blobs b
          join storage.objects o using (version)
         where b.started_at > now() - $1::interval
         order by b.started_at desc
         limit $2
        """,
        younger_than,
        limit,
    )
    return [(row["path"], row["version"]) for row in rows]


async def used_versions(connection: Connection) -> list[UUID]:
    """Returns the versions of all blobs that objects and unfinished uploads consist of."""
    rows = await connection.fetch(f"select version from storage.blobs b where {_IS_USED}")
    return [row["version"] for row in rows]
