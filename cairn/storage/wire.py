"""The JSON that comes in and goes out."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request

from cairn.storage.errors import InvalidRequest, TooLarge
from cairn.storage.model import Bucket, StoredObject, iso

_LARGEST_BODY = 1024 * 1024
Order = Literal["asc", "desc"]
Key = Annotated[str, Field(max_length=4096)]


class _Wire(BaseModel):
    model_config = ConfigDict(populate_by_name=True)


class CreateBucketRequest(_Wire):
    name: str
    id: str | None = None
    public: bool = False
    type: Literal["STANDARD"] | None = None
    file_size_limit: int | str | None = Field(None)
    allowed_mime_types: list[str] | None = None


class UpdateBucketRequest(_Wire):
    """What is absent stays; an explicit null clears."""

    public: bool | None = None
    file_size_limit: int | str | None = None
    allowed_mime_types: list[str] | None = None


class MoveRequest(_Wire):
    bucket: str = Field(alias="bucketId")
    source: Key = Field(alias="sourceKey")
    target: Key = Field(alias="destinationKey")
    target_bucket: str | None = Field(None, alias="destinationBucket")


class CopyMetadata(_Wire):
    cache_control: str | None = Field(None, alias="cacheControl")
    mimetype: str | None = None


class CopyRequest(MoveRequest):
    copy_metadata: bool = Field(True, alias="copyMetadata")
    metadata: CopyMetadata | None = None


class DeleteRequest(_Wire):
    prefixes: list[Key] = Field(min_length=1, max_length=1000)


class SignRequest(_Wire):
    expires_in: int = Field(alias="expiresIn", ge=1, le=10**9)
    transform: dict[str, Any] | None = None


class SignManyRequest(_Wire):
    expires_in: int = Field(alias="expiresIn", ge=1, le=10**9)
    paths: list[Key] = Field(min_length=1, max_length=1000)


class SortBy(_Wire):
    column: Literal["name", "updated_at", "created_at", "last_accessed_at"] = "name"
    order: Order = "asc"


class ListRequest(_Wire):
    prefix: str = ""
    limit: int = Field(100, ge=1)
    offset: int = Field(0, ge=0)
    sort_by: SortBy | None = Field(None, alias="sortBy")
    search: str | None = None


class ListPageRequest(_Wire):
    prefix: str = ""
    limit: int = Field(1000, ge=1, le=1000)
    cursor: str | None = None
    with_delimiter: bool = False
    sort_by: SortBy | None = Field(None, alias="sortBy")


_Read = TypeVar("_Read", bound=_Wire)


async def read_json(request: Request, kind: type[_Read]) -> _Read:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LARGEST_BODY:
            raise TooLarge
    try:
        return kind.model_validate_json(bytes(body) or b"{}")
    except ValidationError as error:
        first = error.errors()[0]
        where = "/".join(("body", *(str(part) for part in first["loc"])))
        raise InvalidRequest(reason=f"{where}: {first['msg']}") from error


def bucket_json(bucket: Bucket) -> dict[str, Any]:
    return {
        "id": bucket.id,
        "name": bucket.name,
        "owner": str(bucket.owner or ""),
        "public": bucket.public,
        "file_size_limit": bucket.file_size_limit,
        "allowed_mime_types": bucket.allowed_mime_types,
        "created_at": iso(bucket.created_at),
        "updated_at": iso(bucket.updated_at),
    }


def object_json(found: StoredObject) -> dict[str, Any]:
    return {
        "id": str(found.id),
        "name": found.name,
        "bucket_id": found.bucket_id,
        "owner": None if found.owner is None else str(found.owner),
        "owner_id": found.owner_id,
        "version": str(found.version),
        "created_at": iso(found.created_at),
        "updated_at": iso(found.updated_at),
        "last_accessed_at": iso(found.last_accessed_at),
        "metadata": found.metadata,
        "user_metadata": found.user_metadata,
    }


def info_json(found: StoredObject) -> Mapping[str, Any]:
    return {
        "id": str(found.id),
        "name": found.name,
        "version": str(found.version),
        "bucket_id": found.bucket_id,
        "size": found.size,
        "content_type": found.content_type,
        "cache_control": found.cache_control,
        "etag": found.etag,
        "metadata": found.user_metadata,
        "last_modified": iso(found.updated_at),
        "created_at": iso(found.created_at),
    }
