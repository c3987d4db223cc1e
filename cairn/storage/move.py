"""Moves and copies objects. A move copies the bytes only if exactly one of the two buckets is sealed."""

from collections.abc import Callable

from cairn.db import Principal
from cairn.storage.blobs import WrittenBlob
from cairn.storage.context import StorageContext
from cairn.storage.errors import AccessDenied, TooLarge
from cairn.storage.limits import check_type
from cairn.storage.model import Bucket, ObjectPath, ObjectProperties, StoredObject
from cairn.storage.postgres_errors import ROW_SECURITY, translate_postgres_errors
from cairn.storage.put import check_write_allowed, commit_object, new_blob
from cairn.storage.quota import ROW_BYTES
from cairn.storage.read import find_object, read_whole_object
from cairn.storage.store.objects import move_object, set_version

CountCopied = Callable[[int], None]
"""Counts the bytes of a copy for the network of the caller. Raises if the network has stored too much today."""


async def move(
    context: StorageContext, principal: Principal, source: ObjectPath, target: ObjectPath, *, count_copied: CountCopied
) -> None:
    stored_object = await find_object(context, principal, source)
    bucket = await _accepting_bucket(context, stored_object, target, content_type=stored_object.content_type)
    if source == target:
        return
    rewritten_blob = None
    if bucket.sealed != stored_object.sealed:
        rewritten_blob = await _copy_blob(context, stored_object, bucket, count_copied)
    try:
        async with context.database.acting_as(principal) as connection:
            with translate_postgres_errors():
                if not await move_object(connection, source, target):
                    raise AccessDenied(reason=f"{ROW_SECURITY} (moving needs SELECT and UPDATE; UPDATE is missing)")
                if rewritten_blob is not None:
                    await set_version(connection, target, rewritten_blob.version)
    except BaseException:
        if rewritten_blob is not None:
            await context.discard_blobs([rewritten_blob.version])
        raise
    if rewritten_blob is not None:
        await context.discard_blobs([stored_object.version])


async def copy(
    context: StorageContext,
    principal: Principal,
    source: ObjectPath,
    target: ObjectPath,
    *,
    upsert: bool,
    properties_of: Callable[[StoredObject], ObjectProperties],
    count_copied: CountCopied,
) -> StoredObject:
    """`properties_of` computes the properties of the copy from the source object."""
    stored_object = await find_object(context, principal, source)
    properties = properties_of(stored_object)
    bucket = await _accepting_bucket(context, stored_object, target, content_type=properties.content_type)
    await check_write_allowed(context, principal, target, owner=principal.user_id, upsert=upsert)
    blob = await _copy_blob(context, stored_object, bucket, count_copied)
    try:
        return await commit_object(context, principal, target, blob, properties, owner=principal.user_id, upsert=upsert)
    except BaseException:
        await context.discard_blobs([blob.version])
        raise


async def _accepting_bucket(
    context: StorageContext, stored_object: StoredObject, target: ObjectPath, *, content_type: str
) -> Bucket:
    """Returns the target bucket, or raises if it would not accept this object as an upload."""
    bucket = await context.get_bucket(target.bucket)
    check_type(content_type, bucket.allowed_mime_types)
    # The server has already stored the object, so only the limit of the bucket counts.
    if bucket.file_size_limit is not None and stored_object.size > bucket.file_size_limit:
        raise TooLarge
    return bucket


async def _copy_blob(
    context: StorageContext, stored_object: StoredObject, bucket: Bucket, count_copied: CountCopied
) -> WrittenBlob:
    count_copied(ROW_BYTES + stored_object.size)
    version = await new_blob(context, bucket)
    try:
        if not stored_object.sealed and not bucket.sealed:
            await context.blob_store.copy(stored_object.version, version)
            return WrittenBlob(version, stored_object.size, stored_object.etag.strip('"'))
        body = await read_whole_object(context, stored_object)
        return await context.blob_store.write(version, body, sealed=bucket.sealed)
    except BaseException:
        await context.discard_blobs([version])
        raise
