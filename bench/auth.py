"""Getting in and staying in: what the auth service adds to one indexed select, and to one hash."""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from bench import load
from bench.load import CLIENTS
from bench.row import Row
from bench.server import Server, free_port, wait_until_it_answers

SIGN_INS = 60
ROUNDS = 8


async def measure(server: Server, seconds: int) -> list[Row]:
    sessions = [_sign_up(server, f"guest{number}@example.com") for number in range(CLIENTS)]
    person = load.request("GET", f"/{sessions[0]['user']['id']}", {})
    own = load.request("GET", "/auth/v1/user", server.headers(sessions[0]["access_token"]))
    tokens = [session["refresh_token"] for session in sessions]
    bare, read, refreshed = 0.0, 0.0, 0.0
    with _bare(server) as port:
        # In turns, because the machine may have other work in one second and none in the next.
        for _ in range(ROUNDS):
            bare += await load.rate(port, CLIENTS, seconds / ROUNDS, lambda: person, status=200) / ROUNDS
            read += await load.rate(server.port, CLIENTS, seconds / ROUNDS, lambda: own, status=200) / ROUNDS
            refreshed += await _refreshes(server, tokens, seconds / ROUNDS) / ROUNDS
    beside = f"one indexed select {bare:.0f}; {CLIENTS} clients"
    return [
        Row("GET /user", read / bare, 0.25, "of a bare handler", f"{read:.0f} a second, {beside}"),
        Row("refresh a session", refreshed / bare, 0.08, "of a bare handler", f"{refreshed:.0f} a second, {beside}"),
        _share_of_the_hash(server),
    ]


def _sign_up(server: Server, email: str) -> dict[str, Any]:
    person = {"email": email, "password": "seven rivers", "data": {"role": "customer"}}
    answer = httpx.post(f"{server.url}/auth/v1/signup", json=person, headers=server.headers())
    session: dict[str, Any] = answer.raise_for_status().json()
    return session


@contextmanager
def _bare(server: Server) -> Iterator[int]:
    port = free_port()
    process = subprocess.Popen([sys.executable, "-m", "bench.bare_handler", str(port), server.db_url])
    try:
        wait_until_it_answers(process, port)
        yield port
    finally:
        process.terminate()
        process.wait()


async def _refreshes(server: Server, tokens: list[str], seconds: float) -> float:
    """Each client has a session of its own; `tokens` holds what each was given last."""
    began = time.perf_counter()
    counts = await asyncio.gather(*(_refresh(server, tokens, number, began + seconds) for number in range(len(tokens))))
    return sum(counts) / (time.perf_counter() - began)


async def _refresh(server: Server, tokens: list[str], number: int, until: float) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    answered = 0
    while time.perf_counter() < until:
        body = {"refresh_token": tokens[number]}
        writer.write(load.request("POST", "/auth/v1/token?grant_type=refresh_token", server.headers(), body))
        status, answer = await load.answer(reader)
        if status != 200:
            raise SystemExit(f"error: a refresh was answered {status}: {answer[:300].decode()}")
        tokens[number] = json.loads(answer)["refresh_token"]
        answered += 1
    writer.close()
    await writer.wait_closed()
    return answered


def _share_of_the_hash(server: Server) -> Row:
    """By the processor's time, which other work on the machine does not lengthen."""
    person = {"email": "guest0@example.com", "password": "seven rivers"}
    with httpx.Client(base_url=server.url, headers=server.headers()) as client:
        client.post("/auth/v1/token?grant_type=password", json=person).raise_for_status()
        before = _cpu_seconds(server.pid)
        for _ in range(SIGN_INS):
            client.post("/auth/v1/token?grant_type=password", json=person).raise_for_status()
        hashing, rest = ((now - then) / SIGN_INS for now, then in zip(_cpu_seconds(server.pid), before, strict=True))
    facts = f"{hashing * 1000:.1f} ms of processor time, everything else in the server {rest * 1000:.1f}"
    return Row("password sign-in: share of the hash", hashing / (hashing + rest), 0.9, "of its time", facts)


def _cpu_seconds(pid: int) -> tuple[float, float]:
    """Of the threads that hash, and of the one that does all else."""
    spent = {int(task.name): _spent(task) for task in Path(f"/proc/{pid}/task").iterdir()}
    return sum(seconds for thread, seconds in spent.items() if thread != pid), spent[pid]


def _spent(task: Path) -> float:
    fields = (task / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
