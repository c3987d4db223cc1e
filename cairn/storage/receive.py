"""Taking in the next bytes of a resumable upload: what has arrived is kept even when the rest does not."""

from collections.abc import AsyncIterator

from starlette.requests import ClientDisconnect

from cairn.db import SERVICE
from cairn.storage.context import StorageContext
from cairn.storage.store.blobs import register_blob
from cairn.storage.store.uploads import Part, Upload, append_parts
from cairn.storage.tus import Checksum, OffsetConflict, UploadTooLarge

# As much as may be lost with a connection, and as much as is held in memory.
_PIECE = 4 * 1024 * 1024


async def receive(
    context: StorageContext, upload: Upload, stream: AsyncIterator[bytes], *, limit: int, checksum: Checksum
) -> int:
    """Returns how much of the upload is here now. With a checksum the whole request counts, or nothing of it."""
    waiting: list[Part] = []
    position = upload.received
    try:
        async for piece in _pieces(stream, most=limit - position, checksum=checksum):
            waiting.append(await _keep(context, upload, position, piece))
            position += len(piece)
            if not checksum.is_asked:
                await _append(context, upload, waiting)
                waiting.clear()
        checksum.check()
        if waiting:
            await _append(context, upload, waiting)
            waiting.clear()
    finally:
        if waiting:
            await context.discard([part.version for part in waiting])
    return position


async def _pieces(stream: AsyncIterator[bytes], *, most: int, checksum: Checksum) -> AsyncIterator[bytes]:
    piece = bytearray()
    try:
        async for chunk in stream:
            most -= len(chunk)
            if most < 0:
                raise UploadTooLarge
            checksum.update(chunk)
            piece += chunk
            if len(piece) >= _PIECE:
                yield bytes(piece)
                piece.clear()
    except ClientDisconnect:
        # The line broke. Without a checksum to satisfy, what came is as good as any other part.
        if piece and not checksum.is_asked:
            yield bytes(piece)
        raise
    if piece:
        yield bytes(piece)


async def _keep(context: StorageContext, upload: Upload, position: int, piece: bytes) -> Part:
    async with context.database.acting_as(SERVICE) as connection:
        version = await register_blob(connection, sealed=upload.sealed)
    await context.blob_store.write(version, _once(piece), sealed=upload.sealed)
    return Part(position, len(piece), version)


async def _append(context: StorageContext, upload: Upload, parts: list[Part]) -> None:
    async with context.database.acting_as(SERVICE) as connection:
        if not await append_parts(connection, upload.id, parts):
            raise OffsetConflict


async def _once(piece: bytes) -> AsyncIterator[bytes]:
    yield piece
