"""The memory of the server process hardly grows while it transfers large bodies."""

import json
import re
from pathlib import Path

import asyncpg
import httpx
import pytest

from tests.serving import RunningServer, serving

pytestmark = pytest.mark.slow
MAX_GROWTH_BYTES = 32 * 1024 * 1024
CREATE_TABLE = """
    create table public.tours (id int primary key, guest text, note text);
    alter table public.tours enable row level security;
    create policy "everyone sees every tour" on public.tours using (true);
    grant select, insert on public.tours to anon;
"""


async def test_a_csv_export_of_a_million_rows_is_streamed(tmp_path: Path) -> None:
    with serving(tmp_path, worker=False, settings={"CAIRN_REST__MAX_ROWS": "5000000"}) as server:
        await _execute(
            server,
            CREATE_TABLE,
            "insert into tours select n, 'Guest ' || n, 'of the river' from generate_series(1, 1000000) n",
        )
        with _client(server) as client:
            client.get("/tours?limit=1", headers={"Accept": "text/csv"}).raise_for_status()
            bytes_before = _resident_bytes(server)
            line_count, max_bytes, tail = 0, 0, b""
            with client.stream("GET", "/tours?order=id", headers={"Accept": "text/csv"}) as response:
                for part in response.iter_bytes():
                    line_count += part.count(b"\n")
                    tail = part[-100:] or tail
                    max_bytes = max(max_bytes, _resident_bytes(server))

    assert response.status_code == 200
    assert line_count == 1_000_000
    assert tail.endswith(b'\n1000000,"Guest 1000000","of the river"')
    assert max_bytes - bytes_before < MAX_GROWTH_BYTES


async def test_a_client_that_disconnects_releases_its_connection(tmp_path: Path) -> None:
    settings = {"CAIRN_REST__MAX_ROWS": "5000000", "CAIRN_DATABASE__POOL_SIZE": "2"}
    with serving(tmp_path, worker=False, settings=settings) as server:
        await _execute(
            server, CREATE_TABLE, "insert into tours select n, 'Guest', 'x' from generate_series(1, 500000) n"
        )
        for _ in range(5):
            with _client(server) as client, client.stream("GET", "/tours", headers={"Accept": "text/csv"}) as response:
                next(response.iter_bytes())
        with _client(server) as client:
            assert client.get("/tours?limit=1").status_code == 200


async def test_inserting_ten_megabytes_of_json_uses_little_memory(tmp_path: Path) -> None:
    rows = [{"id": n, "guest": f"Guest {n}", "note": "of the river " * 7} for n in range(80_000)]
    body = json.dumps(rows).encode()
    assert len(body) > 10_000_000
    limits = {
        "CAIRN_REST__MAX_ANONYMOUS_BODY_BYTES": str(len(body)),
        "CAIRN_REST__ANONYMOUS_WRITES": str(len(rows) + 1),
    }
    with serving(tmp_path, worker=False, settings=limits) as server:
        await _execute(server, CREATE_TABLE)
        with _client(server) as client:
            client.post("/tours", json={"id": -1}).raise_for_status()
            bytes_before = _peak_bytes(server)
            response = client.post("/tours?columns=id,guest,note", content=body)
            growth_bytes = _peak_bytes(server) - bytes_before
        row_count = await _execute(server, "select count(*) from tours")

    assert (response.status_code, row_count) == (201, 80_001)
    assert growth_bytes < MAX_GROWTH_BYTES


def _client(server: RunningServer) -> httpx.Client:
    headers = {"apikey": server.anon_key, "Content-Type": "application/json"}
    return httpx.Client(base_url=f"{server.url}/rest/v1", headers=headers, timeout=60)


async def _execute(server: RunningServer, *statements: str) -> object:
    connection = await asyncpg.connect(server.db_url)
    try:
        for statement in statements[:-1]:
            await connection.execute(statement)
        last_statement = statements[-1]
        if last_statement.startswith("select"):
            return await connection.fetchval(last_statement)
        return await connection.execute(last_statement)
    finally:
        await connection.close()


def _resident_bytes(server: RunningServer) -> int:
    return _process_status(server, "VmRSS")


def _peak_bytes(server: RunningServer) -> int:
    """Returns the highest memory use so far, as the kernel records it."""
    return _process_status(server, "VmHWM")


def _process_status(server: RunningServer, name: str) -> int:
    match = re.search(rf"{name}:\s+(\d+) kB", Path(f"/proc/{server.process.pid}/status").read_text())
    assert match is not None
    return int(match[1]) * 1024
