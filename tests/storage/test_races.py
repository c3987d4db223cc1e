"""Several at once: one wins, nobody sees a mixture."""

import asyncio
from pathlib import Path

from cairn.db import SERVICE, Database
from tests.storage.visitor import Visitor, files_in


async def test_of_many_uploads_to_one_path_one_wins(
    visitor: Visitor, photos: str, folder: Path, database: Database
) -> None:
    contents = [bytes([65 + number]) * 300_000 for number in range(6)]

    answers = await asyncio.gather(*(visitor.put(f"{photos}/a", content) for content in contents))

    won = [answer.status_code == 200 for answer in answers]
    assert won.count(True) == 1
    assert {answer.json()["statusCode"] for answer in answers if answer.status_code != 200} == {"409"}
    assert (await visitor.read(f"{photos}/a")).content == contents[won.index(True)]
    assert len(files_in(folder)) == 1
    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select count(*) from storage.blobs") == 1


async def test_a_reader_sees_the_old_or_the_new_and_never_a_mixture(
    visitor: Visitor, photos: str, folder: Path
) -> None:
    contents = {bytes([65 + number]) * 400_000 for number in range(6)}
    await visitor.put(f"{photos}/a", min(contents))

    async def replace() -> None:
        for content in contents:
            answer = await visitor.ask("PUT", f"/object/{photos}/a", content=content)
            assert answer.status_code == 200, answer.text

    async def read() -> set[bytes]:
        answers = [await visitor.read(f"{photos}/a") for _ in range(12)]
        assert {answer.status_code for answer in answers} == {200}
        return {answer.content for answer in answers}

    _, *seen = await asyncio.gather(replace(), read(), read())

    assert set().union(*seen) <= contents
    assert len(files_in(folder)) == 1


async def test_of_many_deletions_one_deletes(visitor: Visitor, photos: str) -> None:
    await visitor.put(f"{photos}/a")

    gone = await asyncio.gather(
        *(visitor.ok("DELETE", f"/object/{photos}", json={"prefixes": ["a"]}) for _ in range(5))
    )

    assert sorted(map(len, gone)) == [0, 0, 0, 0, 1]
