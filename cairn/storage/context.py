"""What every verb of this room has at hand."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from cairn.db import SERVICE, Database, Principal
from cairn.kit import Problem
from cairn.storage.blobs import BlobStore
from cairn.storage.errors import NoSuchBucket
from cairn.storage.model import Bucket
from cairn.storage.settings import StorageSettings
from cairn.storage.signed_urls import UrlSigner
from cairn.storage.store.blobs import delete_unused, unused_among
from cairn.storage.store.buckets import bucket_by_id

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StorageContext:
    database: Database
    blob_store: BlobStore
    links: UrlSigner
    settings: StorageSettings
    principal_of: Callable[[str], Principal]

    async def bucket(self, bucket_id: str) -> Bucket:
        """As the service: its limits hold for everybody, whoever may see it."""
        async with self.database.acting_as(SERVICE, read_only=True) as connection:
            bucket = await bucket_by_id(connection, bucket_id)
        if bucket is None:
            raise NoSuchBucket
        return bucket

    async def discard(self, versions: Sequence[UUID]) -> None:
        """Bytes that nothing uses any more, and nothing ever will. What cannot be removed now is found by the sweep.

        No transaction waits for the store: one that hangs must not use up the connections of everybody else.
        """
        try:
            async with self.database.acting_as(SERVICE, read_only=True) as connection:
                unused = await unused_among(connection, versions)
            await self.blob_store.remove(unused)
            async with self.database.acting_as(SERVICE) as connection:
                await delete_unused(connection, unused)
        except Problem as problem:
            log.info("bytes stay until the next sweep: %s", problem)
