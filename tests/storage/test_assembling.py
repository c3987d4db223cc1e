"""10A5: a complete upload that cannot become an object is not copied again for each request about it.

10A5 is a finding in docs/security.md.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from cairn.storage import BlobStore
from cairn.storage.errors import WriteFailed
from tests.storage.client import StorageClient, files_in
from tests.storage.test_resumable import TUS_HEADERS, send_bytes, start_upload


@pytest.fixture
def written_sizes(blob_store: BlobStore, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Records the size of each blob that is written."""
    sizes: list[int] = []
    write = blob_store.write

    async def write_and_record(version: Any, stream: AsyncIterator[bytes], **options: Any) -> Any:
        blob = await write(version, stream, **options)
        sizes.append(blob.size)
        return blob

    monkeypatch.setattr(blob_store, "write", write_and_record)
    return sizes


async def test_10a5_an_upload_whose_name_was_taken_meanwhile_ends_and_is_copied_only_once(
    storage: StorageClient, photos: str, folder: Path, written_sizes: list[int]
) -> None:
    url = (await start_upload(storage, photos, "a", 8)).headers["location"]
    await storage.put(f"{photos}/a", b"other")
    refused = await send_bytes(storage, url, 0, b"somemore")
    written_sizes.clear()

    requests = [
        *[await storage.request("HEAD", url, headers=TUS_HEADERS) for _ in range(3)],
        await send_bytes(storage, url, 8, b""),
    ]

    assert refused.status_code == 409
    assert [response.status_code for response in requests] == [404] * 4
    assert written_sizes == []
    assert (await storage.read(f"{photos}/a")).content == b"other"
    assert len(files_in(folder)) == 1, "the parts were removed"


async def test_10a5_an_upload_is_assembled_by_one_request_at_a_time(
    storage: StorageClient, blob_store: BlobStore, photos: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = (await start_upload(storage, photos, "a", 8)).headers["location"]
    await send_bytes(storage, url, 0, b"some")
    write, begun, may_go_on = blob_store.write, asyncio.Event(), asyncio.Event()

    async def write_slowly(version: Any, stream: AsyncIterator[bytes], *, sealed: bool) -> Any:
        blob = await write(version, stream, sealed=sealed)
        if blob.size == 8:
            begun.set()
            await may_go_on.wait()
        return blob

    monkeypatch.setattr(blob_store, "write", write_slowly)
    last_part = asyncio.create_task(send_bytes(storage, url, 4, b"more"))
    await begun.wait()
    monkeypatch.setattr(blob_store, "write", None)

    meanwhile = await storage.request("HEAD", url, headers=TUS_HEADERS)
    may_go_on.set()

    assert meanwhile.status_code == 423
    assert (await last_part).status_code == 204
    assert (await storage.request("HEAD", url, headers=TUS_HEADERS)).status_code == 410
    assert (await storage.read(f"{photos}/a")).content == b"somemore"


async def test_a_request_retries_to_assemble_an_upload_if_the_server_has_failed(
    storage: StorageClient, blob_store: BlobStore, photos: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = (await start_upload(storage, photos, "a", 8)).headers["location"]
    await send_bytes(storage, url, 0, b"some")
    write = blob_store.write

    async def fail_for_the_whole(version: Any, stream: AsyncIterator[bytes], *, sealed: bool) -> Any:
        blob = await write(version, stream, sealed=sealed)
        if blob.size == 8:
            raise WriteFailed
        return blob

    monkeypatch.setattr(blob_store, "write", fail_for_the_whole)
    assert (await send_bytes(storage, url, 4, b"more")).status_code == 500
    monkeypatch.setattr(blob_store, "write", write)

    retried = await storage.request("HEAD", url, headers=TUS_HEADERS)

    assert (retried.status_code, retried.headers["upload-offset"]) == (200, "8")
    assert (await storage.read(f"{photos}/a")).content == b"somemore"
