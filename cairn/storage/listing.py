"""Handles `/object/list` (one folder, paged by offset) and `/object/list-v2` (paged by cursor)."""

import base64
import binascii
import json
import unicodedata
from datetime import datetime

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cairn.kit import parse_json
from cairn.storage.context import StorageContext
from cairn.storage.errors import InvalidRequest
from cairn.storage.model import iso_timestamp
from cairn.storage.request import authenticate, bucket_of
from cairn.storage.store import listing as store
from cairn.storage.store.listing import Entry
from cairn.storage.wire import ListByCursorRequest, ListByOffsetRequest, SortBy, read_json

_MAX_LIMIT = 1500


async def list_by_offset(context: StorageContext, request: Request) -> Response:
    caller = authenticate(context, request)
    query = await read_json(request, ListByOffsetRequest)
    sort = query.sort_by or SortBy()
    folder, search = _folder_and_search(query.prefix, query.search or "")
    async with context.database.acting_as(caller, read_only=True) as connection:
        entries = await store.list_by_offset(
            connection,
            bucket_of(request),
            folder,
            search=search,
            sort_column=sort.column,
            descending=sort.order == "desc",
            limit=min(query.limit, _MAX_LIMIT),
            offset=query.offset,
        )
    return JSONResponse([_entry_json(entry) for entry in entries])


async def list_by_cursor(context: StorageContext, request: Request) -> Response:
    caller = authenticate(context, request)
    query = await read_json(request, ListByCursorRequest)
    sort = query.sort_by or SortBy()
    async with context.database.acting_as(caller, read_only=True) as connection:
        entries = await store.list_by_cursor(
            connection,
            bucket_of(request),
            _normalize(query.prefix).lstrip("/"),
            group_folders=query.with_delimiter,
            sort_column=sort.column,
            descending=sort.order == "desc",
            after=_parse_cursor(query.cursor, sort.column),
            limit=query.limit + 1,
        )
    page_entries = entries[: query.limit]
    page = {
        "hasNext": len(entries) > query.limit,
        "folders": [{"key": entry.name.rstrip("/"), "name": entry.name} for entry in page_entries if entry.id is None],
        "objects": [{"key": entry.name, **_entry_json(entry)} for entry in page_entries if entry.id is not None],
    }
    if page["hasNext"]:
        page["nextCursor"] = _encode_cursor(page_entries[-1], sort.column)
    return JSONResponse(page)


def _folder_and_search(prefix: str, search: str) -> tuple[str, str]:
    """Returns the folder to list and the prefix to search for. The search term itself may contain folders."""
    *folders, last = f"{_normalize(prefix).strip('/')}/{_normalize(search)}".split("/")
    path = "/".join(part for part in folders if part)
    return f"{path}/" if path else "", last


def _normalize(text: str) -> str:
    return unicodedata.normalize("NFC", text).replace("\x00", "").encode(errors="replace").decode()


def _entry_json(entry: Entry) -> dict[str, object]:
    if entry.id is None:
        null_fields = ("id", "updated_at", "created_at", "last_accessed_at", "metadata")
        return {"name": entry.name, **dict.fromkeys(null_fields)}
    return {
        "name": entry.name,
        "id": str(entry.id),
        "updated_at": iso_timestamp(entry.updated_at),
        "created_at": iso_timestamp(entry.created_at),
        "last_accessed_at": iso_timestamp(entry.last_accessed_at),
        "metadata": entry.metadata,
    }


def _encode_cursor(last: Entry, column: str) -> str:
    value = getattr(last, column)
    position = [value.isoformat() if isinstance(value, datetime) else value, last.name]
    return base64.urlsafe_b64encode(json.dumps(position).encode()).decode()


def _parse_cursor(cursor: str | None, column: str) -> tuple[str, str] | None:
    if not cursor:
        return None
    try:
        value, name = parse_json(base64.urlsafe_b64decode(cursor))
        if column != "name":
            datetime.fromisoformat(value)
        return _normalize(value), _normalize(name)
    except (binascii.Error, ValueError, TypeError, AttributeError) as error:
        raise InvalidRequest(reason="This cursor was not made by a listing with the same order") from error
