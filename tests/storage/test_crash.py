"""The real server survives a kill during uploads, a full disk, and large files."""

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
from tests.waiting import PATIENCE_SECONDS

MEGABYTE = b"0123456789abcdef" * 65536
SETTINGS = {"CAIRN_STORAGE__FILE_SIZE_LIMIT": str(200 * 1024 * 1024)}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RunningServer]:
    with serving(tmp_path, worker=False, settings=SETTINGS) as server:
        yield server


def http_client(server: RunningServer) -> httpx.AsyncClient:
    headers = {"apikey": server.service_key, "Authorization": f"Bearer {server.service_key}"}
    return httpx.AsyncClient(base_url=f"{server.url}/storage/v1", headers=headers, timeout=60)


async def create_buckets(server: RunningServer) -> None:
    connection = await asyncpg.connect(server.db_url)
    await connection.execute(
        "insert into storage.buckets (id, name, sealed) values ('plain', 'plain', false), ('sealed', 'sealed', true)"
    )
    await connection.close()


async def megabytes(count: int, pause_seconds: float = 0) -> AsyncIterator[bytes]:
    for _ in range(count):
        yield MEGABYTE
        await asyncio.sleep(pause_seconds)


async def upload(http: httpx.AsyncClient, path: str, content: AsyncIterator[bytes]) -> bool:
    try:
        return (await http.post(f"/object/{path}", content=content)).status_code == 200
    except httpx.TransportError:
        return False


async def test_a_server_killed_during_uploads_keeps_only_complete_files(tmp_path: Path) -> None:
    with serving(tmp_path, worker=False, settings=SETTINGS) as server:
        await create_buckets(server)
        async with http_client(server) as http:
            fast_results = [await upload(http, f"plain/fast-{number}", megabytes(1)) for number in range(3)]
            slow_uploads = [
                asyncio.create_task(upload(http, f"{bucket}/slow-{number}", megabytes(150, 0.05)))
                for bucket in ("plain", "sealed")
                for number in range(3)
            ]
            await wait_for_drafts(tmp_path / "storage", 6)
            server.kill()
            slow_results = [await task for task in slow_uploads]
    assert (fast_results, slow_results) == ([True] * 3, [False] * 6), "the server was killed in the middle"

    with serving(tmp_path, worker=False, settings=SETTINGS) as restarted_server:
        async with http_client(restarted_server) as http:
            plain_entries = (await http.post("/object/list/plain", json={"prefix": ""})).json()
            sealed_entries = (await http.post("/object/list/sealed", json={"prefix": ""})).json()
            are_complete = [(await http.get(f"/object/plain/fast-{number}")).content == MEGABYTE for number in range(3)]
            retry_result = await upload(http, "plain/slow-0", megabytes(30))
        assert [entry["name"] for entry in plain_entries] == [f"fast-{number}" for number in range(3)]
        assert sealed_entries == []
        assert (are_complete, retry_result) == ([True] * 3, True)
        connection = await asyncpg.connect(restarted_server.db_url)
        await connection.execute("update storage.blobs set started_at = now() - interval '25 hours'")
        blob_count = await connection.fetchval("select count(*) from storage.blobs")
        await connection.close()
    assert blob_count == 10, "every started upload has a row: three fast uploads, six that were killed, and one retry"

    # A worker sweeps when it starts.
    with serving(tmp_path, settings=SETTINGS) as server:
        await wait_until_swept(server, 4)
        assert len(files_in(tmp_path / "storage")) == 4


async def wait_for_drafts(folder: Path, count: int) -> None:
    """Waits until this many files are being written. Until a file is complete, its name contains `#`."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while sum("#" in path.name for path in files_in(folder)) < count:  # noqa: ASYNC110 - another process writes them
            await asyncio.sleep(0.01)


async def wait_until_swept(server: RunningServer, expected_count: int) -> None:
    connection = await asyncpg.connect(server.db_url)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await connection.fetchval("select count(*) from storage.blobs") != expected_count:  # noqa: ASYNC110 - polls from outside
            await asyncio.sleep(0.1)
    await connection.close()


async def test_a_full_disk_stores_nothing_and_is_reported(server: RunningServer, tmp_path: Path) -> None:
    """Simulates a full disk: at first the server process cannot write files larger than 3 MB."""
    await create_buckets(server)
    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    async with http_client(server) as http:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (3_000_000, resource.RLIM_INFINITY))
        rejection = await http.post("/object/plain/a", content=megabytes(12))
        small_result = await upload(http, "plain/small", megabytes(1))
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, unlimited)
        download = await http.get("/object/plain/a")
        retry_result = await upload(http, "plain/a", megabytes(12))

    assert rejection.status_code == 500
    assert rejection.json()["message"] == "There is no space left for this file. Nothing was stored."
    assert download.json()["code"] == "NoSuchKey"
    assert (small_result, retry_result) == (True, True)
    assert len(files_in(tmp_path / "storage")) == 2


@pytest.mark.slow
@pytest.mark.parametrize("bucket", ["plain", "sealed"])
async def test_a_large_file_is_streamed_and_not_held_in_memory(server: RunningServer, bucket: str) -> None:
    await create_buckets(server)
    async with http_client(server) as http:
        # The first upload and the first download import code, which needs memory of its own.
        await upload(http, f"{bucket}/warm", megabytes(12))
        await http.get(f"/object/{bucket}/warm")
        megabytes_before = peak_megabytes(server)
        assert await upload(http, f"{bucket}/large", megabytes(100))
        received_bytes = 0
        async with http.stream("GET", f"/object/{bucket}/large") as response:
            async for chunk in response.aiter_bytes():
                received_bytes += len(chunk)
        megabytes_after = peak_megabytes(server)

    assert received_bytes == 100 * len(MEGABYTE)
    growth_megabytes = megabytes_after - megabytes_before
    assert growth_megabytes < 25, f"the server grew by {growth_megabytes:.0f} MB"


def peak_megabytes(server: RunningServer) -> float:
    match = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{server.process.pid}/status").read_text())
    assert match is not None
    return int(match[1]) / 1024
