"""Searches everything that is stored: all tables of the database, and all files."""

import asyncio
from pathlib import Path

from tests.db.schema_dump import dump_everything


async def expect_all_stored(texts: list[str], admin_url: str) -> None:
    dump = await asyncio.to_thread(dump_everything, admin_url)
    assert [text for text in texts if text not in dump] == []


async def expect_none_stored(texts: list[str], admin_url: str) -> None:
    dump = await asyncio.to_thread(dump_everything, admin_url)
    assert [line for line in dump.splitlines() if any(text in line for text in texts)] == []


def stored_files_with(content: bytes, data_folder: Path) -> list[Path]:
    files = (path for path in (data_folder / "storage").rglob("*") if path.is_file())
    return [path for path in files if content in path.read_bytes()]
