"""What the tables of this room hold."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

DEFAULT_TYPE = "application/octet-stream"
NO_CACHE = "no-cache"


@dataclass(frozen=True, slots=True)
class ObjectPath:
    """Where an object is: its bucket and its key, both already in their one spelling."""

    bucket: str
    key: str

    def __str__(self) -> str:
        return f"{self.bucket}/{self.key}"


@dataclass(frozen=True, slots=True)
class Bucket:
    id: str
    name: str
    owner: UUID | None
    public: bool
    file_size_limit: int | None
    allowed_mime_types: list[str] | None
    sealed: bool
    created_at: datetime
    updated_at: datetime

    def limit(self, house_limit: int) -> int:
        return house_limit if self.file_size_limit is None else min(house_limit, self.file_size_limit)


@dataclass(frozen=True, slots=True)
class WrittenBlob:
    """Bytes that are on the blob_store, and what was learned while they passed by."""

    version: UUID
    size: int
    md5: str


@dataclass(frozen=True, slots=True)
class StoredObject:
    id: UUID
    name: str
    bucket_id: str
    owner: UUID | None
    owner_id: str | None
    version: UUID
    created_at: datetime
    updated_at: datetime
    last_accessed_at: datetime
    metadata: dict[str, Any]
    user_metadata: dict[str, Any] | None
    sealed: bool

    @property
    def size(self) -> int:
        return int(self.metadata.get("size", 0))

    @property
    def etag(self) -> str:
        return str(self.metadata.get("eTag", ""))

    @property
    def content_type(self) -> str:
        return str(self.metadata.get("mimetype") or DEFAULT_TYPE)

    @property
    def cache_control(self) -> str:
        return str(self.metadata.get("cacheControl") or NO_CACHE)


@dataclass(frozen=True, slots=True)
class ObjectProperties:
    """What the sender says about an object."""

    content_type: str
    cache_control: str
    user_metadata: dict[str, Any] | None


def metadata_of(written: WrittenBlob, said: ObjectProperties, at: datetime) -> dict[str, Any]:
    """The system's own words about an object, in the shape the clients read."""
    return {
        "eTag": f'"{written.md5}"',
        "size": written.size,
        "mimetype": said.content_type,
        "cacheControl": said.cache_control,
        "lastModified": iso(at),
        "contentLength": written.size,
        "httpStatusCode": 200,
    }


def iso(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
