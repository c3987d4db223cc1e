"""For other rooms: a file by bucket and key, put and read as the service."""

from collections.abc import AsyncIterator

from cairn.db import SERVICE, Database, Principal
from cairn.storage.blobs import BlobStore
from cairn.storage.context import StorageContext
from cairn.storage.keys import bucket_name, object_key
from cairn.storage.model import ObjectPath, StoredObject
from cairn.storage.put import put
from cairn.storage.read import find
from cairn.storage.settings import StorageSettings
from cairn.storage.signed_urls import UrlSigner
from cairn.storage.upload_body import UploadBody


class ObjectStorage:
    """Limits and promises of the bucket hold here too; policies do not, they are about people."""

    def __init__(self, database: Database, blob_store: BlobStore, settings: StorageSettings) -> None:
        # Nothing is signed and nobody is let in through here.
        self._context = StorageContext(database, blob_store, UrlSigner("unused"), settings, _nobody)

    async def put(
        self, bucket: str, key: str, content: bytes | AsyncIterator[bytes], *, content_type: str, upsert: bool = False
    ) -> StoredObject:
        """Whole or not at all. Raises `AlreadyExists` when there is one and `upsert` was not asked for."""
        stream = _once(content) if isinstance(content, bytes) else content

        async def receive() -> UploadBody:
            return UploadBody(stream, content_type)

        return await put(self._context, SERVICE, _place(bucket, key), receive, upsert=upsert)

    async def stream(self, bucket: str, key: str) -> AsyncIterator[bytes]:
        """Raises `NoSuchKey` before the first byte when there is no such object."""
        found = await find(self._context, SERVICE, _place(bucket, key))
        return await self._context.blob_store.read(found.version, 0, found.size, size=found.size, sealed=found.sealed)

    async def get(self, bucket: str, key: str) -> bytes:
        return b"".join([chunk async for chunk in await self.stream(bucket, key)])


def _place(bucket: str, key: str) -> ObjectPath:
    return ObjectPath(bucket_name(bucket), object_key(key))


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content


def _nobody(_: str) -> Principal:
    raise AssertionError("no token is read here")
