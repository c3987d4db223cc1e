"""`cairn serve --processes N` runs N server processes on one port, with one worker and one PostgreSQL."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import httpx
import pytest

from tests.faults.test_supervision import get, is_ready, sign_and_wait_for_document, wait_until
from tests.serving import RunningServer, free_port, run_cairn, serving


@pytest.mark.accept("OPS-40")
async def test_two_processes_serve_one_port_and_a_killed_one_is_started_again(tmp_path: Path) -> None:
    with serving(tmp_path, processes=2) as server:
        await wait_until(lambda: is_ready(server))
        await wait_until(lambda: len(server.server_pids) == 2)
        first, second = server.server_pids
        worker = server.worker_pid

        await wait_until(lambda: responds_without(first, server))
        await wait_until(lambda: responds_without(second, server))
        os.kill(first, signal.SIGKILL)
        statuses = [get(server, "/health/live").status_code for _ in range(20)]
        await wait_until(lambda: len(set(server.server_pids) - {first}) == 2)
        assert await sign_and_wait_for_document(server) is not None

        assert statuses == [200] * 20, "the other process goes on"
        assert second in server.server_pids
        assert server.worker_pid == worker, "all processes share one worker"
        assert server.interrupt() == 0
    with pytest.raises(OSError, match="No such file|refused"):
        await asyncpg.connect(server.db_url)
    assert not is_running(worker)
    assert not is_running(second)


@pytest.mark.accept("OPS-40")
async def test_the_processes_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    with serving(tmp_path, processes=2) as server:
        await wait_until(lambda: is_ready(server))
        await wait_until(lambda: len(server.server_pids) == 2)
        processes = server.server_pids
        server.kill()
        await wait_until(lambda: not any(map(is_running, processes)))

        with pytest.raises(httpx.ConnectError):
            get(server, "/health/live")


async def test_each_process_has_a_port_for_its_metrics(tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path, processes=2, settings={"CAIRN_METRICS__PORT": str(port)}):
        for number in (0, 1):
            await wait_until(lambda number=number: has_metrics(port + number))  # type: ignore[misc] # the default is an int


def test_a_port_for_two_kinds_of_metrics_is_reported_in_one_line(tmp_path: Path) -> None:
    settings = {"CAIRN_METRICS__PORT": "9100", "CAIRN_METRICS__WORKER_PORT": "9101"}

    result = run_cairn("serve", "--processes", "2", "--data", tmp_path, **settings)

    [line] = result.stderr.splitlines()
    assert line.startswith("cairn: CAIRN_METRICS__WORKER_PORT cannot be used: ")


def test_a_wrong_number_of_processes_is_reported_in_one_line(tmp_path: Path) -> None:
    [line] = run_cairn("serve", "--processes", "0", "--data", tmp_path).stderr.splitlines()

    assert line.startswith("cairn: CAIRN_PROCESSES cannot be used: ")


def responds_without(process: int, server: RunningServer) -> bool:
    """Returns whether the server responds while this process is stopped, because another one accepts the connection."""
    with stopped(process):
        try:
            return httpx.get(f"{server.url}/health/live", timeout=2).status_code == 200
        except httpx.TransportError:
            return False


@contextmanager
def stopped(process: int) -> Iterator[None]:
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def has_metrics(port: int) -> bool:
    try:
        return "cairn_request_duration_seconds" in httpx.get(f"http://127.0.0.1:{port}/metrics").text
    except httpx.TransportError:
        return False
