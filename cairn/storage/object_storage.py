"""Lets other packages store and read files by bucket and key. All access is as the service role."""

from collections.abc import AsyncIterator
from uuid import UUID

from cairn.db import SERVICE, Database, Principal
from cairn.storage.blobs import BlobStore
from cairn.storage.context import StorageContext
from cairn.storage.keys import valid_bucket_name, valid_key
from cairn.storage.model import ObjectPath, StoredObject
from cairn.storage.put import put
from cairn.storage.quota import daily_upload_limiter
from cairn.storage.read import find_object, read_whole_object
from cairn.storage.settings import StorageSettings
from cairn.storage.signed_urls import UrlSigner
from cairn.storage.store.objects import erase_object, object_at, paths_of_owner
from cairn.storage.upload_body import UploadBody


class ObjectStorage:
    """Applies the limits of a bucket and its write-once rule. Policies do not apply, because no user is involved."""

    def __init__(self, database: Database, blob_store: BlobStore, settings: StorageSettings) -> None:
        # No URL is signed and no token is read here.
        self._context = StorageContext(
            database, blob_store, UrlSigner("unused"), settings, _reject_token, daily_upload_limiter(settings)
        )

    async def check(self) -> None:
        """Raises `BlobStoreFailed` if files cannot be stored at the moment."""
        await self._context.blob_store.check()

    async def put(
        self, bucket: str, key: str, content: bytes | AsyncIterator[bytes], *, content_type: str, upsert: bool = False
    ) -> StoredObject:
        """Stores everything or nothing. Raises `AlreadyExists` if the key is taken and `upsert` is false."""
        stream = _single_chunk(content) if isinstance(content, bytes) else content

        async def receive() -> UploadBody:
            return UploadBody(stream, content_type)

        return await put(self._context, SERVICE, _path(bucket, key), receive, upsert=upsert)

    async def stream(self, bucket: str, key: str) -> AsyncIterator[bytes]:
        """Raises `NoSuchKey` before it returns a stream if there is no such object."""
        stored_object = await find_object(self._context, SERVICE, _path(bucket, key))
        return await read_whole_object(self._context, stored_object)

    async def get(self, bucket: str, key: str) -> bytes:
        return b"".join([chunk async for chunk in await self.stream(bucket, key)])

    async def find(self, bucket: str, key: str) -> bytes | None:
        """Returns None if there is no such object."""
        async with self._context.database.acting_as(SERVICE, read_only=True) as connection:
            stored_object = await object_at(connection, _path(bucket, key))
        if stored_object is None:
            return None
        return b"".join([chunk async for chunk in await read_whole_object(self._context, stored_object)])

    async def erase(self, bucket: str, key: str) -> None:
        """Deletes an object, even in a write-once bucket. If there is no such object, nothing happens."""
        async with self._context.database.acting_as(SERVICE) as connection:
            version = await erase_object(connection, _path(bucket, key))
        if version is not None:
            await self._context.discard_blobs([version])

    async def erase_files_of(self, user_id: UUID) -> None:
        """Deletes all files that this user has uploaded."""
        async with self._context.database.acting_as(SERVICE, read_only=True) as connection:
            paths = await paths_of_owner(connection, user_id)
        for path in paths:
            await self.erase(path.bucket, path.key)


def _path(bucket: str, key: str) -> ObjectPath:
    return ObjectPath(valid_bucket_name(bucket), valid_key(key))


async def _single_chunk(content: bytes) -> AsyncIterator[bytes]:
    yield content


def _reject_token(_: str) -> Principal:
    raise AssertionError("no token is read here")
