"""Serves one indexed select per request: `python -m bench.bare_handler PORT DB_URL`."""

import json
import sys
from uuid import UUID

import asyncpg
import uvicorn
from starlette.types import Receive, Scope, Send

SELECT_USER = "select id::text, email, created_at::text from auth.users where id = $1"


class BareHandler:
    def __init__(self, db_url: str) -> None:
        self._db_url = db_url
        self._pool: asyncpg.Pool[asyncpg.Record] | None = None

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        if self._pool is None:
            self._pool = await asyncpg.create_pool(self._db_url, min_size=1, max_size=8)
        row = await self._pool.fetchrow(SELECT_USER, UUID(scope["path"][1:]))
        body = json.dumps(dict(row or {})).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


if __name__ == "__main__":
    uvicorn.run(BareHandler(sys.argv[2]), port=int(sys.argv[1]), log_config=None, access_log=False, lifespan="off")
