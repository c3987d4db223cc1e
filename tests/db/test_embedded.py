import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import asyncpg
import pytest

from cairn.db import EmbeddedPostgres
from cairn.db.errors import ClusterOfOtherVersion
from tests.waiting import PATIENCE_SECONDS

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


@pytest.mark.accept("OPS-37")
def test_a_cluster_of_another_major_version_is_refused_with_advice(tmp_path: Path) -> None:
    version = tmp_path / "postgres" / "PG_VERSION"
    version.parent.mkdir()
    version.write_text("17\n")

    with pytest.raises(ClusterOfOtherVersion) as refused, EmbeddedPostgres(tmp_path).running():
        pass

    assert "made by PostgreSQL 17, and this Cairn contains PostgreSQL 18" in str(refused.value)
    assert "cairn backup" in str(refused.value)
    assert [file.name for file in version.parent.iterdir()] == ["PG_VERSION"], "nothing is changed"


@pytest.mark.accept("OPS-38")
async def test_an_operator_can_change_the_settings_of_the_server(tmp_path: Path) -> None:
    postgres = EmbeddedPostgres(tmp_path)
    with postgres.running():
        connection = await asyncpg.connect(postgres.url())
        await connection.execute("alter system set shared_buffers = '64MB'")
        await connection.execute("alter system set max_connections = 150")
        settings = await memory_and_connections(connection)
        await connection.close()

    with postgres.running():
        connection = await asyncpg.connect(postgres.url())
        changed_settings = await memory_and_connections(connection)
        await connection.close()

    assert settings == ("128MB", "200")
    assert changed_settings == ("64MB", "150")


async def memory_and_connections(connection: "asyncpg.Connection[asyncpg.Record]") -> tuple[str, str]:
    return await connection.fetchval("show shared_buffers"), await connection.fetchval("show max_connections")


async def start_second_process(postgres: EmbeddedPostgres) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-c", SECOND_PROCESS, str(postgres.data)]
    second = await asyncio.to_thread(
        subprocess.Popen, command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert second.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
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
