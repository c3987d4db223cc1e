"""Of several concurrent writes one succeeds, and no reader sees mixed content."""

import asyncio
from pathlib import Path

from cairn.db import SERVICE, Database
from tests.storage.client import StorageClient, files_in


async def test_only_one_of_several_concurrent_uploads_succeeds(
    storage: StorageClient, photos: str, folder: Path, database: Database
) -> None:
    contents = [bytes([65 + number]) * 300_000 for number in range(6)]

    responses = await asyncio.gather(*(storage.put(f"{photos}/a", content) for content in contents))

    succeeded = [response.status_code == 200 for response in responses]
    assert succeeded.count(True) == 1
    assert {response.json()["statusCode"] for response in responses if response.status_code != 200} == {"409"}
    assert (await storage.read(f"{photos}/a")).content == contents[succeeded.index(True)]
    assert len(files_in(folder)) == 1
    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select count(*) from storage.blobs") == 1


async def test_a_reader_sees_the_old_or_the_new_content_and_never_mixed_content(
    storage: StorageClient, photos: str, folder: Path
) -> None:
    contents = {bytes([65 + number]) * 400_000 for number in range(6)}
    await storage.put(f"{photos}/a", min(contents))

    async def replace() -> None:
        for content in contents:
            response = await storage.request("PUT", f"/object/{photos}/a", content=content)
            assert response.status_code == 200, response.text

    async def read() -> set[bytes]:
        responses = [await storage.read(f"{photos}/a") for _ in range(12)]
        assert {response.status_code for response in responses} == {200}
        return {response.content for response in responses}

    _, *seen_contents = await asyncio.gather(replace(), read(), read())

    assert set().union(*seen_contents) <= contents
    assert len(files_in(folder)) == 1


async def test_only_one_of_several_concurrent_deletions_succeeds(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/a")

    deleted_objects = await asyncio.gather(
        *(storage.fetch("DELETE", f"/object/{photos}", json={"prefixes": ["a"]}) for _ in range(5))
    )

    assert sorted(map(len, deleted_objects)) == [0, 0, 0, 0, 1]
