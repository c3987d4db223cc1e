"""The dependencies that every operation of this package shares."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import field
from uuid import UUID

from cairn.db import SERVICE, Database, Principal
from cairn.kit import Problem, frozen_dataclass
from cairn.limits import MemoryLimiter
from cairn.storage.blobs import BlobStore
from cairn.storage.errors import NoSuchBucket
from cairn.storage.model import Bucket
from cairn.storage.settings import StorageSettings
from cairn.storage.signed_urls import UrlSigner
from cairn.storage.store.blobs import delete_unused, unused_among
from cairn.storage.store.buckets import bucket_by_id

log = logging.getLogger(__name__)


@frozen_dataclass
class StorageContext:
    database: Database
    blob_store: BlobStore
    url_signer: UrlSigner
    settings: StorageSettings
    principal_of: Callable[[str], Principal]
    daily_upload_limiter: MemoryLimiter
    """Counts the bytes that each network uploads in a day."""
    assembling: set[UUID] = field(default_factory=set)
    """The resumable uploads whose parts are being joined by this process."""
    turns_of_waiting_uploads: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(4))
    """Uploads that wait in temporary files are written to the blob store by turns, because it holds parts in memory."""

    async def get_bucket(self, bucket_id: str) -> Bucket:
        """Reads as the service, because the limits of a bucket apply even to callers who may not see the bucket."""
        async with self.database.acting_as(SERVICE, read_only=True) as connection:
            bucket = await bucket_by_id(connection, bucket_id)
        if bucket is None:
            raise NoSuchBucket
        return bucket

    async def discard_blobs(self, versions: Sequence[UUID]) -> None:
        """Removes the blobs that nothing uses. If the blob store fails, the next sweep removes them.

        No transaction is open during the removal, because a blob store that hangs must not use up the connection pool.
        """
        try:
            async with self.database.acting_as(SERVICE, read_only=True) as connection:
                unused_versions = await unused_among(connection, versions)
            if not unused_versions:
                return
            await self.blob_store.remove(unused_versions)
            async with self.database.acting_as(SERVICE) as connection:
                await delete_unused(connection, unused_versions)
        except Problem as problem:
            log.info("unused blobs were not removed and stay until the next sweep: %s", problem)
