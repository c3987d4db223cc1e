"""Handles `/upload/resumable` with the TUS 1.0 protocol. An upload can continue after the connection breaks."""

from collections.abc import Awaitable, Callable
from email.utils import format_datetime

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from cairn.db import SERVICE, Principal
from cairn.kit import CountedBody, Problem, now
from cairn.storage import tus
from cairn.storage.assemble import assemble, discard_upload
from cairn.storage.context import StorageContext
from cairn.storage.keys import valid_bucket_name, valid_key
from cairn.storage.limits import check_type
from cairn.storage.model import DEFAULT_TYPE, NO_CACHE, ObjectPath
from cairn.storage.put import check_write_allowed
from cairn.storage.quota import ROW_BYTES, count_bytes, limited_stream, size_limit_for
from cairn.storage.receive import receive
from cairn.storage.request import Handler, authenticate, wants_upsert
from cairn.storage.store import uploads as store
from cairn.storage.store.uploads import Upload
from cairn.storage.upload_body import cache_control_for, parse_metadata, sender_of


def routes(context: StorageContext) -> list[Route]:
    def routes_for(handler: Handler, method: str, *paths: str) -> list[Route]:
        return [Route(path, _plain_text_errors(context, handler), methods=[method]) for path in paths]

    # A client starts an upload with a request to one of these paths. The upload then has its own path below it.
    collections = ("/upload/resumable", "/upload/resumable/sign")
    items = tuple(f"{path}/{{upload}}" for path in reversed(collections))
    return [
        *routes_for(_options, "OPTIONS", *collections, *items),
        *routes_for(_create, "POST", *collections),
        *routes_for(_head, "HEAD", *items),
        *routes_for(_patch, "PATCH", *items),
        *routes_for(_terminate, "DELETE", *items),
    ]


def _plain_text_errors(context: StorageContext, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            response = await handler(context, request)
        except ClientDisconnect:
            response = PlainTextResponse("The connection was lost", 400)
        except Problem as problem:
            response = PlainTextResponse(str(problem), problem.status)
        response.headers["Tus-Resumable"] = tus.VERSION
        return response

    return endpoint


async def _options(context: StorageContext, _: Request) -> Response:
    headers = {
        "Tus-Version": tus.VERSION,
        "Tus-Extension": tus.EXTENSIONS,
        "Tus-Max-Size": str(context.settings.file_size_limit),
        "Tus-Checksum-Algorithm": ",".join(tus.CHECKSUMS),
    }
    return Response(status_code=204, headers=headers)


async def _create(context: StorageContext, request: Request) -> Response:
    tus.check_version(request)
    metadata, length = tus.parse_upload_metadata(request), tus.parse_number(request, "upload-length")
    if length is None and request.headers.get("upload-defer-length") != "1":
        raise tus.TusProblem(reason="Upload-Length or Upload-Defer-Length is required")
    path = ObjectPath(valid_bucket_name(metadata.get("bucketName", "")), valid_key(metadata.get("objectName", "")))
    caller, owner, upsert = _authorize(context, request, path)
    bucket = await context.get_bucket(path.bucket)
    if length is not None and length > bucket.max_bytes(context.settings.file_size_limit):
        raise tus.UploadTooLarge
    (await size_limit_for(context, bucket, owner.user_id, path)).check_declared(length)
    content_type = metadata.get("contentType") or DEFAULT_TYPE
    check_type(content_type, bucket.allowed_mime_types)
    await check_write_allowed(context, caller, path, owner=owner.user_id, upsert=upsert)
    fields = {
        "owner_id": str(owner.user_id) if owner.user_id else None,
        "upsert": upsert,
        "sealed": bucket.sealed,
        "content_type": content_type,
        "cache_control": cache_control_for(metadata["cacheControl"]) if "cacheControl" in metadata else NO_CACHE,
        "user_metadata": parse_metadata(metadata["metadata"]) if metadata.get("metadata") else None,
        "length": length,
        "expires_at": now() + context.settings.resumable_lifetime,
    }
    # The row stays for a day, even if no bytes are uploaded.
    count_bytes(context, request, owner.user_id, ROW_BYTES + len(request.headers["upload-metadata"]))
    async with context.database.acting_as(SERVICE) as connection:
        upload = await store.add_upload(connection, path, fields)
    headers = {
        "Location": f"{_client_url(request)}/{tus.encode_upload_id(upload.id)}",
        "Upload-Expires": _expiry_header(upload),
    }
    if length == 0 or request.headers.get("content-type") == tus.BODY_TYPE:
        headers["Upload-Offset"] = str(await _receive(context, request, caller, upload))
    return Response(status_code=201, headers=headers)


async def _head(context: StorageContext, request: Request) -> Response:
    tus.check_version(request)
    caller, upload = await _open_upload(context, request)
    if upload.is_complete:
        # All bytes have arrived, but the server failed to assemble them. This request retries it.
        await assemble(context, caller, upload)
    headers = {
        "Upload-Offset": str(upload.received),
        "Upload-Expires": _expiry_header(upload),
        "Cache-Control": "no-store",
        **({"Upload-Defer-Length": "1"} if upload.length is None else {"Upload-Length": str(upload.length)}),
    }
    return Response(status_code=200, headers=headers)


async def _patch(context: StorageContext, request: Request) -> Response:
    tus.check_version(request)
    if request.headers.get("content-type") != tus.BODY_TYPE:
        raise tus.WrongContentType
    caller, upload = await _open_upload(context, request)
    if tus.parse_number(request, "upload-offset") != upload.received:
        raise tus.OffsetConflict
    length = tus.parse_number(request, "upload-length")
    if upload.length is None and length is not None:
        if length < upload.received:
            raise tus.TusProblem(reason="Upload-Length is smaller than what has already arrived")
        async with context.database.acting_as(SERVICE) as connection:
            await store.set_length(connection, upload.id, length)
            upload = await store.upload_by_id(connection, upload.id) or upload
    offset = await _receive(context, request, caller, upload)
    return Response(status_code=204, headers={"Upload-Offset": str(offset), "Upload-Expires": _expiry_header(upload)})


async def _terminate(context: StorageContext, request: Request) -> Response:
    tus.check_version(request)
    _, upload = await _open_upload(context, request)
    await discard_upload(context, upload)
    return Response(status_code=204)


async def _receive(context: StorageContext, request: Request, caller: Principal, upload: Upload) -> int:
    bucket = await context.get_bucket(upload.bucket_id)
    bucket_max_bytes = bucket.max_bytes(context.settings.file_size_limit)
    max_bytes = bucket_max_bytes if upload.length is None else min(bucket_max_bytes, upload.length)
    stream = limited_stream(context, request, upload.owner)
    counted, checksum = CountedBody(sender_of(request)), tus.Checksum(request)
    offset = await receive(context, upload, stream, counted, max_bytes=max_bytes, checksum=checksum)
    if offset == upload.length:
        await assemble(context, caller, upload)
    return offset


async def _open_upload(context: StorageContext, request: Request) -> tuple[Principal, Upload]:
    """Returns the principal with whose permissions the upload is written, and the upload.

    Raises an error if the upload has finished or expired, or if it belongs to someone else.
    """
    upload_id = tus.decode_upload_id(request.path_params["upload"])
    async with context.database.acting_as(SERVICE, read_only=True) as connection:
        upload = await store.upload_by_id(connection, upload_id)
    if upload is None:
        raise tus.UploadNotFound
    caller, owner, _ = _authorize(context, request, upload.path)
    if upload.owner_id != (str(owner.user_id) if owner.user_id else None):
        raise tus.NotYourUpload
    if upload.finished_at is not None or upload.expires_at <= now():
        raise tus.UploadGone(state="finished" if upload.finished_at else "expired")
    return caller, upload


def _authorize(context: StorageContext, request: Request, path: ObjectPath) -> tuple[Principal, Principal, bool]:
    """Returns the principal that writes, the owner of the new object, and whether an existing object may be replaced.

    With a signed URL, the service role writes the object for the owner that the URL names.
    """
    token = request.headers.get("x-signature")
    if token is None:
        caller = authenticate(context, request)
        return caller, caller, wants_upsert(request)
    claims = context.url_signer.verify(token, path, "upload", at=now())
    owner = Principal(SERVICE.role, {"sub": str(claims.owner)}) if claims.owner else SERVICE
    return SERVICE, owner, claims.upsert


def _client_url(request: Request) -> str:
    """Returns the URL as the client sees it, even if a proxy forwarded the request."""
    host = request.headers.get("x-forwarded-host")
    url = request.url if host is None else request.url.replace(netloc=host)
    return str(url.replace(query="")).rstrip("/")


def _expiry_header(upload: Upload) -> str:
    return format_datetime(upload.expires_at, usegmt=True)
