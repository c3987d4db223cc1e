"""Limits how much an account may store, and how much one network may upload in a day.

Files that the service stores itself, such as sealed documents, have no owner and do not count.
"""

from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import UUID

from starlette.requests import Request

from cairn.db import SERVICE, Connection
from cairn.limits import MemoryLimiter, network_of
from cairn.storage.context import StorageContext
from cairn.storage.errors import AccountQuotaReached, NetworkQuotaReached
from cairn.storage.limits import SizeLimit
from cairn.storage.model import Bucket, ObjectPath
from cairn.storage.settings import StorageSettings
from cairn.storage.store.usage import Usage, lock_usage, usage_of

ROW_BYTES = 1000
"""What the row of a file counts in addition to its bytes, so that writing small files again and again is limited."""


def daily_upload_limiter(settings: StorageSettings) -> MemoryLimiter:
    """Counts bytes. Without it, a stranger could fill the disk with many new accounts."""
    return MemoryLimiter(settings.network_daily_bytes, timedelta(days=1))


async def limited_stream(context: StorageContext, request: Request, owner: UUID | None) -> AsyncIterator[bytes]:
    """Yields the body of a request, and counts its bytes and the row of the file for the network of the caller.

    Uploads of the service have no owner and do not count.
    """
    count_bytes(context, request, owner, ROW_BYTES)
    async for chunk in request.stream():
        if chunk:
            count_bytes(context, request, owner, len(chunk))
        yield chunk


def count_bytes(context: StorageContext, request: Request, owner: UUID | None, byte_count: int) -> None:
    """Raises NetworkQuotaReached if the network of the caller has uploaded too much today."""
    network = network_of(request.client.host if request.client else None)
    if owner is not None and context.daily_upload_limiter.take(network, byte_count) is not None:
        raise NetworkQuotaReached


async def size_limit_for(
    context: StorageContext, bucket: Bucket, owner: UUID | None, path: ObjectPath | None
) -> SizeLimit:
    """Returns how large an object in this bucket may become, or raises if the account may store nothing more.

    `path` is the object that the upload replaces, if there is one.
    """
    bucket_max_bytes = bucket.max_bytes(context.settings.file_size_limit)
    if owner is None:
        return SizeLimit(bucket_max_bytes)
    async with context.database.acting_as(SERVICE, read_only=True) as connection:
        usage = await usage_of(connection, owner, without=path)
    remaining_bytes = context.settings.account_max_bytes - usage.bytes
    if remaining_bytes <= 0 or usage.files >= context.settings.account_max_files:
        raise _quota_reached(context.settings)
    if remaining_bytes < bucket_max_bytes:
        return SizeLimit(remaining_bytes, _quota_reached(context.settings))
    return SizeLimit(bucket_max_bytes)


async def check_quota(context: StorageContext, connection: Connection, owner: UUID | None) -> None:
    """Called at the end of a transaction that stores something. Raises if the account now stores more than it may."""
    if owner is None:
        return
    await lock_usage(connection, owner)
    if _exceeds(await usage_of(connection, owner), context.settings):
        raise _quota_reached(context.settings)


def _quota_reached(settings: StorageSettings) -> AccountQuotaReached:
    return AccountQuotaReached(files=settings.account_max_files, megabytes=settings.account_max_bytes // 1_000_000)


def _exceeds(usage: Usage, settings: StorageSettings) -> bool:
    return usage.files > settings.account_max_files or usage.bytes > settings.account_max_bytes
