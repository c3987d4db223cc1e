"""Sending an object: whole or in part, only when the caller does not have it yet, and streamed."""

from collections.abc import Awaitable, Callable
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


async def find(context: StorageContext, principal: Principal, place: ObjectPath) -> StoredObject:
    async with context.database.acting_as(principal, read_only=True) as connection:
        found = await object_at(connection, place)
    if found is None:
        await context.bucket(place.bucket)
        raise NoSuchKey
    return found


async def find_public(context: StorageContext, place: ObjectPath) -> StoredObject:
    """Whoever knows the address; a bucket that is not public does not exist here."""
    bucket = await context.bucket(place.bucket)
    if not bucket.public:
        raise NoSuchBucket
    return await find(context, SERVICE, place)


async def serve(
    context: StorageContext,
    request: Request,
    look: Callable[[], Awaitable[StoredObject]],
    *,
    expires: int | None = None,
) -> Response:
    found = await look()
    while True:
        try:
            return await _send(context, request, found, expires)
        except BytesMissing:
            # Replaced between the look and the reach? Then what it is now made of is there.
            missed, found = found, await look()
            if found.version == missed.version:
                raise


async def _send(context: StorageContext, request: Request, found: StoredObject, expires: int | None) -> Response:
    """`expires` is when a signed address ends; nobody may keep the answer longer than that."""
    headers = _headers(found, expires)
    if is_not_modified(
        etag=found.etag,
        modified=found.updated_at,
        none_match=request.headers.get("if-none-match"),
        modified_since=request.headers.get("if-modified-since"),
    ):
        return Response(status_code=304, headers=headers)
    if (name := request.query_params.get("download")) is not None:
        headers["Content-Disposition"] = attachment(name)
    part = parse_range(request.headers.get("range"), found.size)
    start, end = part or (0, found.size)
    if part is not None:
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{found.size}"
    headers["Content-Length"] = str(end - start)
    headers["Content-Type"] = served_type(found.content_type)
    status = 200 if part is None else 206
    body = await context.blob_store.read(found.version, start, end, size=found.size, sealed=found.sealed)
    if request.method == "HEAD":
        return Response(status_code=status, headers=headers)
    return StreamingResponse(body, status, headers)


def _headers(found: StoredObject, expires: int | None) -> dict[str, str]:
    freshness = (
        {"Cache-Control": found.cache_control}
        if expires is None
        else {"Expires": format_datetime(datetime.fromtimestamp(expires, UTC), usegmt=True)}
    )
    return {
        "ETag": found.etag,
        "Last-Modified": format_datetime(found.updated_at.astimezone(UTC), usegmt=True),
        "Accept-Ranges": "bytes",
        "X-Robots-Tag": "none",
        # What a stranger uploaded is never run as ours.
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        **freshness,
    }


def served_type(stored: str) -> str:
    """A page somebody uploaded must not look like one of ours."""
    return "text/plain" if "text/html" in stored.lower() else stored


def attachment(name: str) -> str:
    if not name:
        return "attachment;"
    encoded = quote(name, safe="")
    return f"attachment; filename={encoded}; filename*=UTF-8''{encoded}"
