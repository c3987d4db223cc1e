"""The real server: killed during uploads, with a full disk, and with large files."""

import asyncio
import re
import resource
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
import httpx
import pytest

from tests.serving import RunningServer, serving
from tests.storage.client import files_in

MEGABYTE = b"0123456789abcdef" * 65536
SETTINGS = {"CAIRN_STORAGE__FILE_SIZE_LIMIT": str(200 * 1024 * 1024)}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RunningServer]:
    with serving(tmp_path, settings=SETTINGS) as started:
        yield started


def http_client(server: RunningServer) -> httpx.AsyncClient:
    headers = {"apikey": server.service_key, "Authorization": f"Bearer {server.service_key}"}
    return httpx.AsyncClient(base_url=f"{server.url}/storage/v1", headers=headers, timeout=60)


async def make_buckets(server: RunningServer) -> None:
    connection = await asyncpg.connect(server.db_url)
    await connection.execute(
        "insert into storage.buckets (id, name, sealed) values ('plain', 'plain', false), ('sealed', 'sealed', true)"
    )
    await connection.close()


async def megabytes(count: int, pause: float = 0) -> AsyncIterator[bytes]:
    for _ in range(count):
        yield MEGABYTE
        await asyncio.sleep(pause)


async def upload(http: httpx.AsyncClient, path: str, content: AsyncIterator[bytes]) -> bool:
    try:
        return (await http.post(f"/object/{path}", content=content)).status_code == 200
    except httpx.TransportError:
        return False


async def test_kill_9_in_the_middle_of_uploads(tmp_path: Path) -> None:
    with serving(tmp_path, settings=SETTINGS) as server:
        await make_buckets(server)
        async with http_client(server) as http:
            fast = [await upload(http, f"plain/fast-{number}", megabytes(1)) for number in range(3)]
            slow = [
                asyncio.create_task(upload(http, f"{bucket}/slow-{number}", megabytes(150, 0.05)))
                for bucket in ("plain", "sealed")
                for number in range(3)
            ]
            await drafts_appear(tmp_path / "storage", 6)
            server.kill()
            acknowledged = [await task for task in slow]
    assert (fast, acknowledged) == ([True] * 3, [False] * 6), "killed in the middle"

    with serving(tmp_path, settings=SETTINGS) as again:
        async with http_client(again) as http:
            listed = (await http.post("/object/list/plain", json={"prefix": ""})).json()
            sealed = (await http.post("/object/list/sealed", json={"prefix": ""})).json()
            whole = [(await http.get(f"/object/plain/fast-{number}")).content == MEGABYTE for number in range(3)]
            retried = await upload(http, "plain/slow-0", megabytes(30))
        assert ([entry["name"] for entry in listed], sealed) == ([f"fast-{number}" for number in range(3)], [])
        assert (whole, retried) == ([True] * 3, True)
        connection = await asyncpg.connect(again.db_url)
        await connection.execute("update storage.blobs set started_at = now() - interval '25 hours'")
        left = await connection.fetchval("select count(*) from storage.blobs")
        await connection.close()
    assert left == 10, "every started blob has a row: three fast ones, six that were killed, one retried"

    # A worker sweeps when it starts.
    with serving(tmp_path, settings=SETTINGS) as swept:
        await until_swept(swept, 4)
        assert len(files_in(tmp_path / "storage")) == 4


async def drafts_appear(folder: Path, count: int) -> None:
    async with asyncio.timeout(30):
        while sum("#" in path.name for path in files_in(folder)) < count:  # noqa: ASYNC110 - another process writes them
            await asyncio.sleep(0.01)


async def until_swept(server: RunningServer, expected: int) -> None:
    connection = await asyncpg.connect(server.db_url)
    async with asyncio.timeout(20):
        while await connection.fetchval("select count(*) from storage.blobs") != expected:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
    await connection.close()


async def test_a_full_disk_stores_nothing_and_is_reported(server: RunningServer, tmp_path: Path) -> None:
    """Simulates a full disk: for a while the server process cannot write files larger than 3 MB."""
    await make_buckets(server)
    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    async with http_client(server) as http:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (3_000_000, resource.RLIM_INFINITY))
        refused = await http.post("/object/plain/a", content=megabytes(12))
        fitting = await upload(http, "plain/small", megabytes(1))
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, unlimited)
        missing = await http.get("/object/plain/a")
        recovered = await upload(http, "plain/a", megabytes(12))

    assert refused.status_code == 500
    assert refused.json()["message"] == "There is no space left for this file. Nothing was stored."
    assert missing.json()["code"] == "NoSuchKey"
    assert (fitting, recovered) == (True, True)
    assert len(files_in(tmp_path / "storage")) == 2


@pytest.mark.slow
@pytest.mark.parametrize("bucket", ["plain", "sealed"])
async def test_a_large_file_is_streamed_and_not_held_in_memory(server: RunningServer, bucket: str) -> None:
    await make_buckets(server)
    async with http_client(server) as http:
        # A small upload first, so that everything that is loaded on first use is loaded.
        await upload(http, f"{bucket}/warm", megabytes(12))
        await http.get(f"/object/{bucket}/warm")
        before = peak_megabytes(server)
        assert await upload(http, f"{bucket}/large", megabytes(100))
        received = 0
        async with http.stream("GET", f"/object/{bucket}/large") as response:
            async for chunk in response.aiter_bytes():
                received += len(chunk)
        after = peak_megabytes(server)

    assert received == 100 * len(MEGABYTE)
    assert after - before < 25, f"the server grew from {before:.0f} to {after:.0f} MB"


def peak_megabytes(server: RunningServer) -> float:
    match = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{server.process.pid}/status").read_text())
    assert match is not None
    return int(match[1]) / 1024
