"""17A1: slow uploads do not fill the memory. What has arrived is on the disk, except for a limited part.

17A1 is a finding in docs/security.md.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import httpx
import pytest

from cairn.db import Connection
from tests.people import Person
from tests.storage.client import StorageClient, error_of
from tests.storage.test_quota import bytes_on_disk
from tests.storage.test_resumable import send_bytes, start_upload

CHUNK_BYTES = 64 * 1024
UPLOAD_BYTES = 2 * 1024 * 1024
# The share of one network, and what is too small to be counted.
MAX_MEMORY_BYTES = 30 * 1024 * 1024


async def wait_until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 - the condition is about files
            await asyncio.sleep(0.05)


def unnamed_files(folder: Path) -> list[Path]:
    """Returns the open files of this process that are in the folder and have no name. They can be read."""
    links = [(file, str(file.readlink())) for file in Path("/proc/self/fd").iterdir() if file.is_symlink()]
    return [file for file, target in links if target.startswith(f"{folder}/") and target.endswith(" (deleted)")]


class SlowBodies:
    """Bodies of requests, each of which sends all its bytes at once and then waits before it ends."""

    def __init__(self, byte_count: int) -> None:
        self.waiting_count = 0
        self.may_end = asyncio.Event()
        self._byte_count = byte_count

    async def body(self) -> AsyncIterator[bytes]:
        for _ in range(self._byte_count // CHUNK_BYTES):
            yield b"x" * CHUNK_BYTES
        self.waiting_count += 1
        await self.may_end.wait()
        yield b"end"


async def test_17a1_the_bytes_of_an_upload_reach_the_disk_while_it_arrives(
    storage: StorageClient, photos: str, folder: Path
) -> None:
    async def slow_body() -> AsyncIterator[bytes]:
        for _ in range(UPLOAD_BYTES // CHUNK_BYTES):
            yield b"x" * CHUNK_BYTES
        await wait_until(lambda: bytes_on_disk(folder) >= UPLOAD_BYTES // 2)
        yield b"end"

    response = await storage.request("POST", f"/object/{photos}/a", content=slow_body())

    assert response.status_code == 200
    assert (await storage.read(f"{photos}/a")).content == b"x" * UPLOAD_BYTES + b"end"


@pytest.mark.parametrize("sealed", [False, True])
async def test_17a1_slow_uploads_wait_on_the_disk_once_they_hold_the_memory_of_their_network(
    storage: StorageClient, tmp_path: Path, admin: Connection, sealed: bool
) -> None:
    """Each upload holds a part of 256 KiB, and a network may hold 16 MiB. No upload is refused."""
    await admin.execute("insert into storage.buckets (id, name, sealed) values ('scans', 'scans', $1)", sealed)
    slow = SlowBodies(5 * CHUNK_BYTES)

    async def upload(number: int) -> httpx.Response:
        return await storage.request("POST", f"/object/scans/{number}", content=slow.body())

    uploads = [asyncio.create_task(upload(number)) for number in range(80)]
    await wait_until(lambda: slow.waiting_count == len(uploads))
    contents = [file.read_bytes() for file in unnamed_files(tmp_path)]
    slow.may_end.set()
    responses = await asyncio.gather(*uploads)

    assert len(uploads) - 64 <= len(contents) < len(uploads)
    assert any(b"x" * 100 in content for content in contents) is not sealed, "a sealed file never has plaintext"
    assert {response.status_code for response in responses} == {200}
    assert unnamed_files(tmp_path) == []
    downloaded = [await storage.read(f"scans/{number}") for number in (0, 79)]
    assert {response.content for response in downloaded} == {b"x" * 5 * CHUNK_BYTES + b"end"}


async def test_17a1_slow_resumable_uploads_of_a_network_use_a_limited_part_of_the_memory(
    storage: StorageClient, photos: str, mallory: Person, folder: Path
) -> None:
    slow = SlowBodies(UPLOAD_BYTES)

    async def upload(number: int) -> httpx.Response:
        started = await start_upload(storage, photos, f"{mallory.id}/{number}", UPLOAD_BYTES + 3, who="mallory")
        return await send_bytes(storage, started.headers["location"], 0, slow.body(), who="mallory")

    uploads = [asyncio.create_task(upload(number)) for number in range(20)]
    await wait_until(lambda: slow.waiting_count == len(uploads))
    stored_bytes = bytes_on_disk(folder)
    slow.may_end.set()
    responses = await asyncio.gather(*uploads)

    assert stored_bytes >= len(uploads) * UPLOAD_BYTES - MAX_MEMORY_BYTES
    assert {response.status_code for response in responses} == {204}
    downloaded = await storage.read(f"{photos}/{mallory.id}/0", who="mallory")
    assert downloaded.content == b"x" * UPLOAD_BYTES + b"end"


async def test_17a1_the_fields_before_a_file_are_short(storage: StorageClient, photos: str) -> None:
    response = await storage.request(
        "POST", f"/object/{photos}/a", data={"note": "x" * 20_000}, files={"": ("blob", b"a raft", "text/plain")}
    )

    assert error_of(response) == ("413", "EntityTooLarge")
