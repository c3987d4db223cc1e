"""Queries on the table of objects.

Rows are inserted and updated with the role of the caller. Only the role `service_role` sets the column `version`, which
names the blob of the object.
"""

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


async def object_at(connection: Connection, path: ObjectPath) -> StoredObject | None:
    row = await connection.fetchrow(
        f"select {_COLUMNS} from storage.objects where bucket_id = $1 and name = $2", path.bucket, path.key
    )
    return None if row is None else _object(row)


async def objects_at(connection: Connection, bucket: str, keys: Sequence[str]) -> list[StoredObject]:
    rows = await connection.fetch(
        f"select {_COLUMNS} from storage.objects where bucket_id = $1 and name = any ($2)", bucket, list(keys)
    )
    return [_object(row) for row in rows]


async def claim_path(
    connection: Connection, path: ObjectPath, *, owner: UUID | None, user_metadata: dict[str, Any] | None, upsert: bool
) -> None:
    """Inserts the row as the caller. It uses no `returning`, because a caller may write objects that it cannot see."""
    on_conflict = """
        on conflict (bucket_id, name) do update
        set owner = excluded.owner, owner_id = excluded.owner_id, user_metadata = excluded.user_metadata
    """
    await connection.execute(
        f"""
        insert into storage.objects (bucket_id, name, owner, owner_id, user_metadata)
        values ($1, $2, $3, $3::uuid::text, $4)
        {on_conflict if upsert else ""}
        """,
        path.bucket,
        path.key,
        owner,
        None if user_metadata is None else json.dumps(user_metadata),
    )


async def attach_blob(
    connection: Connection, path: ObjectPath, version: UUID, metadata: dict[str, Any]
) -> tuple[StoredObject, UUID]:
    """Called after `claim_path` in the same transaction. Returns the object and its previous version."""
    await become_service(connection)
    row = await connection.fetchrow(
        f"""
        with before as (
            select id as object_id, version as previous_version
              from storage.objects
             where bucket_id = $1 and name = $2
        )
        update storage.objects
           set version = $3, metadata = $4
          from before
         where id = object_id
        returning {_COLUMNS}, previous_version
        """,
        path.bucket,
        path.key,
        version,
        json.dumps(metadata),
    )
    assert row is not None, "claim_path inserted the row in this transaction"
    return _object(row), row["previous_version"]


async def become_service(connection: Connection) -> None:
    """Switches the role for the rest of the transaction; the claims stay those of the caller."""
    await connection.execute(f"set local role {SERVICE.role}")


async def move_object(connection: Connection, source: ObjectPath, target: ObjectPath) -> bool:
    """Returns False if the caller may not update the source; raises if the target is taken or forbidden by a policy."""
    status = await connection.execute(
        "update storage.objects set bucket_id = $3, name = $4 where bucket_id = $1 and name = $2",
        source.bucket,
        source.key,
        target.bucket,
        target.key,
    )
    return status == "UPDATE 1"


async def set_version(connection: Connection, path: ObjectPath, version: UUID) -> None:
    """Points an object to another blob."""
    await become_service(connection)
    await connection.execute(
        "update storage.objects set version = $3 where bucket_id = $1 and name = $2", path.bucket, path.key, version
    )


async def remove_objects(connection: Connection, bucket: str, keys: Sequence[str]) -> list[StoredObject]:
    """Returns the deleted objects, without those that do not exist or that the caller may not delete."""
    rows = await connection.fetch(
        f"delete from storage.objects where bucket_id = $1 and name = any ($2) returning {_COLUMNS}", bucket, list(keys)
    )
    return [_object(row) for row in rows]


async def erase_object(connection: Connection, path: ObjectPath) -> UUID | None:
    """Deletes the object, even in a write-once bucket, and returns the version of its blob."""
    version: UUID | None = await connection.fetchval("select storage.erase_object($1, $2)", path.bucket, path.key)
    return version


async def paths_of_owner(connection: Connection, user_id: UUID) -> list[ObjectPath]:
    rows = await connection.fetch("select bucket_id, name from storage.objects where owner_id = $1", str(user_id))
    return [ObjectPath(row["bucket_id"], row["name"]) for row in rows]


async def first_keys(connection: Connection, bucket: str, limit: int) -> list[str]:
    rows = await connection.fetch("select name from storage.objects where bucket_id = $1 limit $2", bucket, limit)
    return [row["name"] for row in rows]


@asynccontextmanager
async def always_rolled_back(connection: Connection) -> AsyncIterator[None]:
    """Runs the block in a savepoint, which is rolled back in any case."""
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
