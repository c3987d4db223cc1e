"""Cleans up after crashes: removes blobs without a row and reports rows without a blob."""

import logging
from collections.abc import Sequence
from datetime import timedelta

from cairn.db import SERVICE, Database
from cairn.kit import frozen_dataclass
from cairn.storage.blobs import BlobStore
from cairn.storage.store.blobs import delete_unused, orphaned_blobs, recent_objects
from cairn.storage.store.uploads import remove_expired

log = logging.getLogger(__name__)

# This is longer than any upload takes, so that a blob that is still being written is not treated as an orphan.
_GRACE_PERIOD = timedelta(hours=24)
# A row is committed after its blob was written. A row without a blob therefore means that the disk lost a confirmed
# write. That happens soon after the write, so older rows are not checked.
_CHECK_PERIOD = timedelta(hours=48)
_BATCH_SIZE = 500


@frozen_dataclass
class SweepReport:
    removed_count: int
    missing_paths: Sequence[str]


async def sweep(database: Database, blob_store: BlobStore, *, grace_period: timedelta = _GRACE_PERIOD) -> SweepReport:
    async with database.acting_as(SERVICE) as connection:
        await remove_expired(connection)
    removed_count = 0
    while count := await _sweep_batch(database, blob_store, grace_period):
        removed_count += count
    return SweepReport(removed_count, await _report_missing_blobs(database, blob_store))


async def _sweep_batch(database: Database, blob_store: BlobStore, grace_period: timedelta) -> int:
    """Commits the deletion of the rows after the bytes are removed, so that the next sweep retries a failure."""
    async with database.acting_as(SERVICE) as connection:
        orphans = await orphaned_blobs(connection, older_than=grace_period, limit=_BATCH_SIZE)
        versions = await delete_unused(connection, orphans)
        await blob_store.remove(versions)
    return len(versions)


async def _report_missing_blobs(database: Database, blob_store: BlobStore) -> list[str]:
    """Logs missing blobs but deletes no rows. Otherwise a mistyped bucket in the settings would delete every file."""
    async with database.acting_as(SERVICE, read_only=True) as connection:
        recent = await recent_objects(connection, younger_than=_CHECK_PERIOD, limit=_BATCH_SIZE)
    missing_paths = [path for path, version in recent if not await blob_store.has(version)]
    for path in missing_paths:
        log.error("the bytes of %s are missing", path)
    return missing_paths
