"""Joins the parts of a completed resumable upload into one object."""

from collections.abc import AsyncIterator

from cairn.db import SERVICE, Connection, Principal
from cairn.kit import Problem
from cairn.storage.context import StorageContext
from cairn.storage.model import ObjectProperties
from cairn.storage.put import commit_object, new_blob
from cairn.storage.store.uploads import Part, Upload, finish_upload, parts_of, remove_upload
from cairn.storage.tus import OffsetConflict, UploadBusy

_SERVER_ERROR = 500


async def assemble(context: StorageContext, principal: Principal, upload: Upload) -> None:
    """Each attempt copies all bytes, so an upload is assembled by one request at a time.

    If the object is refused, for example because its name was taken in the meantime, the upload ends. Otherwise each
    further request of the client would copy the bytes again.
    """
    if upload.id in context.assembling:
        raise UploadBusy
    context.assembling.add(upload.id)
    try:
        await _join_parts(context, principal, upload)
    except OffsetConflict:
        raise
    except Problem as problem:
        if problem.status < _SERVER_ERROR:
            await discard_upload(context, upload)
        raise
    finally:
        context.assembling.discard(upload.id)


async def discard_upload(context: StorageContext, upload: Upload) -> None:
    async with context.database.acting_as(SERVICE) as connection:
        part_versions = [part.version for part in await parts_of(connection, upload.id)]
        await remove_upload(connection, upload.id)
    await context.discard_blobs(part_versions)


async def _join_parts(context: StorageContext, principal: Principal, upload: Upload) -> None:
    async with context.database.acting_as(SERVICE, read_only=True) as connection:
        parts = await parts_of(connection, upload.id)
    bucket = await context.get_bucket(upload.bucket_id)
    version = await new_blob(context, bucket)

    async def mark_finished(connection: Connection) -> None:
        if not await finish_upload(connection, upload.id):
            raise OffsetConflict

    try:
        blob = await context.blob_store.write(version, _joined_parts(context, upload, parts), sealed=bucket.sealed)
        await commit_object(
            context,
            principal,
            upload.path,
            blob,
            ObjectProperties(upload.content_type, upload.cache_control, upload.user_metadata),
            owner=upload.owner,
            upsert=upload.upsert,
            before_commit=mark_finished,
        )
    except BaseException:
        await context.discard_blobs([version])
        raise
    await context.discard_blobs([part.version for part in parts])


async def _joined_parts(context: StorageContext, upload: Upload, parts: list[Part]) -> AsyncIterator[bytes]:
    for part in parts:
        async for chunk in await context.blob_store.read(
            part.version, 0, part.size, size=part.size, sealed=upload.sealed
        ):
            yield chunk
