"""A Cairn of its own for the measurement: fresh data, durable as in earnest, stopped at the end."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import httpx

STARTING_SECONDS = 60
# All of the load comes from one network address.
UNHURRIED = {
    "CAIRN_AUTH__RATE_LIMIT_TOKEN_REFRESH": "1000000000",
    "CAIRN_AUTH__RATE_LIMIT_GUESSES": "1000000000",
    "CAIRN_STORAGE__FILE_SIZE_LIMIT": str(200 * 1024 * 1024),
}


@dataclass(frozen=True, slots=True)
class Server:
    url: str
    port: int
    pid: int
    anon_key: str
    service_key: str
    db_url: str

    def headers(self, token: str | None = None) -> dict[str, str]:
        return {"apikey": self.anon_key, "Authorization": f"Bearer {token or self.anon_key}"}

    def company(self) -> tuple[str, str]:
        """Signs a company up; its token and its id."""
        with httpx.Client(base_url=self.url, headers=self.headers()) as client:
            person = {"email": "rosa@rio-rafting.example", "password": "seven rivers", "data": {"name": "Rosa"}}
            token: str = client.post("/auth/v1/signup", json=person).raise_for_status().json()["access_token"]
            own = client.get("/rest/v1/companies?select=id", headers=self.headers(token)).raise_for_status().json()
            return token, str(own[0]["id"])

    async def settle(self) -> None:
        """So that nobody pays for what the measurement before has left to be written and swept."""
        connection = await asyncpg.connect(self.db_url)
        await connection.execute("vacuum analyze")
        await connection.execute("checkpoint")
        await connection.close()


@contextmanager
def running(data: Path, settings: Mapping[str, str] | None = None, *, worker: bool = True) -> Iterator[Server]:
    port = free_port()
    cairn = [sys.executable, "-m", "cairn"]
    flags = ["--data", str(data), "--port", str(port), *([] if worker else ["--no-worker"])]
    process = subprocess.Popen(
        [*cairn, "serve", *flags], env={**os.environ, **UNHURRIED, **(settings or {})}, stderr=subprocess.DEVNULL
    )
    try:
        wait_until_it_answers(process, port)
        told = subprocess.run(
            [*cairn, "keys", "--json", "--data", str(data)], capture_output=True, text=True, check=True
        )
        keys = json.loads(told.stdout)
        yield Server(
            f"http://127.0.0.1:{port}", port, process.pid, keys["anon_key"], keys["service_key"], keys["db_url"]
        )
    finally:
        process.terminate()
        process.wait()


def wait_until_it_answers(process: "subprocess.Popen[bytes]", port: int) -> None:
    deadline = time.monotonic() + STARTING_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("error: the server for the measurement did not start; try `cairn doctor`")


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port
