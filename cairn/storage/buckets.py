"""Handles `/bucket`. Policies decide who has access to buckets; without a policy, only the service role does."""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cairn.storage.context import StorageContext
from cairn.storage.errors import AlreadyExists, BucketAlreadyExists, InvalidRequest, NoSuchBucket
from cairn.storage.keys import valid_bucket_name
from cairn.storage.limits import parse_size
from cairn.storage.postgres_errors import translate_postgres_errors
from cairn.storage.remove import empty
from cairn.storage.request import authenticate, bucket_of
from cairn.storage.store import buckets as store
from cairn.storage.wire import CreateBucketRequest, UpdateBucketRequest, bucket_json, read_json

# A number with this many digits always fits into a Postgres integer.
_MAX_DIGITS = 9


async def list_buckets(context: StorageContext, request: Request) -> Response:
    parameters = request.query_params
    sort_column = parameters.get("sortColumn", "name")
    if sort_column not in store.SORTABLE_COLUMNS:
        raise InvalidRequest(reason=f"Buckets cannot be sorted by {sort_column}")
    async with context.database.acting_as(authenticate(context, request), read_only=True) as connection:
        buckets = await store.all_buckets(
            connection,
            search=parameters.get("search", ""),
            sort_column=sort_column,
            descending=parameters.get("sortOrder") == "desc",
            limit=_parse_number(parameters.get("limit")),
            offset=_parse_number(parameters.get("offset")) or 0,
        )
    return JSONResponse([{**bucket_json(bucket), "type": "STANDARD"} for bucket in buckets])


async def get_bucket(context: StorageContext, request: Request) -> Response:
    async with context.database.acting_as(authenticate(context, request), read_only=True) as connection:
        bucket = await store.bucket_by_id(connection, bucket_of(request))
    if bucket is None:
        raise NoSuchBucket
    return JSONResponse(bucket_json(bucket))


async def create_bucket(context: StorageContext, request: Request) -> Response:
    caller = authenticate(context, request)
    new_bucket = await read_json(request, CreateBucketRequest)
    bucket_id = valid_bucket_name(new_bucket.id or new_bucket.name)
    try:
        async with context.database.acting_as(caller) as connection:
            with translate_postgres_errors():
                await store.add_bucket(
                    connection,
                    bucket_id,
                    name=valid_bucket_name(new_bucket.name),
                    public=new_bucket.public,
                    file_size_limit=parse_size(new_bucket.file_size_limit),
                    allowed_mime_types=new_bucket.allowed_mime_types,
                )
    except AlreadyExists as error:
        raise BucketAlreadyExists from error
    return JSONResponse({"name": bucket_id})


async def update_bucket(context: StorageContext, request: Request) -> Response:
    caller = authenticate(context, request)
    changes = _changed_columns(await read_json(request, UpdateBucketRequest))
    async with context.database.acting_as(caller) as connection:
        with translate_postgres_errors():
            if not await store.change_bucket(connection, bucket_of(request), changes):
                raise NoSuchBucket
    return JSONResponse({"message": "Successfully updated"})


async def empty_bucket(context: StorageContext, request: Request) -> Response:
    caller, bucket_id = authenticate(context, request), bucket_of(request)
    async with context.database.acting_as(caller, read_only=True) as connection:
        if await store.bucket_by_id(connection, bucket_id) is None:
            raise NoSuchBucket
    await empty(context, caller, bucket_id)
    # Clients compare this text. The files are deleted already, but the reference says that it deletes them later.
    return JSONResponse({"message": "Empty bucket has been queued. Completion may take up to an hour."})


async def delete_bucket(context: StorageContext, request: Request) -> Response:
    async with context.database.acting_as(authenticate(context, request)) as connection:
        with translate_postgres_errors():
            if not await store.remove_bucket(connection, bucket_of(request)):
                raise NoSuchBucket
    return JSONResponse({"message": "Successfully deleted"})


def _changed_columns(update: UpdateBucketRequest) -> dict[str, Any]:
    changes = update.model_dump(exclude_unset=True)
    if update.public is None:
        # The column cannot be null, so null leaves it unchanged.
        changes.pop("public", None)
    if "file_size_limit" in changes:
        changes["file_size_limit"] = parse_size(update.file_size_limit)
    return changes


def _parse_number(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isdecimal() or len(text) > _MAX_DIGITS:
        raise InvalidRequest(reason="limit and offset are numbers")
    return int(text)
