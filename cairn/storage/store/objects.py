"""Objects. What a caller may do is asked of the policies; which bytes an object is made of, the service writes."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import asyncpg

from cairn.db import SERVICE, Connection
from cairn.storage.model import ObjectPath, StoredObject

_COLUMNS = """id, name, bucket_id, owner, owner_id, version, created_at, updated_at, last_accessed_at, metadata,
              user_metadata, coalesce(storage.is_sealed(version), false) as sealed"""


async def object_at(connection: Connection, place: ObjectPath) -> StoredObject | None:
    row = await connection.fetchrow(
        f"select {_COLUMNS} from storage.objects where bucket_id = $1 and name = $2", place.bucket, place.key
    )
    return None if row is None else _object(row)


async def objects_at(connection: Connection, bucket: str, keys: Sequence[str]) -> list[StoredObject]:
    rows = await connection.fetch(
        f"select {_COLUMNS} from storage.objects where bucket_id = $1 and name = any ($2)", bucket, list(keys)
    )
    return [_object(row) for row in rows]


async def claim(
    connection: Connection, place: ObjectPath, *, owner: UUID | None, user_metadata: dict[str, Any] | None, upsert: bool
) -> None:
    """As the caller, so that the policies answer. Nothing is read back: a caller may write what it cannot see."""
    replacing = """
        on conflict (bucket_id, name) do update
        set owner = excluded.owner, owner_id = excluded.owner_id, user_metadata = excluded.user_metadata
    """
    await connection.execute(
        f"""
        insert into storage.objects (bucket_id, name, owner, owner_id, user_metadata)
        values ($1, $2, $3, $3::uuid::text, $4)
        {replacing if upsert else ""}
        """,
        place.bucket,
        place.key,
        owner,
        None if user_metadata is None else json.dumps(user_metadata),
    )


async def fill(
    connection: Connection, place: ObjectPath, version: UUID, metadata: dict[str, Any]
) -> tuple[StoredObject, UUID]:
    """After `claim`, in the same transaction: the object gets its bytes. Returns it and the version it had before."""
    await become_service(connection)
    row = await connection.fetchrow(
        f"""
        with before as (select id as this, version as earlier from storage.objects where bucket_id = $1 and name = $2)
        update storage.objects
           set version = $3, metadata = $4
          from before
         where id = this
        returning {_COLUMNS}, earlier
        """,
        place.bucket,
        place.key,
        version,
        json.dumps(metadata),
    )
    assert row is not None, "claimed in this very transaction"
    return _object(row), row["earlier"]


async def become_service(connection: Connection) -> None:
    """For the rest of the transaction; the claims stay those of the caller."""
    await connection.execute(f"set local role {SERVICE.role}")


async def move_object(connection: Connection, source: ObjectPath, target: ObjectPath) -> bool:
    """False when the caller may not; a name that is taken or a policy that forbids it raises."""
    done = await connection.execute(
        "update storage.objects set bucket_id = $3, name = $4 where bucket_id = $1 and name = $2",
        source.bucket,
        source.key,
        target.bucket,
        target.key,
    )
    return done == "UPDATE 1"


async def set_version(connection: Connection, place: ObjectPath, version: UUID) -> None:
    """The same object, made of other bytes."""
    await become_service(connection)
    await connection.execute(
        "update storage.objects set version = $3 where bucket_id = $1 and name = $2", place.bucket, place.key, version
    )


async def remove_objects(connection: Connection, bucket: str, keys: Sequence[str]) -> list[StoredObject]:
    """What was really deleted: neither what is not there nor what the caller may not delete."""
    rows = await connection.fetch(
        f"delete from storage.objects where bucket_id = $1 and name = any ($2) returning {_COLUMNS}", bucket, list(keys)
    )
    return [_object(row) for row in rows]


async def some_keys(connection: Connection, bucket: str, limit: int) -> list[str]:
    rows = await connection.fetch("select name from storage.objects where bucket_id = $1 limit $2", bucket, limit)
    return [row["name"] for row in rows]


@asynccontextmanager
async def rolled_back(connection: Connection) -> AsyncIterator[None]:
    """A try inside a transaction: whatever it did is taken back, whether it succeeded or not."""
    await connection.execute("savepoint attempt")
    try:
        yield
    finally:
        await connection.execute("rollback to savepoint attempt")


def _object(row: "asyncpg.Record") -> StoredObject:
    fields = {name: row[name] for name in StoredObject.__dataclass_fields__}
    fields["metadata"] = json.loads(row["metadata"] or "{}")
    fields["user_metadata"] = None if row["user_metadata"] is None else json.loads(row["user_metadata"])
    return StoredObject(**fields)
