"""npm `@supabase/lite`: the same client, on the same PostgreSQL, with native row-level security."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import asyncpg
import httpx

from bench import load, trip
from bench.peers.peer import CACHE, PERSON, Goals, Peer, PeerMissing, install, wait_until_it_responds, with_node
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
    sockets = parse_qs(urlsplit(db_url).query).get("host", [""])[0]
    if not sockets:
        raise PeerMissing("lite is measured on the embedded PostgreSQL only")
    quiet = {"DO_NOT_TRACK": "1", "LITE_TELEMETRY": "0"}
    login = {"PGHOST": sockets, "PGUSER": "postgres", "PGDATABASE": "lite"}
    process = subprocess.Popen(
        [str(program), "start", "--no-admin"], cwd=project.parent, env={**with_node(), **quiet, **login},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        wait_until_it_responds(process, f"http://127.0.0.1:{port}/rest/v1/{trip.TABLE}?limit=1")
        httpx.post(f"http://127.0.0.1:{port}/auth/v1/signup", json=PERSON).raise_for_status()
        yield Peer(
            "@supabase/lite",
            port,
            load.request("GET", f"/rest/v1/{trip.NEWEST}", {}),
            load.request("POST", f"/rest/v1/{trip.TABLE}?select=id", trip.RETURNING, trip.TRIP),
            201,
            load.request("POST", "/auth/v1/token?grant_type=password", {}, PERSON),
            lambda session: load.request(
                "POST", "/auth/v1/token?grant_type=refresh_token", {}, {"refresh_token": session["refresh_token"]}
            ),
            Goals(listed=5, inserted=4, signed_in=3, refreshed=0.3),
        )
    finally:
        # Node is a child of the started process and would keep trying to reach a database that is gone.
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


async def prepare(db_url: str) -> str:
    """Creates a separate database with the same table on the same server."""
    admin = await asyncpg.connect(db_url)
    await admin.execute("create database lite")
    await admin.close()
    url = urlsplit(db_url)._replace(path="/lite").geturl()
    connection = await asyncpg.connect(url)
    await connection.execute("grant usage on schema public to anon, authenticated, service_role")
    await connection.execute(trip.SCHEMA)
    await connection.close()
    return url
