"""Storing an object: asked first, then written, then shown, in this order, so that nobody ever sees half of one."""

from collections.abc import AsyncIterator, Awaitable, Callable
from uuid import UUID

from cairn.db import SERVICE, Connection, Principal
from cairn.kit import now
from cairn.storage.context import StorageContext
from cairn.storage.error_responses import ROW_SECURITY, translated
from cairn.storage.errors import AccessDenied, AlreadyExists, TooLarge
from cairn.storage.limits import SizeLimit, check_type
from cairn.storage.model import Bucket, ObjectPath, ObjectProperties, StoredObject, WrittenBlob, metadata_of
from cairn.storage.store.blobs import register_blob
from cairn.storage.store.objects import claim, fill, object_at, rolled_back
from cairn.storage.upload_body import UploadBody


async def put(
    context: StorageContext,
    principal: Principal,
    place: ObjectPath,
    receive: Callable[[], Awaitable[UploadBody]],
    *,
    upsert: bool,
    owner: UUID | None = None,
) -> StoredObject:
    """`receive` is called once the caller is known to be allowed: a body that is refused is not read."""
    bucket = await context.bucket(place.bucket)
    whose = owner or principal.user_id
    await rehearse(context, principal, place, owner=whose, upsert=upsert)
    body = await receive()
    limit = bucket.limit(context.settings.file_size_limit)
    check_type(body.content_type, bucket.allowed_mime_types)
    if body.declared_size is not None and body.declared_size > limit:
        raise TooLarge
    version = await new_blob(context, bucket)
    try:
        written = await context.blob_store.write(version, _within(body.stream, limit), sealed=bucket.sealed)
        return await show(context, principal, place, written, body.description(), owner=whose, upsert=upsert)
    except BaseException:
        await context.discard([version])
        raise


async def rehearse(
    context: StorageContext, principal: Principal, place: ObjectPath, *, owner: UUID | None, upsert: bool
) -> None:
    """Whether the caller may and the name is free, asked of the policies themselves; nothing is written."""
    async with context.database.acting_as(principal) as connection:
        try:
            async with rolled_back(connection):
                with translated():
                    await claim(connection, place, owner=owner, user_metadata=None, upsert=upsert)
        except AccessDenied as denied:
            if upsert and str(denied) == ROW_SECURITY:
                raise await _missing_right(connection, place, owner) from denied
            raise


async def _missing_right(connection: Connection, place: ObjectPath, owner: UUID | None) -> AccessDenied:
    """Replacing needs three rights, and Postgres does not say which one was missing.

    Found out with the caller's own eyes: whoever may not insert here does not learn whether there is something.
    """
    missing = "INSERT"
    if await _may_insert(connection, place, owner):
        missing = "SELECT" if await object_at(connection, place) is None else "UPDATE"
    return AccessDenied(reason=f"{ROW_SECURITY} (upsert needs INSERT, SELECT and UPDATE; {missing} is missing)")


async def _may_insert(connection: Connection, place: ObjectPath, owner: UUID | None) -> bool:
    """Postgres asks the policy before it looks whether the name is taken."""
    try:
        async with rolled_back(connection):
            with translated():
                await claim(connection, place, owner=owner, user_metadata=None, upsert=False)
    except AccessDenied:
        return False
    except AlreadyExists:
        return True
    return True


async def new_blob(context: StorageContext, bucket: Bucket) -> UUID:
    async with context.database.acting_as(SERVICE) as connection:
        return await register_blob(connection, sealed=bucket.sealed)


async def show(
    context: StorageContext,
    principal: Principal,
    place: ObjectPath,
    written: WrittenBlob,
    said: ObjectProperties,
    *,
    owner: UUID | None,
    upsert: bool,
    also: Callable[[Connection], Awaitable[None]] | None = None,
) -> StoredObject:
    """The moment at which the object begins to exist, or becomes another. Asked of the policies once more.

    `also` happens with it or not at all, as the service.
    """
    metadata = metadata_of(written, said, now())
    async with context.database.acting_as(principal) as connection:
        with translated():
            await claim(connection, place, owner=owner, user_metadata=said.user_metadata, upsert=upsert)
            stored, earlier = await fill(connection, place, written.version, metadata)
            if also is not None:
                await also(connection)
    await context.discard([earlier])
    return stored


async def _within(stream: AsyncIterator[bytes], limit: int) -> AsyncIterator[bytes]:
    allowance = SizeLimit(limit)
    async for chunk in stream:
        allowance.spend(len(chunk))
        yield chunk
