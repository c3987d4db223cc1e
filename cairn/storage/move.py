"""Moving and copying. A move is another name for the same bytes, unless the buckets keep their bytes differently."""

from collections.abc import Callable

from cairn.db import Principal
from cairn.storage.desk import Desk
from cairn.storage.errors import AccessDenied, TooLarge
from cairn.storage.limits import check_type
from cairn.storage.model import Bucket, Description, Object, Place, Written
from cairn.storage.put import new_blob, rehearse, show
from cairn.storage.read import find
from cairn.storage.refusal import ROW_SECURITY, translated
from cairn.storage.store.objects import move_object, set_version


async def move(desk: Desk, principal: Principal, source: Place, target: Place) -> None:
    found = await find(desk, principal, source)
    bucket = await _room_for(desk, found, target, content_type=found.content_type)
    if source == target:
        return
    rewritten = None if bucket.sealed == found.sealed else await _bytes_again(desk, found, bucket)
    try:
        async with desk.database.acting_as(principal) as connection:
            with translated():
                if not await move_object(connection, source, target):
                    raise AccessDenied(reason=f"{ROW_SECURITY} (moving needs SELECT and UPDATE; UPDATE is missing)")
                if rewritten is not None:
                    await set_version(connection, target, rewritten.version)
    except BaseException:
        if rewritten is not None:
            await desk.discard([rewritten.version])
        raise
    if rewritten is not None:
        await desk.discard([found.version])


async def copy(
    desk: Desk,
    principal: Principal,
    source: Place,
    target: Place,
    *,
    upsert: bool,
    said: Callable[[Object], Description],
) -> Object:
    """`said` makes of the source what the copy is to say about itself."""
    found = await find(desk, principal, source)
    description = said(found)
    bucket = await _room_for(desk, found, target, content_type=description.content_type)
    await rehearse(desk, principal, target, owner=principal.user_id, upsert=upsert)
    written = await _bytes_again(desk, found, bucket)
    try:
        return await show(desk, principal, target, written, description, owner=principal.user_id, upsert=upsert)
    except BaseException:
        await desk.discard([written.version])
        raise


async def _room_for(desk: Desk, found: Object, target: Place, *, content_type: str) -> Bucket:
    """What a bucket does not take in by upload it does not take in by the back door."""
    bucket = await desk.bucket(target.bucket)
    check_type(content_type, bucket.allowed_mime_types)
    if found.size > bucket.limit(max(found.size, desk.settings.file_size_limit)):
        raise TooLarge
    return bucket


async def _bytes_again(desk: Desk, found: Object, bucket: Bucket) -> Written:
    version = await new_blob(desk, bucket)
    try:
        if not found.sealed and not bucket.sealed:
            await desk.shelf.copy(found.version, version)
            return Written(version, found.size, found.etag.strip('"'))
        body = await desk.shelf.read(found.version, 0, found.size, size=found.size, sealed=found.sealed)
        return await desk.shelf.write(version, body, sealed=bucket.sealed)
    except BaseException:
        await desk.discard([version])
        raise
