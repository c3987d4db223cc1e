"""Deletes objects: first the rows, then the blobs that no row uses any more."""

from collections.abc import Sequence

from cairn.db import Principal
from cairn.storage.context import StorageContext
from cairn.storage.errors import NoSuchKey
from cairn.storage.model import ObjectPath, StoredObject
from cairn.storage.postgres_errors import translate_postgres_errors
from cairn.storage.store.objects import first_keys, remove_objects

_OBJECTS_PER_BATCH = 1000


async def remove(context: StorageContext, principal: Principal, bucket: str, keys: Sequence[str]) -> list[StoredObject]:
    """Deletes the objects with these keys and returns them.

    Missing objects, and objects that the caller may not delete, are skipped silently.
    """
    await context.get_bucket(bucket)
    async with context.database.acting_as(principal) as connection:
        with translate_postgres_errors():
            removed_objects = await remove_objects(connection, bucket, keys)
    await context.discard_blobs([stored_object.version for stored_object in removed_objects])
    return removed_objects


async def remove_one(context: StorageContext, principal: Principal, path: ObjectPath) -> None:
    if not await remove(context, principal, path.bucket, [path.key]):
        raise NoSuchKey


async def empty(context: StorageContext, principal: Principal, bucket: str) -> None:
    """Deletes the objects that the caller sees, in batches.

    Stops when none are left, or when the caller may not delete any object of a batch.
    """
    while True:
        async with context.database.acting_as(principal, read_only=True) as connection:
            keys = await first_keys(connection, bucket, _OBJECTS_PER_BATCH)
        if not keys or not await remove(context, principal, bucket, keys):
            return
