"""Queries on resumable uploads and their received parts. Only the service may access these tables."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from cairn.db import Connection, delete_old_rows
from cairn.kit import frozen_dataclass
from cairn.storage.model import ObjectPath

_COLUMNS = """id, bucket_id, name, owner_id, upsert, sealed, content_type, cache_control, user_metadata, length,
              received, finished_at, expires_at"""


@frozen_dataclass
class Upload:
    id: UUID
    bucket_id: str
    name: str
    owner_id: str | None
    upsert: bool
    sealed: bool
    content_type: str
    cache_control: str
    user_metadata: dict[str, Any] | None
    length: int | None
    received: int
    finished_at: datetime | None
    expires_at: datetime

    @property
    def path(self) -> ObjectPath:
        return ObjectPath(self.bucket_id, self.name)

    @property
    def owner(self) -> UUID | None:
        return UUID(self.owner_id) if self.owner_id else None

    @property
    def is_complete(self) -> bool:
        return self.length is not None and self.received == self.length


@frozen_dataclass
class Part:
    start: int
    size: int
    version: UUID


async def add_upload(connection: Connection, path: ObjectPath, fields: dict[str, Any]) -> Upload:
    columns = ("owner_id", "upsert", "sealed", "content_type", "cache_control", "length", "expires_at")
    metadata = fields["user_metadata"]
    row = await connection.fetchrow(
        f"""
        insert into storage.uploads (bucket_id, name, user_metadata, {", ".join(columns)})
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        returning {_COLUMNS}
        """,
        path.bucket,
        path.key,
        None if metadata is None else json.dumps(metadata),
        *(fields[column] for column in columns),
    )
    assert row is not None, "an insert without conflict returns its row"
    return Upload(**{**row, "user_metadata": metadata})


async def upload_by_id(connection: Connection, upload_id: UUID) -> Upload | None:
    row = await connection.fetchrow(f"select {_COLUMNS} from storage.uploads where id = $1", upload_id)
    if row is None:
        return None
    metadata = row["user_metadata"]
    return Upload(**{**row, "user_metadata": None if metadata is None else json.loads(metadata)})


async def set_length(connection: Connection, upload_id: UUID, length: int) -> None:
    await connection.execute(
        "update storage.uploads set length = $2 where id = $1 and length is null and received <= $2", upload_id, length
    )


async def append_parts(connection: Connection, upload_id: UUID, parts: Sequence[Part]) -> bool:
    """Appends all parts. Returns False if another request has continued, finished or shortened the upload meanwhile."""
    status = await connection.execute(
        """
        update storage.uploads
           set received = $3
         where id = $1 and received = $2 and finished_at is null and (length is null or length >= $3)
        """,
        upload_id,
        parts[0].start,
        parts[-1].start + parts[-1].size,
    )
    if status != "UPDATE 1":
        return False
    await connection.executemany(
        "insert into storage.upload_parts (upload_id, start, size, version) values ($1, $2, $3, $4)",
        [(upload_id, part.start, part.size, part.version) for part in parts],
    )
    return True


async def parts_of(connection: Connection, upload_id: UUID) -> list[Part]:
    rows = await connection.fetch(
        "select start, size, version from storage.upload_parts where upload_id = $1 order by start", upload_id
    )
    return [Part(**row) for row in rows]


async def finish_upload(connection: Connection, upload_id: UUID) -> bool:
    """Deletes the parts and keeps the upload until it expires. Returns False if another request finished it first."""
    status = await connection.execute(
        "update storage.uploads set finished_at = now() where id = $1 and finished_at is null", upload_id
    )
    await connection.execute("delete from storage.upload_parts where upload_id = $1", upload_id)
    return status == "UPDATE 1"


async def remove_upload(connection: Connection, upload_id: UUID) -> None:
    """A finished upload stays until it expires, so that clients learn that it has finished."""
    await connection.execute("delete from storage.uploads where id = $1 and finished_at is null", upload_id)


DELETE_EXPIRED = delete_old_rows("storage.uploads", "expires_at")
