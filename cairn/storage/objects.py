"""Handles `/object`: upload, download, info, delete, move and copy."""

from functools import partial

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cairn.db import SERVICE
from cairn.storage.context import StorageContext
from cairn.storage.errors import ServiceRoleRequired
from cairn.storage.keys import valid_bucket_name, valid_key
from cairn.storage.limits import check_header_value
from cairn.storage.model import ObjectPath, ObjectProperties, StoredObject
from cairn.storage.move import copy as copy_object
from cairn.storage.move import move as move_object
from cairn.storage.put import put
from cairn.storage.quota import count_bytes, limited_stream
from cairn.storage.read import find_object, find_public_object, serve, version_headers
from cairn.storage.remove import remove, remove_one
from cairn.storage.request import authenticate, authenticate_if_possible, bucket_of, path_of, wants_upsert
from cairn.storage.upload_body import parse_metadata_header, read_upload_body
from cairn.storage.wire import CopyMetadata, CopyRequest, DeleteRequest, MoveRequest, info_json, object_json, read_json


async def create(context: StorageContext, request: Request) -> Response:
    return await _store(context, request, upsert=wants_upsert(request))


async def replace(context: StorageContext, request: Request) -> Response:
    return await _store(context, request, upsert=True)


async def _store(context: StorageContext, request: Request, *, upsert: bool) -> Response:
    path = path_of(request)
    caller = authenticate(context, request)
    stream = limited_stream(context, request, caller.user_id)
    stored_object = await put(context, caller, path, partial(read_upload_body, request, stream), upsert=upsert)
    return JSONResponse({"Id": str(stored_object.id), "Key": str(path)})


async def get(context: StorageContext, request: Request) -> Response:
    caller, path = authenticate_if_possible(context, request), path_of(request)
    return await serve(context, request, partial(find_object, context, caller, path))


async def get_authenticated(context: StorageContext, request: Request) -> Response:
    caller, path = authenticate(context, request), path_of(request)
    return await serve(context, request, partial(find_object, context, caller, path))


async def get_public(context: StorageContext, request: Request) -> Response:
    return await serve(context, request, partial(find_public_object, context, path_of(request)))


async def info(context: StorageContext, request: Request) -> Response:
    caller = authenticate_if_possible(context, request)
    return _info_response(await find_object(context, caller, path_of(request)))


async def info_authenticated(context: StorageContext, request: Request) -> Response:
    caller = authenticate(context, request)
    return _info_response(await find_object(context, caller, path_of(request)))


async def info_public(context: StorageContext, request: Request) -> Response:
    return _info_response(await find_public_object(context, path_of(request)))


def _info_response(stored_object: StoredObject) -> Response:
    """A client that only needs to know whether an object has changed sends HEAD and compares the ETag."""
    return JSONResponse(info_json(stored_object), headers=version_headers(stored_object))


async def delete(context: StorageContext, request: Request) -> Response:
    await remove_one(context, authenticate(context, request), path_of(request))
    return JSONResponse({"message": "Successfully deleted"})


async def delete_many(context: StorageContext, request: Request) -> Response:
    caller = authenticate(context, request)
    keys = [valid_key(key) for key in (await read_json(request, DeleteRequest)).prefixes]
    removed_objects = await remove(context, caller, bucket_of(request), keys)
    return JSONResponse([object_json(stored_object) for stored_object in removed_objects])


async def move(context: StorageContext, request: Request) -> Response:
    caller = authenticate(context, request)
    source, target = _source_and_target(await read_json(request, MoveRequest))
    count_copied = partial(count_bytes, context, request, caller.user_id)
    await move_object(context, caller, source, target, count_copied=count_copied)
    return JSONResponse({"message": "Successfully moved"})


async def copy(context: StorageContext, request: Request) -> Response:
    caller = authenticate(context, request)
    copy_request = await read_json(request, CopyRequest)
    source, target = _source_and_target(copy_request)
    new_user_metadata = parse_metadata_header(request.headers.get("x-metadata"))
    changes = copy_request.metadata or CopyMetadata()

    def properties_of(original: StoredObject) -> ObjectProperties:
        user_metadata = new_user_metadata
        if user_metadata is None and copy_request.copy_metadata:
            user_metadata = original.user_metadata
        return ObjectProperties(
            changes.mimetype or original.content_type,
            check_header_value(changes.cache_control or original.cache_control),
            user_metadata,
        )

    copied = await copy_object(
        context,
        caller,
        source,
        target,
        upsert=wants_upsert(request),
        properties_of=properties_of,
        count_copied=partial(count_bytes, context, request, caller.user_id),
    )
    return JSONResponse({"Id": str(copied.id), "Key": str(target), **object_json(copied)})


async def purge_cache(context: StorageContext, request: Request) -> Response:
    """Checks only that the object exists. Cairn runs no CDN, so there is no cache to purge."""
    caller = authenticate(context, request)
    if caller.role != SERVICE.role:
        raise ServiceRoleRequired
    await find_object(context, caller, path_of(request))
    return JSONResponse({"message": "success"})


def _source_and_target(request: MoveRequest) -> tuple[ObjectPath, ObjectPath]:
    source = ObjectPath(valid_bucket_name(request.bucket), valid_key(request.source))
    return source, ObjectPath(valid_bucket_name(request.target_bucket or request.bucket), valid_key(request.target))
