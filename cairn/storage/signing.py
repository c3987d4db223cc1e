"""Creates signed URLs for callers with permission, and serves requests that carry one."""

from collections.abc import Iterable
from datetime import timedelta
from functools import cache, partial
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cairn.db import SERVICE
from cairn.kit import now
from cairn.storage.context import StorageContext
from cairn.storage.errors import InvalidKey, InvalidRequest
from cairn.storage.keys import valid_key
from cairn.storage.model import ObjectPath, StoredObject
from cairn.storage.put import check_write_allowed, put
from cairn.storage.quota import limited_stream
from cairn.storage.read import find_object, serve
from cairn.storage.render import parse_transformation
from cairn.storage.request import authenticate, bucket_of, path_of, wants_upsert
from cairn.storage.signed_urls import Scope, SignedUrlClaims
from cairn.storage.store.objects import objects_at
from cairn.storage.upload_body import read_upload_body
from cairn.storage.wire import SignManyRequest, SignRequest, read_json

_MAX_LIFETIME = timedelta(days=7)
# Files in sealed buckets, such as sealed documents, contain personal data, so a forgotten URL must soon be worthless.
_MAX_SEALED_LIFETIME = timedelta(hours=1)
_NO_ACCESS = "Either the object does not exist or you do not have access to it"


async def create_signed_url(context: StorageContext, request: Request) -> Response:
    caller, path = authenticate(context, request), path_of(request)
    sign_request = await read_json(request, SignRequest)
    stored_object = await find_object(context, caller, path)
    lifetime = _lifetime(sign_request.expires_in, [stored_object])
    transform = parse_transformation(sign_request.transform) if sign_request.transform else None
    token = context.url_signer.sign(
        path,
        "download",
        at=now(),
        lifetime=lifetime,
        transformations=None if transform is None else transform.model_dump(exclude_none=True),
    )
    prefix = "object" if transform is None else "render/image"
    return JSONResponse({"signedURL": f"/{prefix}/sign/{quote(str(path))}?token={token}"})


async def create_signed_urls(context: StorageContext, request: Request) -> Response:
    caller, bucket = authenticate(context, request), bucket_of(request)
    sign_request = await read_json(request, SignManyRequest)
    keys = {path: _key_or_none(path) for path in sign_request.paths}
    async with context.database.acting_as(caller, read_only=True) as connection:
        visible_objects = await objects_at(connection, bucket, [key for key in keys.values() if key is not None])
    visible_keys = {stored_object.name for stored_object in visible_objects}
    lifetime = _lifetime(sign_request.expires_in, visible_objects)

    # The request may contain the same path many times, and signing takes time.
    @cache
    def signed_url(key: str) -> str:
        token = context.url_signer.sign(ObjectPath(bucket, key), "download", at=now(), lifetime=lifetime)
        return f"/object/sign/{quote(f'{bucket}/{key}')}?token={token}"

    def sign_path(path: str) -> dict[str, str | None]:
        key = keys[path]
        if key is None or key not in visible_keys:
            return {"error": _NO_ACCESS, "path": path, "signedURL": None}
        return {"error": None, "path": path, "signedURL": signed_url(key)}

    return JSONResponse([sign_path(path) for path in sign_request.paths])


def _lifetime(seconds: int, stored_objects: Iterable[StoredObject]) -> timedelta:
    is_sealed = any(stored_object.sealed for stored_object in stored_objects)
    max_seconds = int((_MAX_SEALED_LIFETIME if is_sealed else _MAX_LIFETIME).total_seconds())
    if seconds > max_seconds:
        raise InvalidRequest(reason=f"body/expiresIn: a signed URL for this file lasts at most {max_seconds} seconds")
    return timedelta(seconds=seconds)


async def get_by_signed_url(context: StorageContext, request: Request) -> Response:
    path = path_of(request)
    claims = verify_signed_url(context, request, path, "download")
    return await serve(context, request, partial(find_object, context, SERVICE, path), expires_at=claims.expires_at)


async def create_signed_upload_url(context: StorageContext, request: Request) -> Response:
    """Checks the permissions of the caller, who will own the uploaded object."""
    caller, path, upsert = authenticate(context, request), path_of(request), wants_upsert(request)
    await context.get_bucket(path.bucket)
    await check_write_allowed(context, caller, path, owner=caller.user_id, upsert=upsert)
    token = context.url_signer.sign(
        path,
        "upload",
        at=now(),
        lifetime=context.settings.signed_upload_lifetime,
        owner=str(caller.user_id) if caller.user_id else None,
        upsert=upsert,
    )
    return JSONResponse({"url": f"/object/upload/sign/{quote(str(path))}?token={token}", "token": token})


async def upload_to_signed_url(context: StorageContext, request: Request) -> Response:
    path = path_of(request)
    claims = verify_signed_url(context, request, path, "upload")
    read_body = partial(read_upload_body, request, limited_stream(context, request, claims.owner))
    await put(context, SERVICE, path, read_body, upsert=claims.upsert, owner=claims.owner)
    return JSONResponse({"Key": str(path)})


def verify_signed_url(context: StorageContext, request: Request, path: ObjectPath, scope: Scope) -> SignedUrlClaims:
    token = request.query_params.get("token")
    if not token:
        raise InvalidRequest(reason="querystring must have required property 'token'")
    return context.url_signer.verify(token, path, scope, at=now())


def _key_or_none(path: str) -> str | None:
    try:
        return valid_key(path)
    except InvalidKey:
        return None
