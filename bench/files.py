"""A large file in and out: what the server holds of it meanwhile."""

import time
from collections.abc import AsyncIterator

import httpx

from bench.memory import at_rest, megabytes
from bench.row import Row
from bench.server import Server

SIZE = 100 * 1024 * 1024
PIECE = bytes(1024 * 1024)
PATH = "/storage/v1/object/bench-files/large.bin"


async def measure(server: Server) -> Row:
    keys = {"apikey": server.service_key, "Authorization": f"Bearer {server.service_key}"}
    async with httpx.AsyncClient(base_url=server.url, headers=keys, timeout=120) as client:
        bucket = {"id": "bench-files", "name": "bench-files", "public": False, "file_size_limit": SIZE}
        (await client.post("/storage/v1/bucket", json=bucket)).raise_for_status()
        before, began = at_rest(server), time.perf_counter()
        sent = {"Content-Length": str(SIZE), "Content-Type": "application/octet-stream"}
        (await client.post(PATH, content=_pieces(), headers=sent)).raise_for_status()
        uploaded = time.perf_counter()
        async with client.stream("GET", PATH) as answer:
            received = 0
            async for piece in answer.aiter_raw():
                received += len(piece)
        downloaded = time.perf_counter()
    if received != SIZE:
        raise SystemExit(f"error: of {SIZE} bytes {received} came back")
    more = megabytes(server, "VmHWM") - before
    facts = f"100 MB up in {uploaded - began:.1f} s, down in {downloaded - uploaded:.1f}"
    return Row("a file of 100 MB, up and down", more, 32, "MB more", facts, less_is_better=True)


async def _pieces() -> AsyncIterator[bytes]:
    for _ in range(SIZE // len(PIECE)):
        yield PIECE
