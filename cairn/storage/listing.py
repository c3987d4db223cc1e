"""`/object/list`: what is in a bucket, in the old shape (one level, by offset) and the newer one (by cursor)."""

import base64
import binascii
import json
import unicodedata
from datetime import datetime

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cairn.storage.context import StorageContext
from cairn.storage.errors import InvalidRequest
from cairn.storage.model import iso
from cairn.storage.request import bucket_of, principal
from cairn.storage.store import listing as store
from cairn.storage.store.listing import Entry
from cairn.storage.wire import ListPageRequest, ListRequest, SortBy, read_json

_MOST = 1500


async def list_level(context: StorageContext, request: Request) -> Response:
    caller = principal(context, request)
    asked = await read_json(request, ListRequest)
    sort = asked.sort_by or SortBy()
    folder, search = _folder(asked.prefix, asked.search or "")
    async with context.database.acting_as(caller, read_only=True) as connection:
        entries = await store.one_level(
            connection,
            bucket_of(request),
            folder,
            search=search,
            sort=sort.column,
            descending=sort.order == "desc",
            limit=min(asked.limit, _MOST),
            offset=asked.offset,
        )
    return JSONResponse([_entry_json(entry) for entry in entries])


async def list_page(context: StorageContext, request: Request) -> Response:
    caller = principal(context, request)
    asked = await read_json(request, ListPageRequest)
    sort = asked.sort_by or SortBy()
    async with context.database.acting_as(caller, read_only=True) as connection:
        entries = await store.page(
            connection,
            bucket_of(request),
            _storable(asked.prefix).lstrip("/"),
            delimited=asked.with_delimiter,
            sort=sort.column,
            descending=sort.order == "desc",
            after=_after(asked.cursor, sort.column),
            limit=asked.limit + 1,
        )
    shown = entries[: asked.limit]
    answer = {
        "hasNext": len(entries) > asked.limit,
        "folders": [{"key": one.name.rstrip("/"), "name": one.name} for one in shown if one.id is None],
        "objects": [{"key": one.name, **_entry_json(one)} for one in shown if one.id is not None],
    }
    if answer["hasNext"]:
        answer["nextCursor"] = _cursor(shown[-1], sort.column)
    return JSONResponse(answer)


def _folder(prefix: str, search: str) -> tuple[str, str]:
    """A search may itself name folders; only its last part is looked for."""
    *folders, last = f"{_storable(prefix).strip('/')}/{_storable(search)}".split("/")
    path = "/".join(part for part in folders if part)
    return f"{path}/" if path else "", last


def _storable(text: str) -> str:
    return unicodedata.normalize("NFC", text).replace("\x00", "").encode(errors="replace").decode()


def _entry_json(entry: Entry) -> dict[str, object]:
    if entry.id is None:
        nothing = ("id", "updated_at", "created_at", "last_accessed_at", "metadata")
        return {"name": entry.name, **dict.fromkeys(nothing)}
    return {
        "name": entry.name,
        "id": str(entry.id),
        "updated_at": iso(entry.updated_at),
        "created_at": iso(entry.created_at),
        "last_accessed_at": iso(entry.last_accessed_at),
        "metadata": entry.metadata,
    }


def _cursor(last: Entry, column: str) -> str:
    value = getattr(last, column)
    place = [value.isoformat() if isinstance(value, datetime) else value, last.name]
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode()


def _after(cursor: str | None, column: str) -> tuple[str, str] | None:
    if not cursor:
        return None
    try:
        value, name = json.loads(base64.urlsafe_b64decode(cursor))
        if column != "name":
            datetime.fromisoformat(value)
        return _storable(value), _storable(name)
    except (binascii.Error, ValueError, TypeError, AttributeError) as error:
        raise InvalidRequest(reason="This cursor was not made by a listing with the same order") from error
