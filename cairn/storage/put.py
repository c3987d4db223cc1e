"""Stores an object: checks permission, writes the blob, then commits the row. No one ever sees a partial object."""

from collections.abc import AsyncIterator, Awaitable, Callable
from uuid import UUID

from cairn.db import SERVICE, Connection, Principal
from cairn.kit import now
from cairn.storage.blobs import WrittenBlob
from cairn.storage.context import StorageContext
from cairn.storage.errors import AccessDenied, AlreadyExists
from cairn.storage.limits import SizeLimit, check_type
from cairn.storage.model import Bucket, ObjectPath, ObjectProperties, StoredObject, system_metadata
from cairn.storage.postgres_errors import ROW_SECURITY, translate_postgres_errors
from cairn.storage.quota import check_quota, size_limit_for
from cairn.storage.store.blobs import register_blob
from cairn.storage.store.objects import always_rolled_back, attach_blob, claim_path, object_at
from cairn.storage.upload_body import UploadBody
from cairn.storage.upload_memory import limited_memory


async def put(
    context: StorageContext,
    principal: Principal,
    path: ObjectPath,
    receive: Callable[[], Awaitable[UploadBody]],
    *,
    upsert: bool,
    owner: UUID | None = None,
) -> StoredObject:
    """Stores the body that `receive` returns. The body of a caller without permission is not read.

    The owner of the new object is `owner`, or the caller if there is none.
    """
    bucket = await context.get_bucket(path.bucket)
    owner = owner or principal.user_id
    if principal.role != SERVICE.role:
        # No policy applies to the service role. If the key is taken, `commit_object` raises AlreadyExists at the end.
        await check_write_allowed(context, principal, path, owner=owner, upsert=upsert)
    size_limit = await size_limit_for(context, bucket, owner, path)
    body = await receive()
    check_type(body.content_type, bucket.allowed_mime_types)
    size_limit.check_declared(body.declared_size)
    version = await new_blob(context, bucket)
    try:
        async with limited_memory(context, body.sender) as buffer:
            stream = _limit_size(body.stream, size_limit)
            blob = await context.blob_store.write(version, stream, sealed=bucket.sealed, buffer=buffer)
        return await commit_object(context, principal, path, blob, body.properties(), owner=owner, upsert=upsert)
    except BaseException:
        await context.discard_blobs([version])
        raise


async def check_write_allowed(
    context: StorageContext, principal: Principal, path: ObjectPath, *, owner: UUID | None, upsert: bool
) -> None:
    """Inserts the row and rolls back. Raises if a policy forbids that or, without `upsert`, if the key is taken."""
    async with context.database.acting_as(principal) as connection:
        try:
            async with always_rolled_back(connection):
                with translate_postgres_errors():
                    await claim_path(connection, path, owner=owner, user_metadata=None, upsert=upsert)
        except AccessDenied as error:
            if upsert and str(error) == ROW_SECURITY:
                raise await _describe_missing_permission(connection, path, owner) from error
            raise


async def _describe_missing_permission(connection: Connection, path: ObjectPath, owner: UUID | None) -> AccessDenied:
    """Returns the error for an upsert, which needs three permissions. Postgres does not report which one is missing.

    The lookup runs only for callers with INSERT permission. Others must not learn whether the object exists.
    """
    permission = "INSERT"
    if await _may_insert(connection, path, owner):
        permission = "SELECT" if await object_at(connection, path) is None else "UPDATE"
    return AccessDenied(reason=f"{ROW_SECURITY} (upsert needs INSERT, SELECT and UPDATE; {permission} is missing)")


async def _may_insert(connection: Connection, path: ObjectPath, owner: UUID | None) -> bool:
    """Tries an insert. Postgres checks the policy before the unique constraint, so `AlreadyExists` shows permission."""
    try:
        async with always_rolled_back(connection):
            with translate_postgres_errors():
                await claim_path(connection, path, owner=owner, user_metadata=None, upsert=False)
    except AccessDenied:
        return False
    except AlreadyExists:
        return True
    return True


async def new_blob(context: StorageContext, bucket: Bucket) -> UUID:
    async with context.database.acting_as(SERVICE) as connection:
        return await register_blob(connection, sealed=bucket.sealed)


async def commit_object(
    context: StorageContext,
    principal: Principal,
    path: ObjectPath,
    blob: WrittenBlob,
    properties: ObjectProperties,
    *,
    owner: UUID | None,
    upsert: bool,
    before_commit: Callable[[Connection], Awaitable[None]] | None = None,
) -> StoredObject:
    """Creates or replaces the object in one transaction, in which the policies are checked again.

    `before_commit` runs in the same transaction, as the service.
    """
    metadata = system_metadata(blob, properties, now())
    async with context.database.acting_as(principal) as connection:
        with translate_postgres_errors():
            await claim_path(connection, path, owner=owner, user_metadata=properties.user_metadata, upsert=upsert)
            stored_object, previous_version = await attach_blob(connection, path, blob.version, metadata)
            if before_commit is not None:
                await before_commit(connection)
            await check_quota(context, connection, owner)
    # Without `upsert` the object is new and has replaced nothing.
    if upsert:
        await context.discard_blobs([previous_version])
    return stored_object


async def _limit_size(stream: AsyncIterator[bytes], size_limit: SizeLimit) -> AsyncIterator[bytes]:
    async for chunk in stream:
        size_limit.add(len(chunk))
        yield chunk
