"""Lists the objects of a bucket that the caller may see: one folder, or all objects with a prefix."""

import json
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from cairn.db import Connection
from cairn.kit import frozen_dataclass

SORTABLE_COLUMNS = ("name", "created_at", "updated_at", "last_accessed_at")


@frozen_dataclass
class Entry:
    """A file, or a folder if `id` is None."""

    name: str
    id: UUID | None
    created_at: datetime
    updated_at: datetime
    last_accessed_at: datetime
    metadata: dict[str, Any] | None


async def list_by_offset(
    connection: Connection,
    bucket: str,
    folder: str,
    *,
    search: str,
    sort_column: str,
    descending: bool,
    limit: int,
    offset: int,
) -> list[Entry]:
    """Returns folders before files. Each name is relative to `folder`, which is empty or ends with a slash."""
    assert sort_column in SORTABLE_COLUMNS
    rows = await connection.fetch(
        f"""
        with below as (
            select id, substr(name, length($2) + 1) as relative_name, created_at, updated_at, last_accessed_at, metadata
              from storage.objects
             where bucket_id = $1 and name ^@ $2
        ), entries as (
            select id, relative_name as name, created_at, updated_at, last_accessed_at, metadata
              from below
             where position('/' in relative_name) = 0
             union all
            select null, split_part(relative_name, '/', 1), min(created_at), max(updated_at), max(last_accessed_at),
                   null
              from below
             where position('/' in relative_name) > 0
             group by 2
        )
        select id, name, created_at, updated_at, last_accessed_at, metadata
          from entries
         where lower(name) ^@ lower($3)
         order by id is not null, {sort_column} {"desc" if descending else "asc"}, name
         limit $4 offset $5
        """,
        bucket,
        folder,
        search,
        limit,
        offset,
    )
    return [_entry(row) for row in rows]


async def list_by_cursor(
    connection: Connection,
    bucket: str,
    prefix: str,
    *,
    group_folders: bool,
    sort_column: str,
    descending: bool,
    after: tuple[str, str] | None,
    limit: int,
) -> list[Entry]:
    """Returns full names. Folder names end with a slash.

    `after` is the sort value and the name of the last entry on the previous page.
    """
    assert sort_column in SORTABLE_COLUMNS
    sort_type = "text" if sort_column == "name" else "timestamptz"
    rows = await connection.fetch(
        f"""
        with below as (
            select id, name, created_at, updated_at, last_accessed_at, metadata,
                   position('/' in substr(name, length($2) + 1)) as slash_position
              from storage.objects
             where bucket_id = $1 and name ^@ $2
        ), entries as (
            select id, name, created_at, updated_at, last_accessed_at, metadata
              from below
             where slash_position = 0 or not $3
             union all
            select null, left(name, length($2) + slash_position), min(created_at), max(updated_at),
                   max(last_accessed_at), null
              from below
             where slash_position > 0 and $3
             group by 2
        )
        select id, name, created_at, updated_at, last_accessed_at, metadata
          from entries
         where $4::text is null or ({sort_column}, name) {"<" if descending else ">"} ($4::{sort_type}, $5::text)
         order by {sort_column} {"desc" if descending else "asc"}, name {"desc" if descending else "asc"}
         limit $6
        """,
        bucket,
        prefix,
        group_folders,
        *(after or (None, None)),
        limit,
    )
    return [_entry(row) for row in rows]


def _entry(row: "asyncpg.Record") -> Entry:
    return Entry(**{**row, "metadata": None if row["metadata"] is None else json.loads(row["metadata"])})
