"""Responds to `/health/live` and `/health/ready`. `cairn doctor` reports the same checks in more words.

Live means that the process responds. Ready means that everything it needs for its work is available.
"""

import asyncio
import logging
import time
from collections.abc import Mapping

from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from cairn.db import SERVICE, Database, has_current_schema, is_connection_lost, is_read_only
from cairn.jobs import is_worker_running, outbox_delay_seconds
from cairn.kit import Problem
from cairn.shutdown import Shutdown
from cairn.storage import BlobStore

log = logging.getLogger(__name__)

HEALTH_PATH = "/health"
OK = "ok"
NO_WORKER = "no worker is running"
OTHER_SCHEMA = "not the schema of this version"
_STOPPING = "is about to stop"
_UNREACHABLE = "cannot be reached"
_QUEUE_LATE = "events have been waiting for a worker for more than two minutes"
_READ_ONLY = "read-only"
_UNKNOWN = "not known, because the database cannot be reached"
_NOT_WRITABLE = "files cannot be stored"
_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
# Anyone can request these URLs. A result is reused for this long, so that many requests cause no more work than one.
_REUSE_SECONDS = 2.0
_TIMEOUT_SECONDS = 10.0
# A worker reads events within a second. Jobs are not counted: one company may have many, which wait for each other.
_MAX_QUEUE_SECONDS = 120.0


class Health:
    def __init__(self, database: Database, blob_store: BlobStore, shutdown: Shutdown) -> None:
        self._database = database
        self._blob_store = blob_store
        self._shutdown = shutdown
        self._lock = asyncio.Lock()
        self._checks: Mapping[str, str] = {}
        self._checked_at = -_REUSE_SECONDS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise RuntimeError(f"the health service does not serve {scope['type']}")
        response = await self._respond(scope["method"], scope["path"].removeprefix(HEALTH_PATH))
        await response(scope, receive, send)

    async def _respond(self, method: str, path: str) -> Response:
        if path not in ("/live", "/ready"):
            return PlainTextResponse("Not found", 404, _HEADERS)
        if method not in ("GET", "HEAD"):
            return PlainTextResponse("Method not allowed", 405, {**_HEADERS, "Allow": "GET, HEAD"})
        if path == "/live":
            return JSONResponse({"status": OK}, headers=_HEADERS)
        checks = {"server": _STOPPING} if self._shutdown.is_announced else await self._recent_checks()
        is_ready = all(outcome == OK for outcome in checks.values())
        body = {"status": OK if is_ready else "failing", "checks": checks}
        return JSONResponse(body, 200 if is_ready else 503, _HEADERS)

    async def _recent_checks(self) -> Mapping[str, str]:
        async with self._lock:
            if time.monotonic() - self._checked_at >= _REUSE_SECONDS:
                self._checks = {
                    **await check_database(self._database),
                    "files": await check_files(self._blob_store),
                }
                self._checked_at = time.monotonic()
            return self._checks


async def check_database(database: Database) -> dict[str, str]:
    try:
        async with asyncio.timeout(_TIMEOUT_SECONDS), database.acting_as(SERVICE, read_only=True) as connection:
            has_schema = await has_current_schema(connection)
            has_worker = has_schema and await is_worker_running(connection)
            is_late = has_schema and await outbox_delay_seconds(connection) > _MAX_QUEUE_SECONDS
            return {
                "database": _READ_ONLY if await is_read_only(connection) else OK,
                "schema": OK if has_schema else OTHER_SCHEMA,
                "worker": OK if has_worker else NO_WORKER,
                "queue": _QUEUE_LATE if is_late else OK,
            }
    except Exception as error:
        if not is_connection_lost(error):
            log.exception("checking the database failed")
        return {"database": _UNREACHABLE, "schema": _UNKNOWN, "worker": _UNKNOWN, "queue": _UNKNOWN}


async def check_files(blob_store: BlobStore) -> str:
    try:
        async with asyncio.timeout(_TIMEOUT_SECONDS):
            await blob_store.check()
    except (Problem, TimeoutError):
        return _NOT_WRITABLE
    return OK
