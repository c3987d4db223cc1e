"""Runs `@supabase/lite` from npm, which serves the same client library from the same PostgreSQL."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import asyncpg
import httpx

from bench import load, trips_table
from bench.peers.peer import (
    ACCOUNT,
    CACHE,
    Goals,
    Peer,
    PeerMissing,
    environment_with_node,
    install,
    wait_until_responding,
)
from tests.serving import free_port

CONFIG = """
project_id = "bench"
[api]
port = {port}
[db]
driver = "postgres"
url = "postgres:///lite"
"""


@contextmanager
def lite(db_url: str, data: Path) -> Iterator[Peer]:
    folder = CACHE / "lite"
    program = folder / "node_modules" / ".bin" / "lite"
    if not program.exists():
        install(["npm", "install", "--no-audit", "--no-fund", "--prefix", ".", "@supabase/lite", "postgres"], folder)
    port = free_port()
    project = data / "lite" / "supabase"
    project.mkdir(parents=True)
    (project / "config.toml").write_text(CONFIG.format(port=port))
    socket_folder = parse_qs(urlsplit(db_url).query).get("host", [""])[0]
    if not socket_folder:
        raise PeerMissing("lite is measured on the embedded PostgreSQL only")
    no_telemetry = {"DO_NOT_TRACK": "1", "LITE_TELEMETRY": "0"}
    login = {"PGHOST": socket_folder, "PGUSER": "postgres", "PGDATABASE": "lite"}
    environment = {**environment_with_node(), **no_telemetry, **login}
    process = subprocess.Popen(
        [str(program), "start", "--no-admin"], cwd=project.parent, env=environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        wait_until_responding(process, f"http://127.0.0.1:{port}/rest/v1/{trips_table.TABLE}?limit=1")
        httpx.post(f"http://127.0.0.1:{port}/auth/v1/signup", json=ACCOUNT).raise_for_status()
        yield Peer(
            "@supabase/lite",
            port,
            load.build_request("GET", f"/rest/v1/{trips_table.NEWEST_TRIPS}", {}),
            load.build_request(
                "POST", f"/rest/v1/{trips_table.TABLE}?select=id", trips_table.RETURN_ROW, trips_table.NEW_TRIP
            ),
            201,
            load.build_request("POST", "/auth/v1/token?grant_type=password", {}, ACCOUNT),
            lambda session: load.build_request(
                "POST", "/auth/v1/token?grant_type=refresh_token", {}, {"refresh_token": session["refresh_token"]}
            ),
            Goals(lists=5, inserts=4, sign_ins=3, refreshes=0.3),
        )
    finally:
        # The whole process group is stopped, because Node runs as a child process.
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


async def create_database(db_url: str) -> str:
    """Creates a separate database with the same table on the same server."""
    admin = await asyncpg.connect(db_url)
    await admin.execute("create database lite")
    await admin.close()
    url = urlsplit(db_url)._replace(path="/lite").geturl()
    connection = await asyncpg.connect(url)
    await connection.execute("grant usage on schema public to anon, authenticated, service_role")
    await connection.execute(trips_table.CREATE_TRIPS)
    await connection.close()
    return url
