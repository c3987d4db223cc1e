"""The auth service: what it adds to one indexed select, and to one password hash."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from bench import cpu, load
from bench.load import CLIENTS
from bench.row import Row
from bench.server import Server, wait_until_it_listens
from tests.serving import free_port

SIGN_INS = 60
ROUNDS = 8


async def measure(server: Server, seconds: int) -> list[Row]:
    sessions = [_sign_up(server, f"guest{number}@example.com") for number in range(CLIENTS)]
    bare_request = load.request("GET", f"/{sessions[0]['user']['id']}", {})
    user_request = load.request("GET", "/auth/v1/user", server.headers(sessions[0]["access_token"]))
    tokens = [session["refresh_token"] for session in sessions]
    bare, read, refreshed = 0.0, 0.0, 0.0
    with _bare_handler(server) as port:
        # In alternating rounds, because other work on the machine comes and goes.
        for _ in range(ROUNDS):
            bare += await load.rate(port, CLIENTS, seconds / ROUNDS, lambda: bare_request, status=200) / ROUNDS
            read += await load.rate(server.port, CLIENTS, seconds / ROUNDS, lambda: user_request, status=200) / ROUNDS
            refreshed += await _refresh_rate(server, tokens, seconds / ROUNDS) / ROUNDS
    compared = f"one indexed select {bare:.0f}; {CLIENTS} clients"
    return [
        Row("GET /user", read / bare, 0.25, "of a bare handler", f"{read:.0f} a second, {compared}"),
        Row("refresh a session", refreshed / bare, 0.08, "of a bare handler", f"{refreshed:.0f} a second, {compared}"),
        _share_of_the_hash(server),
    ]


def _sign_up(server: Server, email: str) -> dict[str, Any]:
    person = {"email": email, "password": "seven rivers", "data": {"role": "customer"}}
    response = httpx.post(f"{server.url}/auth/v1/signup", json=person, headers=server.headers())
    session: dict[str, Any] = response.raise_for_status().json()
    return session


@contextmanager
def _bare_handler(server: Server) -> Iterator[int]:
    port = free_port()
    process = subprocess.Popen([sys.executable, "-m", "bench.bare_handler", str(port), server.db_url])
    try:
        wait_until_it_listens(process, port)
        yield port
    finally:
        process.terminate()
        process.wait()


async def _refresh_rate(server: Server, tokens: list[str], seconds: float) -> float:
    """Each client refreshes a session of its own; `tokens` has the current refresh token of each."""
    began = time.perf_counter()
    counts = await asyncio.gather(*(_refresh(server, tokens, number, began + seconds) for number in range(len(tokens))))
    return sum(counts) / (time.perf_counter() - began)


async def _refresh(server: Server, tokens: list[str], number: int, until: float) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    refreshed = 0
    while time.perf_counter() < until:
        body = {"refresh_token": tokens[number]}
        writer.write(load.request("POST", "/auth/v1/token?grant_type=refresh_token", server.headers(), body))
        status, response_body = await load.read_response(reader)
        if status != 200:
            raise SystemExit(f"error: a refresh failed with status {status}: {response_body[:300].decode()}")
        tokens[number] = json.loads(response_body)["refresh_token"]
        refreshed += 1
    writer.close()
    await writer.wait_closed()
    return refreshed


def _share_of_the_hash(server: Server) -> Row:
    """Measured in CPU time, which other work on the machine does not lengthen."""
    person = {"email": "guest0@example.com", "password": "seven rivers"}
    with httpx.Client(base_url=server.url, headers=server.headers()) as client:
        client.post("/auth/v1/token?grant_type=password", json=person).raise_for_status()
        before = _hashing_and_other_seconds(server.pid)
        for _ in range(SIGN_INS):
            client.post("/auth/v1/token?grant_type=password", json=person).raise_for_status()
        after = _hashing_and_other_seconds(server.pid)
    hashing, other = ((now - then) / SIGN_INS for now, then in zip(after, before, strict=True))
    details = f"{hashing * 1000:.1f} ms of processor time, everything else in the server {other * 1000:.1f}"
    return Row("password sign-in: share of the hash", hashing / (hashing + other), 0.9, "of its time", details)


def _hashing_and_other_seconds(pid: int) -> tuple[float, float]:
    """Passwords are hashed in other threads; the main thread does everything else."""
    seconds = cpu.thread_seconds(pid)
    return sum(seconds.values()) - seconds[pid], seconds[pid]
