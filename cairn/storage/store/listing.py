"""Lists the objects of a bucket that the caller may see, one folder or everything."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from cairn.db import Connection

SORTABLE = ("name", "created_at", "updated_at", "last_accessed_at")


@dataclass(frozen=True, slots=True)
class Entry:
    """A file, or a folder if `id` is None."""

    name: str
    id: UUID | None
    created_at: datetime
    updated_at: datetime
    last_accessed_at: datetime
    metadata: dict[str, Any] | None


async def list_folder(
    connection: Connection,
    bucket: str,
    folder: str,
    *,
    search: str,
    sort: str,
    descending: bool,
    limit: int,
    offset: int,
) -> list[Entry]:
    """Returns folders before files, by the last segment of their name. `folder` is empty or ends with a slash."""
    assert sort in SORTABLE
    rows = await connection.fetch(
        f"""
        with below as (
            select id, substr(name, length($2) + 1) as rest, created_at, updated_at, last_accessed_at, metadata
              from storage.objects
             where bucket_id = $1 and name ^@ $2
        ), level as (
            select id, rest as name, created_at, updated_at, last_accessed_at, metadata
              from below
             where position('/' in rest) = 0
             union all
            select null, split_part(rest, '/', 1), min(created_at), max(updated_at), max(last_accessed_at), null
              from below
             where position('/' in rest) > 0
             group by 2
        )
        select id, name, created_at, updated_at, last_accessed_at, metadata
          from level
         where lower(name) ^@ lower($3)
         order by id is not null, {sort} {"desc" if descending else "asc"}, name
         limit $4 offset $5
        """,
        bucket,
        folder,
        search,
        limit,
        offset,
    )
    return [_entry(row) for row in rows]


async def list_page(
    connection: Connection,
    bucket: str,
    prefix: str,
    *,
    delimited: bool,
    sort: str,
    descending: bool,
    after: tuple[str, str] | None,
    limit: int,
) -> list[Entry]:
    """Returns full names, starting after the last entry of the previous page. Folder names end with a slash."""
    assert sort in SORTABLE
    sort_type = "text" if sort == "name" else "timestamptz"
    rows = await connection.fetch(
        f"""
        with below as (
            select id, name, created_at, updated_at, last_accessed_at, metadata,
                   position('/' in substr(name, length($2) + 1)) as slash
              from storage.objects
             where bucket_id = $1 and name ^@ $2
        ), entries as (
            select id, name, created_at, updated_at, last_accessed_at, metadata
              from below
             where slash = 0 or not $3
             union all
            select null, left(name, length($2) + slash), min(created_at), max(updated_at), max(last_accessed_at), null
              from below
             where slash > 0 and $3
             group by 2
        )
        select id, name, created_at, updated_at, last_accessed_at, metadata
          from entries
         where $4::text is null or ({sort}, name) {"<" if descending else ">"} ($4::{sort_type}, $5::text)
         order by {sort} {"desc" if descending else "asc"}, name {"desc" if descending else "asc"}
         limit $6
        """,
        bucket,
        prefix,
        delimited,
        *(after or (None, None)),
        limit,
    )
    return [_entry(row) for row in rows]


def _entry(row: "asyncpg.Record") -> Entry:
    return Entry(**{**row, "metadata": None if row["metadata"] is None else json.loads(row["metadata"])})
