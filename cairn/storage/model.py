"""The data classes of this package."""

import re
from datetime import datetime
from typing import Any
from uuid import UUID

from cairn.kit import frozen_dataclass
from cairn.storage.blobs import WrittenBlob

DEFAULT_TYPE = "application/octet-stream"
NO_CACHE = "no-cache"
# A header contains no line breaks, and only characters of Latin-1.
_HEADER_VALUE = re.compile(r"[\t\x20-\x7e\xa0-\xff]+")


@frozen_dataclass
class ObjectPath:
    """The bucket and key of an object, both validated and normalized."""

    bucket: str
    key: str

    def __str__(self) -> str:
        return f"{self.bucket}/{self.key}"


@frozen_dataclass
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

    def max_bytes(self, server_limit: int) -> int:
        return server_limit if self.file_size_limit is None else min(server_limit, self.file_size_limit)


@frozen_dataclass
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
        return _header_value(self.metadata.get("mimetype"), DEFAULT_TYPE)

    @property
    def cache_control(self) -> str:
        return _header_value(self.metadata.get("cacheControl"), NO_CACHE)


def _header_value(value: object, default: str) -> str:
    """Returns what the client chose for a header, or the default if no header can contain it.

    A form, a copy and the metadata of a resumable upload can contain any text.
    """
    text = str(value or "")
    return text if _HEADER_VALUE.fullmatch(text) else default


@frozen_dataclass
class ObjectProperties:
    """The properties of an object that the client chooses."""

    content_type: str
    cache_control: str
    user_metadata: dict[str, Any] | None


def system_metadata(blob: WrittenBlob, properties: ObjectProperties, at: datetime) -> dict[str, Any]:
    """Returns the `metadata` of an object in the shape that clients read."""
    return {
        "eTag": f'"{blob.md5}"',
        "size": blob.size,
        "mimetype": properties.content_type,
        "cacheControl": properties.cache_control,
        "lastModified": iso_timestamp(at),
        "contentLength": blob.size,
        "httpStatusCode": 200,
    }


def iso_timestamp(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
