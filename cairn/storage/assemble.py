"""The last byte has arrived: the pieces become one object, as if it had come in one go."""

from collections.abc import AsyncIterator
from uuid import UUID

from cairn.db import SERVICE, Connection, Principal
from cairn.storage.desk import Desk
from cairn.storage.model import Description
from cairn.storage.put import new_blob, show
from cairn.storage.store.uploads import Part, Upload, finish_upload, parts_of
from cairn.storage.tus import OffsetConflict


async def assemble(desk: Desk, principal: Principal, upload: Upload) -> None:
    async with desk.database.acting_as(SERVICE, read_only=True) as connection:
        parts = await parts_of(connection, upload.id)
    bucket = await desk.bucket(upload.bucket_id)
    version = await new_blob(desk, bucket)

    async def finish(connection: Connection) -> None:
        if not await finish_upload(connection, upload.id):
            raise OffsetConflict

    try:
        written = await desk.shelf.write(version, _joined(desk, upload, parts), sealed=bucket.sealed)
        await show(
            desk,
            principal,
            upload.place,
            written,
            Description(upload.content_type, upload.cache_control, upload.user_metadata),
            owner=UUID(upload.owner_id) if upload.owner_id else None,
            upsert=upload.upsert,
            also=finish,
        )
    except BaseException:
        await desk.discard([version])
        raise
    await desk.discard([part.version for part in parts])


async def _joined(desk: Desk, upload: Upload, parts: list[Part]) -> AsyncIterator[bytes]:
    for part in parts:
        async for chunk in await desk.shelf.read(part.version, 0, part.size, size=part.size, sealed=upload.sealed):
            yield chunk
