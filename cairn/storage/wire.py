"""The JSON bodies of requests and responses."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request

from cairn.kit import first_wrong_field, read_body
from cairn.limits import larger_network_of
from cairn.storage.errors import InvalidRequest, TooLarge
from cairn.storage.limits import MAX_HEADER_LENGTH
from cairn.storage.model import Bucket, StoredObject, iso_timestamp

_MAX_BODY_BYTES = 256 * 1024
"""Enough for the paths of a thousand files. Parsing a body of a megabyte would delay other requests."""

Order = Literal["asc", "desc"]
Key = Annotated[str, Field(max_length=4096)]
# Normalizing a longer prefix takes long, and no key is longer.
Prefix = Annotated[str, Field(max_length=1024)]
# Collecting an error for each of many thousand wrong entries would delay other requests.
Keys = Annotated[list[Key], Field(min_length=1, max_length=1000, fail_fast=True)]
MimeType = Annotated[str, Field(max_length=MAX_HEADER_LENGTH)]
MimeTypes = Annotated[list[MimeType], Field(max_length=100, fail_fast=True)]


class _RequestBody(BaseModel):
    model_config = ConfigDict(populate_by_name=True)


class CreateBucketRequest(_RequestBody):
    name: str
    id: str | None = None
    public: bool = False
    type: Literal["STANDARD"] | None = None
    file_size_limit: int | str | None = Field(None)
    allowed_mime_types: MimeTypes | None = None


class UpdateBucketRequest(_RequestBody):
    """An absent key leaves the value unchanged. null clears it, but has no effect on `public`, which cannot be null."""

    public: bool | None = None
    file_size_limit: int | str | None = None
    allowed_mime_types: MimeTypes | None = None


class MoveRequest(_RequestBody):
    bucket: str = Field(alias="bucketId")
    source: Key = Field(alias="sourceKey")
    target: Key = Field(alias="destinationKey")
    target_bucket: str | None = Field(None, alias="destinationBucket")


class CopyMetadata(_RequestBody):
    cache_control: str | None = Field(None, alias="cacheControl", max_length=MAX_HEADER_LENGTH)
    mimetype: MimeType | None = None


class CopyRequest(MoveRequest):
    copy_metadata: bool = Field(True, alias="copyMetadata")
    metadata: CopyMetadata | None = None


class DeleteRequest(_RequestBody):
    prefixes: Keys


class SignRequest(_RequestBody):
    expires_in: int = Field(alias="expiresIn", ge=1)
    transform: dict[str, Any] | None = None


class SignManyRequest(_RequestBody):
    expires_in: int = Field(alias="expiresIn", ge=1)
    paths: Keys


class SortBy(_RequestBody):
    column: Literal["name", "updated_at", "created_at", "last_accessed_at"] = "name"
    order: Order = "asc"


class ListByOffsetRequest(_RequestBody):
    prefix: Prefix = ""
    limit: int = Field(100, ge=1)
    # PostgreSQL accepts no larger number.
    offset: int = Field(0, ge=0, lt=2**63)
    sort_by: SortBy | None = Field(None, alias="sortBy")
    search: Prefix | None = None


class ListByCursorRequest(_RequestBody):
    prefix: Prefix = ""
    limit: int = Field(1000, ge=1, le=1000)
    cursor: Key | None = None
    with_delimiter: bool = False
    sort_by: SortBy | None = Field(None, alias="sortBy")


_Body = TypeVar("_Body", bound=_RequestBody)


async def read_json(request: Request, body_type: type[_Body]) -> _Body:
    sender = larger_network_of(request.client and request.client.host)
    body = await read_body(request.receive, max_bytes=_MAX_BODY_BYTES, sender=sender, too_large=TooLarge())
    try:
        return body_type.model_validate_json(body or b"{}")
    except ValidationError as error:
        wrong = first_wrong_field(error)
        location = "/".join(("body", *map(str, wrong.location)))
        raise InvalidRequest(reason=f"{location}: {wrong.reason}") from error


def bucket_json(bucket: Bucket) -> dict[str, Any]:
    return {
        "id": bucket.id,
        "name": bucket.name,
        "owner": str(bucket.owner or ""),
        "public": bucket.public,
        "file_size_limit": bucket.file_size_limit,
        "allowed_mime_types": bucket.allowed_mime_types,
        "created_at": iso_timestamp(bucket.created_at),
        "updated_at": iso_timestamp(bucket.updated_at),
    }


def object_json(stored_object: StoredObject) -> dict[str, Any]:
    return {
        "id": str(stored_object.id),
        "name": stored_object.name,
        "bucket_id": stored_object.bucket_id,
        "owner": None if stored_object.owner is None else str(stored_object.owner),
        "owner_id": stored_object.owner_id,
        "version": str(stored_object.version),
        "created_at": iso_timestamp(stored_object.created_at),
        "updated_at": iso_timestamp(stored_object.updated_at),
        "last_accessed_at": iso_timestamp(stored_object.last_accessed_at),
        "metadata": stored_object.metadata,
        "user_metadata": stored_object.user_metadata,
    }


def info_json(stored_object: StoredObject) -> Mapping[str, Any]:
    return {
        "id": str(stored_object.id),
        "name": stored_object.name,
        "version": str(stored_object.version),
        "bucket_id": stored_object.bucket_id,
        "size": stored_object.size,
        "content_type": stored_object.content_type,
        "cache_control": stored_object.cache_control,
        "etag": stored_object.etag,
        "metadata": stored_object.user_metadata or {},
        "last_modified": iso_timestamp(stored_object.updated_at),
        "created_at": iso_timestamp(stored_object.created_at),
    }
