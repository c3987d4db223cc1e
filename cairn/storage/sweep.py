"""Cleans up after crashes: removes blobs without a row and reports rows without a blob."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from cairn.db import SERVICE, Connection, Database, run_in_batches
from cairn.kit import frozen_dataclass, now
from cairn.storage.blobs import BlobStore
from cairn.storage.store.blobs import delete_unused, old_orphaned_blobs, orphaned_blobs, recent_objects
from cairn.storage.store.uploads import DELETE_EXPIRED

log = logging.getLogger(__name__)

# This is longer than any upload takes, so that a blob that is still being written is not treated as an orphan.
_GRACE_PERIOD = timedelta(hours=24)
# A row is committed after its blob was written. A row without a blob therefore means that the disk lost a confirmed
# write. That happens soon after the write, so older rows are not checked.
_CHECK_PERIOD = timedelta(hours=48)
# Every sweep checks the blobs of this age, and so finds those that a crash during an upload left behind. A blob that
# stayed when its object was deleted may be older. So older blobs are checked too, but only one in 256 of them each
# hour, because there may be many millions.
_RECENT_PERIOD = timedelta(hours=48)
_BATCH_SIZE = 500

FindOrphans = Callable[[Connection], Awaitable[list[UUID]]]


@frozen_dataclass
class SweepReport:
    removed_count: int
    missing_paths: Sequence[str]


async def sweep(database: Database, blob_store: BlobStore, *, grace_period: timedelta = _GRACE_PERIOD) -> SweepReport:
    await run_in_batches(database, DELETE_EXPIRED, timedelta())
    removed_count = 0
    recent = partial(
        orphaned_blobs, older_than=grace_period, younger_than=grace_period + _RECENT_PERIOD, limit=_BATCH_SIZE
    )
    old = partial(old_orphaned_blobs, first_byte=part_to_check(now()), older_than=grace_period, limit=_BATCH_SIZE)
    for find_orphans in (recent, old):
        while count := await _sweep_batch(database, blob_store, find_orphans):
            removed_count += count
    return SweepReport(removed_count, await _report_missing_blobs(database, blob_store))


def part_to_check(at: datetime) -> int:
    """Returns the number, from 0 to 255, of the part of all blobs that is checked in this hour."""
    return int(at.timestamp() // 3600) % 256


async def _sweep_batch(database: Database, blob_store: BlobStore, find_orphans: FindOrphans) -> int:
    """Commits the deletion of the rows after the bytes are removed, so that the next sweep retries a failure."""
    async with database.acting_as(SERVICE) as connection:
        versions = await delete_unused(connection, await find_orphans(connection))
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
