"""Moving and copying. A move is another name for the same bytes, unless the buckets keep their bytes differently."""

from collections.abc import Callable

from cairn.db import Principal
from cairn.storage.context import StorageContext
from cairn.storage.error_responses import ROW_SECURITY, translated
from cairn.storage.errors import AccessDenied, TooLarge
from cairn.storage.limits import check_type
from cairn.storage.model import Bucket, ObjectPath, ObjectProperties, StoredObject, WrittenBlob
from cairn.storage.put import new_blob, rehearse, show
from cairn.storage.read import find
from cairn.storage.store.objects import move_object, set_version


async def move(context: StorageContext, principal: Principal, source: ObjectPath, target: ObjectPath) -> None:
    found = await find(context, principal, source)
    bucket = await _room_for(context, found, target, content_type=found.content_type)
    if source == target:
        return
    rewritten = None if bucket.sealed == found.sealed else await _bytes_again(context, found, bucket)
    try:
        async with context.database.acting_as(principal) as connection:
            with translated():
                if not await move_object(connection, source, target):
                    raise AccessDenied(reason=f"{ROW_SECURITY} (moving needs SELECT and UPDATE; UPDATE is missing)")
                if rewritten is not None:
                    await set_version(connection, target, rewritten.version)
    except BaseException:
        if rewritten is not None:
            await context.discard([rewritten.version])
        raise
    if rewritten is not None:
        await context.discard([found.version])


async def copy(
    context: StorageContext,
    principal: Principal,
    source: ObjectPath,
    target: ObjectPath,
    *,
    upsert: bool,
    said: Callable[[StoredObject], ObjectProperties],
) -> StoredObject:
    """`said` makes of the source what the copy is to say about itself."""
    found = await find(context, principal, source)
    description = said(found)
    bucket = await _room_for(context, found, target, content_type=description.content_type)
    await rehearse(context, principal, target, owner=principal.user_id, upsert=upsert)
    written = await _bytes_again(context, found, bucket)
    try:
        return await show(context, principal, target, written, description, owner=principal.user_id, upsert=upsert)
    except BaseException:
        await context.discard([written.version])
        raise


async def _room_for(context: StorageContext, found: StoredObject, target: ObjectPath, *, content_type: str) -> Bucket:
    """What a bucket does not take in by upload it does not take in by the back door."""
    bucket = await context.bucket(target.bucket)
    check_type(content_type, bucket.allowed_mime_types)
    if found.size > bucket.limit(max(found.size, context.settings.file_size_limit)):
        raise TooLarge
    return bucket


async def _bytes_again(context: StorageContext, found: StoredObject, bucket: Bucket) -> WrittenBlob:
    version = await new_blob(context, bucket)
    try:
        if not found.sealed and not bucket.sealed:
            await context.blob_store.copy(found.version, version)
            return WrittenBlob(version, found.size, found.etag.strip('"'))
        body = await context.blob_store.read(found.version, 0, found.size, size=found.size, sealed=found.sealed)
        return await context.blob_store.write(version, body, sealed=bucket.sealed)
    except BaseException:
        await context.discard([version])
        raise
