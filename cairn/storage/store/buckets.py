"""Queries on the table of buckets."""

from typing import Any

from cairn.db import Connection
from cairn.storage.model import Bucket

_COLUMNS = "id, name, owner, public, file_size_limit, allowed_mime_types, sealed, created_at, updated_at"
SORTABLE_COLUMNS = ("id", "name", "created_at", "updated_at")


async def bucket_by_id(connection: Connection, bucket_id: str) -> Bucket | None:
    row = await connection.fetchrow(f"select {_COLUMNS} from storage.buckets where id = $1", bucket_id)
    return None if row is None else Bucket(**row)


async def all_buckets(
    connection: Connection, *, search: str, sort_column: str, descending: bool, limit: int | None, offset: int
) -> list[Bucket]:
    assert sort_column in SORTABLE_COLUMNS
    rows = await connection.fetch(
        f"""
        select {_COLUMNS}
          from storage.buckets
         where position(lower($1) in lower(name)) > 0
         order by {sort_column} {"desc" if descending else "asc"}
         limit $2 offset $3
        """,
        search,
        limit,
        offset,
    )
    return [Bucket(**row) for row in rows]


async def add_bucket(
    connection: Connection,
    bucket_id: str,
    *,
    name: str,
    public: bool,
    file_size_limit: int | None,
    allowed_mime_types: list[str] | None,
) -> None:
    await connection.execute(
        """
        insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
        values ($1, $2, $3, $4, $5)
        """,
        bucket_id,
        name,
        public,
        file_size_limit,
        allowed_mime_types,
    )


async def change_bucket(connection: Connection, bucket_id: str, changes: dict[str, Any]) -> bool:
    """Returns False if the bucket does not exist or the caller may not change it."""
    assignments = "".join(f", {column} = ${number}" for number, column in enumerate(changes, start=2))
    # `name = name` makes Postgres check the policy even without changes.
    status = await connection.execute(
        f"update storage.buckets set name = name{assignments} where id = $1", bucket_id, *changes.values()
    )
    return status == "UPDATE 1"


async def remove_bucket(connection: Connection, bucket_id: str) -> bool:
    return await connection.execute("delete from storage.buckets where id = $1", bucket_id) == "DELETE 1"
