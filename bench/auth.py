"""Compares the auth service with one indexed select, and measures the share of the password hash in a sign-in."""

import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from bench import cpu, load
from bench.load import CLIENT_COUNT
from bench.row import Row
from bench.server import Server, wait_until_listening
from tests.serving import free_port

SIGN_IN_COUNT = 60
ROUND_COUNT = 8


async def measure(server: Server, seconds: int) -> list[Row]:
    sessions = [_sign_up(server, f"guest{number}@example.com") for number in range(CLIENT_COUNT)]
    bare_request = load.build_request("GET", f"/{sessions[0]['user']['id']}", {})
    user_request = load.build_request("GET", "/auth/v1/user", server.headers(sessions[0]["access_token"]))
    tokens = [session["refresh_token"] for session in sessions]
    bare_rates, user_rates, refresh_rates = [], [], []
    with _running_bare_handler(server) as port:
        # The measurements alternate in short rounds, so that other work on the machine affects all of them equally.
        for _ in range(ROUND_COUNT):
            round_seconds = seconds / ROUND_COUNT
            bare_rates.append(
                await load.measure_rate(port, CLIENT_COUNT, round_seconds, lambda: bare_request, status=200)
            )
            user_rates.append(
                await load.measure_rate(server.port, CLIENT_COUNT, round_seconds, lambda: user_request, status=200)
            )
            refresh_rates.append(await _measure_refresh_rate(server, tokens, round_seconds))
    bare_rate, user_rate, refresh_rate = map(statistics.fmean, (bare_rates, user_rates, refresh_rates))
    comparison = f"one indexed select {bare_rate:.0f}; {CLIENT_COUNT} clients"
    return [
        Row(
            "GET /user",
            user_rate / bare_rate,
            goal=0.25,
            unit="of a bare handler",
            details=f"{user_rate:.0f} a second, {comparison}",
        ),
        Row(
            "refresh a session",
            refresh_rate / bare_rate,
            goal=0.08,
            unit="of a bare handler",
            details=f"{refresh_rate:.0f} a second, {comparison}",
        ),
        _measure_password_hash(server),
    ]


def _sign_up(server: Server, email: str) -> dict[str, Any]:
    account = {"email": email, "password": "seven rivers", "data": {"role": "customer"}}
    response = httpx.post(f"{server.url}/auth/v1/signup", json=account, headers=server.headers())
    session: dict[str, Any] = response.raise_for_status().json()
    return session


@contextmanager
def _running_bare_handler(server: Server) -> Iterator[int]:
    port = free_port()
    process = subprocess.Popen([sys.executable, "-m", "bench.bare_handler", str(port), server.db_url])
    try:
        wait_until_listening(process, port)
        yield port
    finally:
        process.terminate()
        process.wait()


async def _measure_refresh_rate(server: Server, tokens: list[str], seconds: float) -> float:
    """Lets each client refresh its own session. `tokens` contains the current refresh token of each session."""
    started_at = time.perf_counter()
    counts = await asyncio.gather(
        *(_refresh_until(server, tokens, number, started_at + seconds) for number in range(len(tokens)))
    )
    return sum(counts) / (time.perf_counter() - started_at)


async def _refresh_until(server: Server, tokens: list[str], number: int, deadline: float) -> int:
    """Returns the number of refreshes before the deadline."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    refresh_count = 0
    while time.perf_counter() < deadline:
        body = {"refresh_token": tokens[number]}
        writer.write(load.build_request("POST", "/auth/v1/token?grant_type=refresh_token", server.headers(), body))
        status, response_body = await load.read_response(reader)
        if status != 200:
            raise SystemExit(f"error: a refresh failed with status {status}: {response_body[:300].decode()}")
        tokens[number] = json.loads(response_body)["refresh_token"]
        refresh_count += 1
    writer.close()
    await writer.wait_closed()
    return refresh_count


def _measure_password_hash(server: Server) -> Row:
    """Measures CPU time, because other work on the machine hardly changes it."""
    account = {"email": "guest0@example.com", "password": "seven rivers"}
    with httpx.Client(base_url=server.url, headers=server.headers()) as client:
        client.post("/auth/v1/token?grant_type=password", json=account).raise_for_status()
        before = _hashing_and_other_seconds(server.pid)
        for _ in range(SIGN_IN_COUNT):
            client.post("/auth/v1/token?grant_type=password", json=account).raise_for_status()
        after = _hashing_and_other_seconds(server.pid)
    hashing_seconds, other_seconds = (
        (later - earlier) / SIGN_IN_COUNT for later, earlier in zip(after, before, strict=True)
    )
    details = (
        f"{hashing_seconds * 1000:.1f} ms of processor time, everything else in the server {other_seconds * 1000:.1f}"
    )
    return Row(
        "password sign-in: share of the hash",
        hashing_seconds / (hashing_seconds + other_seconds),
        goal=0.9,
        unit="of its time",
        details=details,
    )


def _hashing_and_other_seconds(pid: int) -> tuple[float, float]:
    """Returns the CPU seconds of the threads that hash, and those of the main thread."""
    seconds = cpu.thread_seconds(pid)
    return sum(seconds.values()) - seconds[pid], seconds[pid]
