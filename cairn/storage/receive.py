"""Receives the next bytes of a resumable upload and keeps them even if the connection breaks."""

from collections.abc import AsyncIterator

from starlette.requests import ClientDisconnect

from cairn.db import SERVICE
from cairn.kit import CountedBody
from cairn.storage.context import StorageContext
from cairn.storage.quota import check_quota
from cairn.storage.store.blobs import register_blob
from cairn.storage.store.uploads import Part, Upload, append_parts
from cairn.storage.tus import Checksum, OffsetConflict, UploadTooLarge
from cairn.storage.upload_memory import has_memory

# At most this many bytes are held in memory, and lost if the server crashes.
_PART_BYTES = 4 * 1024 * 1024


async def receive(
    context: StorageContext,
    upload: Upload,
    stream: AsyncIterator[bytes],
    counted: CountedBody,
    *,
    max_bytes: int,
    checksum: Checksum,
) -> int:
    """Returns the new offset. A request with a checksum is kept as a whole or not at all."""
    pending_parts: list[Part] = []
    offset = upload.received
    try:
        async for content in _split(stream, counted, max_bytes=max_bytes - offset, checksum=checksum):
            pending_parts.append(await _store_part(context, upload, offset, content))
            offset += len(content)
            if not checksum.is_present:
                await _append(context, upload, pending_parts)
                pending_parts.clear()
        checksum.check()
        if pending_parts:
            await _append(context, upload, pending_parts)
            pending_parts.clear()
    finally:
        counted.uncount()
        if pending_parts:
            await context.discard_blobs([part.version for part in pending_parts])
    return offset


async def _split(
    stream: AsyncIterator[bytes], counted: CountedBody, *, max_bytes: int, checksum: Checksum
) -> AsyncIterator[bytes]:
    """Yields smaller parts while the uploads of the network use up its share of the memory."""
    buffer = bytearray()
    try:
        async for chunk in stream:
            max_bytes -= len(chunk)
            if max_bytes < 0:
                raise UploadTooLarge
            checksum.update(chunk)
            buffer += chunk
            if len(buffer) >= _PART_BYTES or not has_memory(counted, len(buffer)):
                yield bytes(buffer)
                buffer.clear()
                counted.uncount()
    except ClientDisconnect:
        # The connection broke. Without a checksum, the bytes received so far are a valid part.
        if buffer and not checksum.is_present:
            yield bytes(buffer)
        raise
    if buffer:
        yield bytes(buffer)


async def _store_part(context: StorageContext, upload: Upload, offset: int, content: bytes) -> Part:
    async with context.database.acting_as(SERVICE) as connection:
        version = await register_blob(connection, sealed=upload.sealed)
    await context.blob_store.write(version, _single_chunk(content), sealed=upload.sealed)
    return Part(offset, len(content), version)


async def _append(context: StorageContext, upload: Upload, parts: list[Part]) -> None:
    async with context.database.acting_as(SERVICE) as connection:
        if not await append_parts(connection, upload.id, parts):
            raise OffsetConflict
        await check_quota(context, connection, upload.owner)


async def _single_chunk(content: bytes) -> AsyncIterator[bytes]:
    yield content
