"""Measures how much memory the server needs to receive and send a large file."""

import time
from collections.abc import AsyncIterator

import httpx

from bench.memory import peak_megabytes, reset_peak
from bench.row import Row
from bench.server import Server

FILE_BYTES = 100 * 1024 * 1024
CHUNK = bytes(1024 * 1024)
PATH = "/storage/v1/object/bench-files/large.bin"


async def measure(server: Server) -> Row:
    service_headers = {"apikey": server.service_key, "Authorization": f"Bearer {server.service_key}"}
    async with httpx.AsyncClient(base_url=server.url, headers=service_headers, timeout=120) as client:
        bucket = {"id": "bench-files", "name": "bench-files", "public": False, "file_size_limit": FILE_BYTES}
        (await client.post("/storage/v1/bucket", json=bucket)).raise_for_status()
        memory_before, started_at = reset_peak(server), time.perf_counter()
        headers = {"Content-Length": str(FILE_BYTES), "Content-Type": "application/octet-stream"}
        (await client.post(PATH, content=_chunks(), headers=headers)).raise_for_status()
        uploaded_at = time.perf_counter()
        async with client.stream("GET", PATH) as response:
            received_bytes = 0
            async for chunk in response.aiter_raw():
                received_bytes += len(chunk)
        downloaded_at = time.perf_counter()
    if received_bytes != FILE_BYTES:
        raise SystemExit(f"error: {received_bytes} of {FILE_BYTES} bytes were downloaded")
    growth_megabytes = peak_megabytes(server) - memory_before
    details = f"100 MB up in {uploaded_at - started_at:.1f} s, down in {downloaded_at - uploaded_at:.1f}"
    return Row(
        "a file of 100 MB, up and down", growth_megabytes, goal=32, unit="MB more", details=details, less_is_better=True
    )


async def _chunks() -> AsyncIterator[bytes]:
    for _ in range(FILE_BYTES // len(CHUNK)):
        yield CHUNK
