"""`/upload/resumable`: TUS 1.0, for files too large to be sent again because of one broken line."""

from collections.abc import Awaitable, Callable
from email.utils import format_datetime

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from cairn.db import SERVICE, Principal
from cairn.kit import Problem, now
from cairn.storage import tus
from cairn.storage.assemble import assemble
from cairn.storage.context import StorageContext
from cairn.storage.keys import bucket_name, object_key
from cairn.storage.limits import check_type
from cairn.storage.model import DEFAULT_TYPE, NO_CACHE, ObjectPath
from cairn.storage.put import rehearse
from cairn.storage.receive import receive
from cairn.storage.request import principal, wants_upsert
from cairn.storage.store import uploads as store
from cairn.storage.store.uploads import Upload
from cairn.storage.upload_body import cache_for, parse_metadata

_Verb = Callable[[StorageContext, Request], Awaitable[Response]]


def routes(context: StorageContext) -> list[Route]:
    def doors(verb: _Verb, method: str, *paths: str) -> list[Route]:
        return [Route(path, _in_plain_text(context, verb), methods=[method]) for path in paths]

    places = ("/upload/resumable", "/upload/resumable/sign")
    one = tuple(f"{place}/{{upload}}" for place in reversed(places))
    return [
        *doors(_options, "OPTIONS", *places, *one),
        *doors(_create, "POST", *places),
        *doors(_look, "HEAD", *one),
        *doors(_patch, "PATCH", *one),
        *doors(_terminate, "DELETE", *one),
    ]


def _in_plain_text(context: StorageContext, verb: _Verb) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            response = await verb(context, request)
        except ClientDisconnect:
            response = PlainTextResponse("The line broke", 400)
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
    said, length = tus.metadata(request), tus.number(request, "upload-length")
    if length is None and request.headers.get("upload-defer-length") != "1":
        raise tus.TusProblem(reason="Upload-Length or Upload-Defer-Length is required")
    place = ObjectPath(bucket_name(said.get("bucketName", "")), object_key(said.get("objectName", "")))
    caller, owner, upsert = _who(context, request, place)
    bucket = await context.bucket(place.bucket)
    if length is not None and length > bucket.limit(context.settings.file_size_limit):
        raise tus.UploadTooLarge
    content_type = said.get("contentType") or DEFAULT_TYPE
    check_type(content_type, bucket.allowed_mime_types)
    await rehearse(context, caller, place, owner=owner.user_id, upsert=upsert)
    facts = {
        "owner_id": str(owner.user_id) if owner.user_id else None,
        "upsert": upsert,
        "sealed": bucket.sealed,
        "content_type": content_type,
        "cache_control": cache_for(said["cacheControl"]) if "cacheControl" in said else NO_CACHE,
        "user_metadata": parse_metadata(said["metadata"]) if said.get("metadata") else None,
        "length": length,
        "expires_at": now() + context.settings.resumable_lifetime,
    }
    async with context.database.acting_as(SERVICE) as connection:
        upload = await store.add_upload(connection, place, facts)
    headers = {"Location": f"{_base(request)}/{tus.name_of(upload.id)}", "Upload-Expires": _expires(upload)}
    if length == 0 or request.headers.get("content-type") == tus.BODY_TYPE:
        headers["Upload-Offset"] = str(await _receive(context, request, caller, upload))
    return Response(status_code=201, headers=headers)


async def _look(context: StorageContext, request: Request) -> Response:
    tus.check_version(request)
    caller, upload = await _opened(context, request)
    if upload.is_complete:
        # The bytes were all here when something else failed; whoever asks again sets it right.
        await assemble(context, caller, upload)
    headers = {
        "Upload-Offset": str(upload.received),
        "Upload-Expires": _expires(upload),
        "Cache-Control": "no-store",
        **({"Upload-Defer-Length": "1"} if upload.length is None else {"Upload-Length": str(upload.length)}),
    }
    return Response(status_code=200, headers=headers)


async def _patch(context: StorageContext, request: Request) -> Response:
    tus.check_version(request)
    if request.headers.get("content-type") != tus.BODY_TYPE:
        raise tus.WrongContentType
    caller, upload = await _opened(context, request)
    if tus.number(request, "upload-offset") != upload.received:
        raise tus.OffsetConflict
    length = tus.number(request, "upload-length")
    if upload.length is None and length is not None:
        async with context.database.acting_as(SERVICE) as connection:
            await store.set_length(connection, upload.id, length)
            upload = await store.upload_by_id(connection, upload.id) or upload
    offset = await _receive(context, request, caller, upload)
    return Response(status_code=204, headers={"Upload-Offset": str(offset), "Upload-Expires": _expires(upload)})


async def _terminate(context: StorageContext, request: Request) -> Response:
    tus.check_version(request)
    _, upload = await _opened(context, request)
    async with context.database.acting_as(SERVICE) as connection:
        versions = [part.version for part in await store.parts_of(connection, upload.id)]
        await store.remove_upload(connection, upload.id)
    await context.discard(versions)
    return Response(status_code=204)


async def _receive(context: StorageContext, request: Request, caller: Principal, upload: Upload) -> int:
    bucket = await context.bucket(upload.bucket_id)
    most = bucket.limit(context.settings.file_size_limit)
    limit = most if upload.length is None else min(most, upload.length)
    offset = await receive(context, upload, request.stream(), limit=limit, checksum=tus.Checksum(request))
    if offset == upload.length:
        await assemble(context, caller, upload)
    return offset


async def _opened(context: StorageContext, request: Request) -> tuple[Principal, Upload]:
    """The caller and the upload, which must still be under way and the caller's own."""
    upload_id = tus.id_of(request.path_params["upload"])
    async with context.database.acting_as(SERVICE, read_only=True) as connection:
        upload = await store.upload_by_id(connection, upload_id)
    if upload is None:
        raise tus.UploadNotFound
    caller, owner, _ = _who(context, request, upload.place)
    if upload.owner_id != (str(owner.user_id) if owner.user_id else None):
        raise tus.NotYourUpload
    if upload.finished_at is not None or upload.expires_at <= now():
        raise tus.UploadGone(state="finished" if upload.finished_at else "expired")
    return caller, upload


def _who(context: StorageContext, request: Request, place: ObjectPath) -> tuple[Principal, Principal, bool]:
    """Who acts, whose the object will be, and whether it may replace another."""
    token = request.headers.get("x-signature")
    if token is None:
        caller = principal(context, request)
        return caller, caller, wants_upsert(request)
    link = context.links.read(token, place, "upload", at=now())
    owner = Principal(SERVICE.role, {"sub": str(link.owner)}) if link.owner else SERVICE
    return SERVICE, owner, link.upsert


def _base(request: Request) -> str:
    """As the caller reached us, not as the proxy did."""
    host = request.headers.get("x-forwarded-host")
    url = request.url if host is None else request.url.replace(netloc=host)
    return str(url.replace(query="")).rstrip("/")


def _expires(upload: Upload) -> str:
    return format_datetime(upload.expires_at, usegmt=True)
