"""Cleans up after crashes: removes blobs without a row and reports rows without a blob."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from cairn.db import SERVICE, Database
from cairn.storage.blobs import BlobStore
from cairn.storage.store.blobs import delete_unused, orphaned_blobs, recent_objects
from cairn.storage.store.uploads import remove_expired

log = logging.getLogger(__name__)

# Longer than any upload takes, so a blob that is still being written is not treated as an orphan.
_GRACE_PERIOD = timedelta(hours=24)
# A row is committed after its blob, so only a disk that lost confirmed writes leaves a row without one, and does so
# soon after the write. Older rows are not checked.
_CHECK_PERIOD = timedelta(hours=48)
_BATCH_SIZE = 500


@dataclass(frozen=True, slots=True)
class SweepReport:
    removed: int
    missing: Sequence[str]


async def sweep(database: Database, blob_store: BlobStore, *, grace: timedelta = _GRACE_PERIOD) -> SweepReport:
    async with database.acting_as(SERVICE) as connection:
        await remove_expired(connection)
    removed = 0
    while count := await _sweep_batch(database, blob_store, grace):
        removed += count
    return SweepReport(removed, await _missing_blobs(database, blob_store))


async def _sweep_batch(database: Database, blob_store: BlobStore, grace: timedelta) -> int:
    """Deletes the rows in a transaction that commits after the bytes are gone, so a failure is retried next time."""
    async with database.acting_as(SERVICE) as connection:
        orphans = await orphaned_blobs(connection, older_than=grace, limit=_BATCH_SIZE)
        versions = await delete_unused(connection, orphans)
        await blob_store.remove(versions)
    return len(versions)


async def _missing_blobs(database: Database, blob_store: BlobStore) -> list[str]:
    """Only reports: if it deleted such rows, a mistyped bucket in the settings would delete every file."""
    async with database.acting_as(SERVICE, read_only=True) as connection:
        recent = await recent_objects(connection, younger_than=_CHECK_PERIOD, limit=_BATCH_SIZE)
    missing = [path for path, version in recent if not await blob_store.has(version)]
    for path in missing:
        log.error("the bytes of %s are missing", path)
    return missing
