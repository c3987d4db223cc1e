"""Deleting objects: the rows first, then the bytes nobody points to any more."""

from collections.abc import Sequence

from cairn.db import Principal
from cairn.storage.desk import Desk
from cairn.storage.errors import NoSuchKey
from cairn.storage.model import Object, Place
from cairn.storage.refusal import translated
from cairn.storage.store.objects import remove_objects, some_keys

_AT_ONCE = 1000


async def remove(desk: Desk, principal: Principal, bucket: str, keys: Sequence[str]) -> list[Object]:
    """Returns what is gone; what the caller may not delete stays without a word."""
    await desk.bucket(bucket)
    async with desk.database.acting_as(principal) as connection:
        with translated():
            removed = await remove_objects(connection, bucket, keys)
    await desk.discard([one.version for one in removed])
    return removed


async def remove_one(desk: Desk, principal: Principal, place: Place) -> None:
    if not await remove(desk, principal, place.bucket, [place.key]):
        raise NoSuchKey


async def empty(desk: Desk, principal: Principal, bucket: str) -> None:
    """Everything the caller sees and may delete, in portions."""
    while True:
        async with desk.database.acting_as(principal, read_only=True) as connection:
            keys = await some_keys(connection, bucket, _AT_ONCE)
        if not keys or not await remove(desk, principal, bucket, keys):
            return
