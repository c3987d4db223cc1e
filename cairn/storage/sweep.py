"""What a crash left behind: bytes without a row are removed, rows without bytes are reported."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from cairn.db import SERVICE, Database
from cairn.storage.blobs import BlobStore
from cairn.storage.store.blobs import delete_unused, orphaned_blobs, recent_objects
from cairn.storage.store.uploads import remove_expired

log = logging.getLogger(__name__)

# Longer than any upload takes: what is still being written is not left behind.
_GRACE = timedelta(hours=24)
# A row is committed after its bytes, so only a disk that lost what it had confirmed leaves one without; and soon.
_LOOK_BACK = timedelta(hours=48)
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class SweepReport:
    removed: int
    missing: Sequence[str]


async def sweep(database: Database, blob_store: BlobStore, *, grace: timedelta = _GRACE) -> SweepReport:
    async with database.acting_as(SERVICE) as connection:
        await remove_expired(connection)
    removed = 0
    while count := await _sweep_some(database, blob_store, grace):
        removed += count
    return SweepReport(removed, await _missing(database, blob_store))


async def _sweep_some(database: Database, blob_store: BlobStore, grace: timedelta) -> int:
    """Crossed out in the transaction that removes the bytes: if that fails, the next sweep finds them again."""
    async with database.acting_as(SERVICE) as connection:
        versions = await delete_unused(connection, await orphaned_blobs(connection, older_than=grace, limit=_AT_ONCE))
        await blob_store.remove(versions)
    return len(versions)


async def _missing(database: Database, blob_store: BlobStore) -> list[str]:
    """Only reported: deleting such rows would turn a mistyped bucket in the settings into the loss of every file."""
    async with database.acting_as(SERVICE, read_only=True) as connection:
        recent = await recent_objects(connection, younger_than=_LOOK_BACK, limit=_AT_ONCE)
    missing = [place for place, version in recent if not await blob_store.has(version)]
    for place in missing:
        log.error("the bytes of %s are missing", place)
    return missing
