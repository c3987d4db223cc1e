"""Signed addresses: made for those who may, honoured for whoever holds one."""

from datetime import timedelta
from functools import partial
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cairn.db import SERVICE
from cairn.kit import now
from cairn.storage.context import StorageContext
from cairn.storage.errors import InvalidKey, InvalidRequest
from cairn.storage.keys import object_key
from cairn.storage.model import ObjectPath
from cairn.storage.put import put, rehearse
from cairn.storage.read import find, serve
from cairn.storage.render import transformation
from cairn.storage.request import bucket_of, place, principal, wants_upsert
from cairn.storage.signed_urls import Scope, SignedUrlClaims
from cairn.storage.store.objects import objects_at
from cairn.storage.upload_body import incoming
from cairn.storage.wire import SignManyRequest, SignRequest, read_json

_NO_ACCESS = "Either the object does not exist or you do not have access to it"


async def sign(context: StorageContext, request: Request) -> Response:
    caller, where = principal(context, request), place(request)
    asked = await read_json(request, SignRequest)
    await find(context, caller, where)
    transform = transformation(asked.transform) if asked.transform else None
    token = context.links.sign(
        where,
        "download",
        at=now(),
        lifetime=timedelta(seconds=asked.expires_in),
        transformations=None if transform is None else transform.model_dump(exclude_none=True),
    )
    door = "object" if transform is None else "render/image"
    return JSONResponse({"signedURL": f"/{door}/sign/{quote(str(where))}?token={token}"})


async def sign_many(context: StorageContext, request: Request) -> Response:
    caller, bucket = principal(context, request), bucket_of(request)
    asked = await read_json(request, SignManyRequest)
    keys = {path: _key_or_none(path) for path in asked.paths}
    async with context.database.acting_as(caller, read_only=True) as connection:
        seen = await objects_at(connection, bucket, [key for key in keys.values() if key is not None])
    visible = {found.name for found in seen}
    lifetime = timedelta(seconds=asked.expires_in)

    def answer(path: str) -> dict[str, str | None]:
        key = keys[path]
        if key is None or key not in visible:
            return {"error": _NO_ACCESS, "path": path, "signedURL": None}
        token = context.links.sign(ObjectPath(bucket, key), "download", at=now(), lifetime=lifetime)
        return {"error": None, "path": path, "signedURL": f"/object/sign/{quote(f'{bucket}/{key}')}?token={token}"}

    return JSONResponse([answer(path) for path in asked.paths])


async def get_signed(context: StorageContext, request: Request) -> Response:
    where = place(request)
    link = linked(context, request, where, "download")
    return await serve(context, request, partial(find, context, SERVICE, where), expires=link.expires)


async def sign_upload(context: StorageContext, request: Request) -> Response:
    """The rights are those of the one who signs; so is what is uploaded."""
    caller, where, upsert = principal(context, request), place(request), wants_upsert(request)
    await context.bucket(where.bucket)
    await rehearse(context, caller, where, owner=caller.user_id, upsert=upsert)
    token = context.links.sign(
        where,
        "upload",
        at=now(),
        lifetime=context.settings.signed_upload_lifetime,
        owner=str(caller.user_id) if caller.user_id else None,
        upsert=upsert,
    )
    return JSONResponse({"url": f"/object/upload/sign/{quote(str(where))}?token={token}", "token": token})


async def put_signed(context: StorageContext, request: Request) -> Response:
    where = place(request)
    link = linked(context, request, where, "upload")
    await put(context, SERVICE, where, partial(incoming, request), upsert=link.upsert, owner=link.owner)
    return JSONResponse({"Key": str(where)})


def linked(context: StorageContext, request: Request, where: ObjectPath, scope: Scope) -> SignedUrlClaims:
    token = request.query_params.get("token")
    if not token:
        raise InvalidRequest(reason="querystring must have required property 'token'")
    return context.links.read(token, where, scope, at=now())


def _key_or_none(path: str) -> str | None:
    try:
        return object_key(path)
    except InvalidKey:
        return None
