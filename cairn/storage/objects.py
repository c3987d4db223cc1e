"""`/object`: one object at a time, and several to delete."""

from functools import partial

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cairn.db import SERVICE
from cairn.storage.context import StorageContext
from cairn.storage.errors import ServiceRoleRequired
from cairn.storage.keys import bucket_name, object_key
from cairn.storage.model import ObjectPath, ObjectProperties, StoredObject
from cairn.storage.move import copy, move
from cairn.storage.put import put
from cairn.storage.read import find, find_public, serve
from cairn.storage.remove import remove, remove_one
from cairn.storage.request import bucket_of, place, principal, principal_or_anonymous, wants_upsert
from cairn.storage.upload_body import incoming, metadata_header
from cairn.storage.wire import CopyMetadata, CopyRequest, DeleteRequest, MoveRequest, info_json, object_json, read_json


async def create(context: StorageContext, request: Request) -> Response:
    return await _store(context, request, upsert=wants_upsert(request))


async def replace(context: StorageContext, request: Request) -> Response:
    return await _store(context, request, upsert=True)


async def _store(context: StorageContext, request: Request, *, upsert: bool) -> Response:
    where = place(request)
    stored = await put(context, principal(context, request), where, partial(incoming, request), upsert=upsert)
    return JSONResponse({"Id": str(stored.id), "Key": str(where)})


async def get(context: StorageContext, request: Request) -> Response:
    caller, where = principal_or_anonymous(context, request), place(request)
    return await serve(context, request, partial(find, context, caller, where))


async def get_authenticated(context: StorageContext, request: Request) -> Response:
    caller, where = principal(context, request), place(request)
    return await serve(context, request, partial(find, context, caller, where))


async def get_public(context: StorageContext, request: Request) -> Response:
    return await serve(context, request, partial(find_public, context, place(request)))


async def info(context: StorageContext, request: Request) -> Response:
    return JSONResponse(info_json(await find(context, principal_or_anonymous(context, request), place(request))))


async def info_authenticated(context: StorageContext, request: Request) -> Response:
    return JSONResponse(info_json(await find(context, principal(context, request), place(request))))


async def info_public(context: StorageContext, request: Request) -> Response:
    return JSONResponse(info_json(await find_public(context, place(request))))


async def delete(context: StorageContext, request: Request) -> Response:
    await remove_one(context, principal(context, request), place(request))
    return JSONResponse({"message": "Successfully deleted"})


async def delete_many(context: StorageContext, request: Request) -> Response:
    caller = principal(context, request)
    keys = [object_key(key) for key in (await read_json(request, DeleteRequest)).prefixes]
    removed = await remove(context, caller, bucket_of(request), keys)
    return JSONResponse([object_json(one) for one in removed])


async def move_one(context: StorageContext, request: Request) -> Response:
    caller = principal(context, request)
    await move(context, caller, *_ends(await read_json(request, MoveRequest)))
    return JSONResponse({"message": "Successfully moved"})


async def copy_one(context: StorageContext, request: Request) -> Response:
    caller = principal(context, request)
    asked = await read_json(request, CopyRequest)
    source, target = _ends(asked)
    given, changes = metadata_header(request.headers.get("x-metadata")), asked.metadata or CopyMetadata()

    def said(original: StoredObject) -> ObjectProperties:
        return ObjectProperties(
            changes.mimetype or original.content_type,
            changes.cache_control or original.cache_control,
            original.user_metadata if given is None and asked.copy_metadata else given,
        )

    copied = await copy(context, caller, source, target, upsert=wants_upsert(request), said=said)
    return JSONResponse({"Id": str(copied.id), "Key": str(target), **object_json(copied)})


async def purge_cache(context: StorageContext, request: Request) -> Response:
    """Nothing of ours stands between us and the reader, so there is nothing to purge; that it exists is checked."""
    caller = principal(context, request)
    if caller.role != SERVICE.role:
        raise ServiceRoleRequired
    await find(context, caller, place(request))
    return JSONResponse({"message": "success"})


def _ends(asked: MoveRequest) -> tuple[ObjectPath, ObjectPath]:
    source = ObjectPath(bucket_name(asked.bucket), object_key(asked.source))
    return source, ObjectPath(bucket_name(asked.target_bucket or asked.bucket), object_key(asked.target))
