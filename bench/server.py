"""Runs a Cairn server for a benchmark. PostgreSQL writes as durably as in production."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import httpx

from cairn.kit import frozen_dataclass
from tests.serving import free_port

START_TIMEOUT_SECONDS = 60
CAIRN_COMMAND = (sys.executable, "-m", "cairn")
# All requests come from one IP address, so its rate limits are lifted. Large files are allowed.
SETTINGS = {
    "CAIRN_AUTH__RATE_LIMIT_TOKEN_REFRESH": "1000000000",
    "CAIRN_AUTH__RATE_LIMIT_GUESSES": "1000000000",
    "CAIRN_REST__ANONYMOUS_WRITES": "1000000000",
    "CAIRN_REST__ANONYMOUS_WRITE_BYTES": "1000000000000",
    "CAIRN_REST__ACCOUNT_WRITES": "1000000000",
    "CAIRN_REST__ACCOUNT_WRITE_BYTES": "1000000000000",
    "CAIRN_REST__MAX_ANONYMOUS_BODY_BYTES": str(32 * 1024 * 1024),
    "CAIRN_AUTH__RATE_LIMIT_WRONG_PASSWORDS": "1000000000",
    "CAIRN_REALTIME__SOCKETS_PER_ACCOUNT": "2000",
    "CAIRN_REALTIME__SOCKETS_PER_NETWORK": "2000",
    "CAIRN_STORAGE__FILE_SIZE_LIMIT": str(200 * 1024 * 1024),
}


@frozen_dataclass
class Server:
    url: str
    port: int
    pid: int
    anon_key: str
    service_key: str
    db_url: str

    def headers(self, token: str | None = None) -> dict[str, str]:
        return {"apikey": self.anon_key, "Authorization": f"Bearer {token or self.anon_key}"}

    def sign_up_company(self) -> tuple[str, str]:
        """Signs a company up and returns its access token and its id."""
        with httpx.Client(base_url=self.url, headers=self.headers()) as client:
            account = {"email": "rosa@rio-rafting.example", "password": "seven rivers", "data": {"name": "Rosa"}}
            token: str = client.post("/auth/v1/signup", json=account).raise_for_status().json()["access_token"]
            companies = client.get("/rest/v1/companies?select=id", headers=self.headers(token))
            return token, str(companies.raise_for_status().json()[0]["id"])

    async def settle(self) -> None:
        """Runs a vacuum and a checkpoint now, so that neither runs during the next measurement."""
        await self.execute("vacuum analyze", "checkpoint")

    async def execute(self, *statements: str) -> None:
        connection = await asyncpg.connect(self.db_url)
        for statement in statements:
            await connection.execute(statement)
        await connection.close()


@contextmanager
def running_server(
    data: Path,
    settings: Mapping[str, str] | None = None,
    *,
    worker: bool = True,
    command: Sequence[str] = CAIRN_COMMAND,
) -> Iterator[Server]:
    port = free_port()
    flags = ["--data", str(data), "--port", str(port), *([] if worker else ["--no-worker"])]
    process = subprocess.Popen(
        [*command, "serve", *flags], env={**os.environ, **SETTINGS, **(settings or {})}, stderr=subprocess.DEVNULL
    )
    try:
        wait_until_listening(process, port)
        output = subprocess.run(
            [*CAIRN_COMMAND, "keys", "--json", "--data", str(data)], capture_output=True, text=True, check=True
        )
        keys = json.loads(output.stdout)
        yield Server(
            f"http://127.0.0.1:{port}", port, process.pid, keys["anon_key"], keys["service_key"], keys["db_url"]
        )
    finally:
        process.terminate()
        process.wait()


def wait_until_listening(process: "subprocess.Popen[bytes]", port: int) -> None:
    deadline = time.monotonic() + START_TIMEOUT_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("error: the server for the benchmark did not start; try `cairn doctor`")
