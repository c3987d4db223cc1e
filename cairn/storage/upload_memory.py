"""Limits what uploads hold in memory. The rest of an upload waits in a temporary file, so that none is refused.

All uploads together are limited. Otherwise slow ones, each of which holds a part of its file, could fill the memory.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from tempfile import TemporaryFile

from cairn.kit import CountedBody, LargeBodiesBusy
from cairn.storage.blobs import Buffer
from cairn.storage.context import StorageContext

_CHUNK_BYTES = 256 * 1024


@asynccontextmanager
async def limited_memory(context: StorageContext, sender: str) -> AsyncIterator[Buffer]:
    """Yields the buffer of one upload. `sender` is the network of the caller."""
    async with AsyncExitStack() as stack:
        counted = CountedBody(sender)
        stack.callback(counted.uncount)
        yield partial(_buffered, context, counted, stack)


async def _buffered(
    context: StorageContext, counted: CountedBody, stack: AsyncExitStack, stream: AsyncIterator[bytes]
) -> AsyncIterator[bytes]:
    byte_count = 0
    async for chunk in stream:
        byte_count += len(chunk)
        if has_memory(counted, min(byte_count, context.blob_store.part_bytes)):
            yield chunk
            continue
        async for later_chunk in _through_file(context, stack, chunk, stream):
            yield later_chunk


async def _through_file(
    context: StorageContext, stack: AsyncExitStack, first_chunk: bytes, stream: AsyncIterator[bytes]
) -> AsyncIterator[bytes]:
    """Yields the rest of the stream when all of it has arrived."""
    # The file has no name, so nothing is left of it after a crash.
    file = stack.enter_context(TemporaryFile(dir=context.blob_store.temporary_folder))  # noqa: SIM115 - the stack ends it
    await asyncio.to_thread(file.write, first_chunk)
    async for chunk in stream:
        await asyncio.to_thread(file.write, chunk)
    # The turn ends with `stack`, when the blob is written.
    await stack.enter_async_context(context.turns_of_waiting_uploads)
    await asyncio.to_thread(file.seek, 0)
    while chunk := await asyncio.to_thread(file.read, _CHUNK_BYTES):
        yield chunk


def has_memory(counted: CountedBody, byte_count: int) -> bool:
    """Counts these bytes. Returns False if they do not fit into the memory of the network."""
    try:
        counted.count(byte_count)
    except LargeBodiesBusy:
        return False
    return True
