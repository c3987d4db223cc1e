"""The memory of the server while a large file is uploaded and downloaded."""

import time
from collections.abc import AsyncIterator

import httpx

from bench.memory import peak, reset_peak
from bench.row import Row
from bench.server import Server

SIZE = 100 * 1024 * 1024
CHUNK = bytes(1024 * 1024)
PATH = "/storage/v1/object/bench-files/large.bin"


async def measure(server: Server) -> Row:
    keys = {"apikey": server.service_key, "Authorization": f"Bearer {server.service_key}"}
    async with httpx.AsyncClient(base_url=server.url, headers=keys, timeout=120) as client:
        bucket = {"id": "bench-files", "name": "bench-files", "public": False, "file_size_limit": SIZE}
        (await client.post("/storage/v1/bucket", json=bucket)).raise_for_status()
        before, began = reset_peak(server), time.perf_counter()
        headers = {"Content-Length": str(SIZE), "Content-Type": "application/octet-stream"}
        (await client.post(PATH, content=_chunks(), headers=headers)).raise_for_status()
        uploaded = time.perf_counter()
        async with client.stream("GET", PATH) as response:
            received = 0
            async for chunk in response.aiter_raw():
                received += len(chunk)
        downloaded = time.perf_counter()
    if received != SIZE:
        raise SystemExit(f"error: {received} of {SIZE} bytes were downloaded")
    growth = peak(server) - before
    details = f"100 MB up in {uploaded - began:.1f} s, down in {downloaded - uploaded:.1f}"
    return Row("a file of 100 MB, up and down", growth, 32, "MB more", details, less_is_better=True)


async def _chunks() -> AsyncIterator[bytes]:
    for _ in range(SIZE // len(CHUNK)):
        yield CHUNK
