import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import asyncpg
import pytest

from cairn.db import EmbeddedPostgres

# This program shares the data folder. It prints a line when PostgreSQL is running, and ends when its input is closed.
SECOND_PROCESS = """
import pathlib, sys
from cairn.db import EmbeddedPostgres

with EmbeddedPostgres(pathlib.Path(sys.argv[1])).running():
    print("running", flush=True)
    sys.stdin.read()
"""


async def test_the_last_process_stops_the_server(tmp_path: Path) -> None:
    postgres = EmbeddedPostgres(tmp_path / "data")
    with postgres.running():
        second = await start_second_process(postgres)
        second.communicate()
        assert await is_running(postgres)

    assert not await is_running(postgres)


async def test_a_killed_process_neither_stops_the_server_nor_keeps_it_running(tmp_path: Path) -> None:
    postgres = EmbeddedPostgres(tmp_path / "data")
    with postgres.running():
        second = await start_second_process(postgres)
        second.send_signal(signal.SIGKILL)
        second.communicate()
        assert await is_running(postgres)

    assert not await is_running(postgres)


@pytest.mark.parametrize("folder", ["short", "with a space", "/".join(["deep" * 10] * 4)])
async def test_the_data_folder_may_have_a_long_path_or_a_space(tmp_path: Path, folder: str) -> None:
    postgres = EmbeddedPostgres(tmp_path / folder)

    with postgres.running():
        assert await is_running(postgres)


async def test_parent_folders_stay_inaccessible_to_other_users(tmp_path: Path) -> None:
    private_folder = tmp_path / "private"
    private_folder.mkdir(mode=0o700)

    with EmbeddedPostgres(private_folder / "data").running():
        assert private_folder.stat().st_mode & 0o777 == 0o700


async def start_second_process(postgres: EmbeddedPostgres) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-c", SECOND_PROCESS, str(postgres.data)]
    second = await asyncio.to_thread(
        subprocess.Popen, command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert second.stdout is not None
    try:
        async with asyncio.timeout(30):
            assert await asyncio.to_thread(second.stdout.readline) == b"running\n"
    except TimeoutError:
        second.kill()  # otherwise the thread that reads from it would wait forever
        raise
    return second


async def is_running(postgres: EmbeddedPostgres) -> bool:
    try:
        connection = await asyncpg.connect(postgres.url())
    except (FileNotFoundError, ConnectionError):
        return False
    await connection.close()
    return True
