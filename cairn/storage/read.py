"""Serves objects, with conditional requests, ranges and a streamed body."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from email.utils import format_datetime
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from cairn.db import SERVICE, Principal
from cairn.storage.context import StorageContext
from cairn.storage.errors import BytesMissing, NoSuchBucket, NoSuchKey
from cairn.storage.model import ObjectPath, StoredObject
from cairn.storage.ranges import is_not_modified, parse_range
from cairn.storage.store.objects import object_at


async def find_object(context: StorageContext, principal: Principal, path: ObjectPath) -> StoredObject:
    async with context.database.acting_as(principal, read_only=True) as connection:
        stored_object = await object_at(connection, path)
    if stored_object is None:
        # If the bucket does not exist, this raises NoSuchBucket.
        await context.get_bucket(path.bucket)
        raise NoSuchKey
    return stored_object


async def find_public_object(context: StorageContext, path: ObjectPath) -> StoredObject:
    """Finds an object without a token. A bucket that is not public is reported as missing."""
    bucket = await context.get_bucket(path.bucket)
    if not bucket.public:
        raise NoSuchBucket
    return await find_object(context, SERVICE, path)


async def read_whole_object(context: StorageContext, stored_object: StoredObject) -> AsyncIterator[bytes]:
    return await context.blob_store.read(
        stored_object.version, 0, stored_object.size, size=stored_object.size, sealed=stored_object.sealed
    )


async def serve(
    context: StorageContext,
    request: Request,
    find: Callable[[], Awaitable[StoredObject]],
    *,
    expires_at: int | None = None,
) -> Response:
    """Serves the object that `find` returns."""
    stored_object = await find()
    while True:
        try:
            return await _send(context, request, stored_object, expires_at)
        except BytesMissing:
            # The object may have been replaced after its row was read; then its new blob exists.
            missing_version = stored_object.version
            stored_object = await find()
            if stored_object.version == missing_version:
                raise


async def _send(
    context: StorageContext, request: Request, stored_object: StoredObject, expires_at: int | None
) -> Response:
    """`expires_at` is when a signed URL expires (Unix time). No cache may keep the response for longer."""
    headers = _headers(stored_object, expires_at)
    if is_not_modified(
        etag=stored_object.etag,
        modified_at=stored_object.updated_at,
        none_match=request.headers.get("if-none-match"),
        modified_since=request.headers.get("if-modified-since"),
    ):
        return Response(status_code=304, headers=headers)
    if (name := request.query_params.get("download")) is not None:
        headers["Content-Disposition"] = content_disposition(name)
    byte_range = parse_range(request.headers.get("range"), stored_object.size)
    start, end = byte_range or (0, stored_object.size)
    if byte_range is not None:
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{stored_object.size}"
    headers["Content-Length"] = str(end - start)
    headers["Content-Type"] = safe_content_type(stored_object.content_type)
    status = 200 if byte_range is None else 206
    body = await context.blob_store.read(
        stored_object.version, start, end, size=stored_object.size, sealed=stored_object.sealed
    )
    if request.method == "HEAD":
        return Response(status_code=status, headers=headers)
    return StreamingResponse(body, status, headers)


def _headers(stored_object: StoredObject, expires_at: int | None) -> dict[str, str]:
    cache_headers = (
        {"Cache-Control": stored_object.cache_control}
        if expires_at is None
        else {"Expires": format_datetime(datetime.fromtimestamp(expires_at, UTC), usegmt=True)}
    )
    return {
        **version_headers(stored_object),
        "Accept-Ranges": "bytes",
        "X-Robots-Tag": "none",
        # An uploaded file must never run as script on our origin.
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        **cache_headers,
    }


def version_headers(stored_object: StoredObject) -> dict[str, str]:
    return {
        "ETag": stored_object.etag,
        "Last-Modified": format_datetime(stored_object.updated_at.astimezone(UTC), usegmt=True),
    }


def safe_content_type(content_type: str) -> str:
    """Replaces HTML with plain text, so that an uploaded page cannot look like one of our pages."""
    return "text/plain" if "text/html" in content_type.lower() else content_type


def content_disposition(name: str) -> str:
    if not name:
        return "attachment;"
    encoded = quote(name, safe="")
    return f"attachment; filename={encoded}; filename*=UTF-8''{encoded}"
