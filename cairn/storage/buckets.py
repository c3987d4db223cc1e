"""`/bucket`: who may is asked of the policies on the table of buckets; without one, that is the service alone."""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cairn.storage.context import StorageContext
from cairn.storage.error_responses import translated
from cairn.storage.errors import AlreadyExists, BucketAlreadyExists, InvalidRequest, NoSuchBucket
from cairn.storage.keys import bucket_name
from cairn.storage.limits import byte_count
from cairn.storage.remove import empty
from cairn.storage.request import bucket_of, principal
from cairn.storage.store import buckets as store
from cairn.storage.wire import CreateBucketRequest, UpdateBucketRequest, bucket_json, read_json


async def list_buckets(context: StorageContext, request: Request) -> Response:
    asked = request.query_params
    sort = asked.get("sortColumn", "name")
    if sort not in store.SORTABLE:
        raise InvalidRequest(reason=f"Buckets cannot be sorted by {sort}")
    async with context.database.acting_as(principal(context, request), read_only=True) as connection:
        found = await store.all_buckets(
            connection,
            search=asked.get("search", ""),
            sort=sort,
            descending=asked.get("sortOrder") == "desc",
            limit=_number(asked.get("limit")),
            offset=_number(asked.get("offset")) or 0,
        )
    return JSONResponse([{**bucket_json(bucket), "type": "STANDARD"} for bucket in found])


async def get_bucket(context: StorageContext, request: Request) -> Response:
    async with context.database.acting_as(principal(context, request), read_only=True) as connection:
        bucket = await store.bucket_by_id(connection, bucket_of(request))
    if bucket is None:
        raise NoSuchBucket
    return JSONResponse(bucket_json(bucket))


async def create_bucket(context: StorageContext, request: Request) -> Response:
    caller = principal(context, request)
    asked = await read_json(request, CreateBucketRequest)
    bucket_id = bucket_name(asked.id or asked.name)
    try:
        async with context.database.acting_as(caller) as connection:
            with translated():
                await store.add_bucket(
                    connection,
                    bucket_id,
                    name=bucket_name(asked.name),
                    public=asked.public,
                    limit=byte_count(asked.file_size_limit),
                    types=asked.allowed_mime_types,
                )
    except AlreadyExists as taken:
        raise BucketAlreadyExists from taken
    return JSONResponse({"name": bucket_id})


async def update_bucket(context: StorageContext, request: Request) -> Response:
    caller = principal(context, request)
    changes = _changes(await read_json(request, UpdateBucketRequest))
    async with context.database.acting_as(caller) as connection:
        with translated():
            if not await store.change_bucket(connection, bucket_of(request), changes):
                raise NoSuchBucket
    return JSONResponse({"message": "Successfully updated"})


async def empty_bucket(context: StorageContext, request: Request) -> Response:
    caller, bucket_id = principal(context, request), bucket_of(request)
    async with context.database.acting_as(caller, read_only=True) as connection:
        if await store.bucket_by_id(connection, bucket_id) is None:
            raise NoSuchBucket
    await empty(context, caller, bucket_id)
    return JSONResponse({"message": "Successfully emptied"})


async def delete_bucket(context: StorageContext, request: Request) -> Response:
    async with context.database.acting_as(principal(context, request)) as connection:
        with translated():
            if not await store.remove_bucket(connection, bucket_of(request)):
                raise NoSuchBucket
    return JSONResponse({"message": "Successfully deleted"})


def _changes(asked: UpdateBucketRequest) -> dict[str, Any]:
    changes = asked.model_dump(exclude_unset=True)
    if changes.get("public", False) is None:
        del changes["public"]
    if "file_size_limit" in changes:
        changes["file_size_limit"] = byte_count(asked.file_size_limit)
    return changes


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isdecimal() or len(text) > 9:
        raise InvalidRequest(reason="limit and offset are numbers")
    return int(text)
