"""Deleting objects: the rows first, then the bytes nobody points to any more."""

from collections.abc import Sequence

from cairn.db import Principal
from cairn.storage.context import StorageContext
from cairn.storage.error_responses import translated
from cairn.storage.errors import NoSuchKey
from cairn.storage.model import ObjectPath, StoredObject
from cairn.storage.store.objects import remove_objects, some_keys

_AT_ONCE = 1000


async def remove(context: StorageContext, principal: Principal, bucket: str, keys: Sequence[str]) -> list[StoredObject]:
    """Returns what is gone; what the caller may not delete stays without a word."""
    await context.bucket(bucket)
    async with context.database.acting_as(principal) as connection:
        with translated():
            removed = await remove_objects(connection, bucket, keys)
    await context.discard([one.version for one in removed])
    return removed


async def remove_one(context: StorageContext, principal: Principal, place: ObjectPath) -> None:
    if not await remove(context, principal, place.bucket, [place.key]):
        raise NoSuchKey


async def empty(context: StorageContext, principal: Principal, bucket: str) -> None:
    """Everything the caller sees and may delete, in portions."""
    while True:
        async with context.database.acting_as(principal, read_only=True) as connection:
            keys = await some_keys(connection, bucket, _AT_ONCE)
        if not keys or not await remove(context, principal, bucket, keys):
            return
