import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import asyncpg
import pytest

from cairn.db import EmbeddedPostgres

# A second Cairn process on the same data folder: says when it is in, and leaves when it is told to.
VISITOR = """
import pathlib, sys
from cairn.db import EmbeddedPostgres

with EmbeddedPostgres(pathlib.Path(sys.argv[1])).running():
    print("in", flush=True)
    sys.stdin.read()
"""


async def test_the_last_to_leave_stops_it(tmp_path: Path) -> None:
    postgres = EmbeddedPostgres(tmp_path / "data")
    with postgres.running():
        visitor = await visit(postgres)
        visitor.communicate()
        assert await answers(postgres)

    assert not await answers(postgres)


async def test_a_killed_user_neither_stops_it_nor_keeps_it_running(tmp_path: Path) -> None:
    postgres = EmbeddedPostgres(tmp_path / "data")
    with postgres.running():
        visitor = await visit(postgres)
        visitor.send_signal(signal.SIGKILL)
        visitor.communicate()
        assert await answers(postgres)

    assert not await answers(postgres)


@pytest.mark.parametrize("folder", ["short", "with a blank", "/".join(["deep" * 10] * 4)])
async def test_folders_of_any_length_work(tmp_path: Path, folder: str) -> None:
    postgres = EmbeddedPostgres(tmp_path / folder)

    with postgres.running():
        assert await answers(postgres)


async def test_no_folder_on_the_way_is_opened_to_others(tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir(mode=0o700)

    with EmbeddedPostgres(private / "data").running():
        assert private.stat().st_mode & 0o777 == 0o700


async def visit(postgres: EmbeddedPostgres) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-c", VISITOR, str(postgres.data)]
    visitor = await asyncio.to_thread(
        subprocess.Popen, command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert visitor.stdout is not None
    try:
        async with asyncio.timeout(30):
            assert await asyncio.to_thread(visitor.stdout.readline) == b"in\n"
    except TimeoutError:
        visitor.kill()  # or the thread that reads from it would wait for ever
        raise
    return visitor


async def answers(postgres: EmbeddedPostgres) -> bool:
    try:
        connection = await asyncpg.connect(postgres.url())
    except (FileNotFoundError, ConnectionError):
        return False
    await connection.close()
    return True
