"""H2, M4: `cairn serve` restarts its worker and its PostgreSQL, and `/health/ready` and the doctor report failures.

H2 and M4 are findings in docs/security.md.
"""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID

import asyncpg
import httpx
import pytest

from cairn.kit import default_ssl_context
from tests.faults.test_kill import open_sessions, sign_session
from tests.seals import operator_pkcs12
from tests.serving import RunningServer, run_cairn, serving
from tests.waiting import PATIENCE_SECONDS

pytestmark = pytest.mark.xdist_group("supervised server")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Starts one server for several tests, because it survives their faults, and starting a server takes long."""
    with serving(tmp_path_factory.mktemp("supervised")) as server:
        yield server


@pytest.mark.accept("SAFE-32")
async def test_h2_a_killed_worker_is_started_again(server: RunningServer) -> None:
    await wait_until(lambda: is_ready(server))
    killed_worker = server.worker_pid

    os.kill(killed_worker, signal.SIGKILL)
    document = await sign_and_wait_for_document(server)

    await wait_until(lambda: is_ready(server))
    assert document is not None
    assert server.worker_pid != killed_worker


async def test_h2_the_worker_goes_on_after_an_orderly_restart_of_postgres(server: RunningServer) -> None:
    await wait_until(lambda: is_ready(server))
    worker = server.worker_pid

    killed_postgres = signal_postgres(server.data, signal.SIGINT)
    await wait_until(lambda: is_another_postgres_ready(server.data, killed_postgres))
    await wait_until(lambda: is_ready(server))
    document = await sign_and_wait_for_document(server)
    doctor = run_cairn("doctor", "--data", server.data)

    assert server.worker_pid == worker, "the worker reconnects and need not be restarted"
    assert document is not None
    assert (doctor.returncode, "FAIL" in doctor.stdout) == (0, False), doctor.stdout


@pytest.mark.accept("SAFE-32")
async def test_m4_a_killed_postgres_is_started_again(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        await wait_until(lambda: is_ready(server))

        killed_postgres = signal_postgres(tmp_path, signal.SIGKILL)
        live_response = get(server, "/health/live")
        await wait_until(lambda: is_another_postgres_ready(tmp_path, killed_postgres))
        await wait_until(lambda: is_ready(server))

        assert await sign_and_wait_for_document(server) is not None
        assert server.interrupt() == 0
    assert live_response.status_code == 200
    assert not (tmp_path / "postgres" / "postmaster.pid").exists(), "the restarted PostgreSQL is stopped at the end"


async def test_h2_a_worker_with_a_junk_seal_reports_it_and_continues_when_it_is_repaired(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    key, key_file = operator_pkcs12(b"secret"), tmp_path / "operator.p12"
    key_file.write_bytes(key)
    settings = {"CAIRN_DOCUMENTS__SEAL_PKCS12": str(key_file), "CAIRN_DOCUMENTS__SEAL_PASSWORD": "secret"}
    with serving(tmp_path, settings=settings) as server:
        await wait_until(lambda: is_ready(server))
        key_file.write_bytes(b"junk")
        os.kill(server.worker_pid, signal.SIGKILL)
        waiver_id = await sign(server)
        failure = await wait_for_value(
            server, "select error from waivers.document_failures where waiver_id = $1", waiver_id
        )
        doctor = run_cairn("doctor", "--data", tmp_path, **settings)
        refused_start = run_cairn("serve", "--data", tmp_path, "--port", "0", **settings)

        key_file.write_bytes(key)
        await end_pause(server)
        document = await wait_for_document(server, waiver_id)

    log = capfd.readouterr().err
    assert "Documents cannot be sealed: the PKCS#12 file " in log
    assert "Traceback" not in log
    assert failure is not None
    assert doctor.returncode == 1
    assert "FAIL  seal        Documents cannot be sealed: the PKCS#12 file " in doctor.stdout
    assert refused_start.stderr.splitlines()[0].startswith("cairn: Documents cannot be sealed: the PKCS#12 file ")
    assert document is not None


async def test_the_doctor_says_that_no_worker_is_running(tmp_path: Path) -> None:
    with serving(tmp_path, worker=False) as server:
        ready = get(server, "/health/ready")
        doctor = run_cairn("doctor", "--data", tmp_path)

    assert ready.status_code == 503
    assert ready.json() == {
        "status": "failing",
        "checks": {"database": "ok", "schema": "ok", "worker": "no worker is running", "queue": "ok", "files": "ok"},
    }
    assert doctor.returncode == 1
    assert "FAIL  worker      no worker is running; start `cairn serve` or `cairn worker`" in doctor.stdout


async def test_health_fails_when_the_schema_is_not_that_of_this_version(server: RunningServer) -> None:
    await wait_until(lambda: is_ready(server))
    connection = await asyncpg.connect(server.db_url)
    await connection.execute("insert into cairn.migrations (name, sha256) values ('db/9999_future', 'x')")
    try:
        await wait_until(lambda: not is_ready(server))
        ready = get(server, "/health/ready")
    finally:
        await connection.execute("delete from cairn.migrations where name = 'db/9999_future'")
        await connection.close()

    assert ready.json()["checks"]["schema"] == "not the schema of this version"
    assert ready.headers["cache-control"] == "no-store"


def is_ready(server: RunningServer) -> bool:
    return get(server, "/health/ready").status_code == 200


def get(server: RunningServer, path: str) -> httpx.Response:
    return httpx.get(f"{server.url}{path}", verify=default_ssl_context(), timeout=20)


async def wait_until(condition: Callable[[], bool], *, timeout_seconds: float = PATIENCE_SECONDS) -> None:
    async with asyncio.timeout(timeout_seconds):
        while not await asyncio.to_thread(condition):  # noqa: ASYNC110 - the condition changes in another process
            await asyncio.sleep(0.2)


def signal_postgres(data: Path, signal_number: signal.Signals) -> str:
    """Returns the process id. On SIGINT, PostgreSQL ends all connections and shuts down; SIGKILL is a crash."""
    process_id = (data / "postgres" / "postmaster.pid").read_text().split()[0]
    os.kill(int(process_id), signal_number)
    return process_id


def is_another_postgres_ready(data: Path, killed: str) -> bool:
    try:
        lines = (data / "postgres" / "postmaster.pid").read_text().split()
    except FileNotFoundError:
        return False
    return lines[:1] != [killed] and lines[-1:] == ["ready"]


async def sign_and_wait_for_document(server: RunningServer) -> str | None:
    return await wait_for_document(server, await sign(server))


async def sign(server: RunningServer) -> UUID:
    [session] = await open_sessions(server, 1)
    acknowledged: set[UUID] = set()
    async with client_of(server) as client:
        assert await sign_session(client, session, acknowledged)
    [waiver_id] = acknowledged
    return waiver_id


def client_of(server: RunningServer) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=server.url, headers={"apikey": server.anon_key}, timeout=20)


async def wait_for_document(server: RunningServer, waiver_id: UUID) -> str | None:
    return await wait_for_value(server, "select document_path from waivers.signed where id = $1", waiver_id)


async def wait_for_value(server: RunningServer, query: str, waiver_id: UUID) -> str | None:
    connection = await asyncpg.connect(server.db_url)
    value: str | None = None
    deadline = time.monotonic() + PATIENCE_SECONDS
    while value is None and time.monotonic() < deadline:
        value = await connection.fetchval(query, waiver_id)
        await asyncio.sleep(0.2)
    await connection.close()
    return value


async def end_pause(server: RunningServer) -> None:
    """Makes the next attempt due. The pause before it doubles with each failure, so waiting would take long."""
    connection = await asyncpg.connect(server.db_url)
    await connection.execute("update waivers.document_failures set tried_at = now() - interval '2 hours'")
    await connection.close()
