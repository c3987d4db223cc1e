"""When PostgreSQL restarts under load, requests get a 503 with Retry-After, and soon succeed again."""

import asyncio
import os
import signal
import time
from collections import Counter
from collections.abc import Awaitable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg
import httpx

from cairn.db import EmbeddedPostgres
from tests.factories import SAMPLE_TEMPLATE_ID
from tests.serving import RunningServer, serving

CLIENT_COUNT = 8
MAX_CONNECTION_COUNT = 2 * (8 + 5)
"""There are two pools, each with 8 connections and the 5 of `CAIRN_DATABASE__EXTRA_CONNECTIONS`."""


@dataclass
class Responses:
    # When each request was sent, and the status of its response.
    statuses: list[tuple[float, int]] = field(default_factory=list)
    without_retry_after: int = 0

    async def add(self, request: Awaitable[httpx.Response]) -> None:
        sent_at = time.monotonic()
        response = await request
        self.statuses.append((sent_at, response.status_code))
        if response.status_code == 503 and response.headers.get("retry-after") != "1":
            self.without_retry_after += 1


async def test_requests_succeed_again_after_postgres_restarts(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        token = await _sign_up(server)
        responses, stop = Responses(), asyncio.Event()
        load = [asyncio.create_task(_send_requests(server, token, responses, stop)) for _ in range(CLIENT_COUNT)]
        await asyncio.sleep(1)

        await _stop_postgres(tmp_path)
        with ExitStack() as stack:
            await asyncio.to_thread(stack.enter_context, EmbeddedPostgres(tmp_path).running())
            restarted_at = time.monotonic()
            await asyncio.sleep(2.5)
            stop.set()
            await asyncio.gather(*load)
            connection_count = await _count_connections(server)

    counts = Counter(status for _, status in responses.statuses)
    assert set(counts) == {200, 201, 503}, counts
    assert responses.without_retry_after == 0
    assert [status for sent_at, status in responses.statuses if sent_at > restarted_at + 1 and status == 503] == []
    assert 0 < connection_count <= MAX_CONNECTION_COUNT


async def _send_requests(server: RunningServer, token: str, responses: Responses, stop: asyncio.Event) -> None:
    headers = {"apikey": server.anon_key, "Authorization": f"Bearer {token}"}
    row = {"template_id": SAMPLE_TEMPLATE_ID, "status": "pending", "template_content": "I take part."}
    async with httpx.AsyncClient(base_url=f"{server.url}/rest/v1", headers=headers, timeout=10) as client:
        while not stop.is_set():
            await responses.add(client.get("/waiver_sessions?select=id&order=created_at.desc&limit=10"))
            await responses.add(client.post("/waiver_sessions", json=row))


async def _sign_up(server: RunningServer) -> str:
    account = {"email": "rosa@rio-rafting.example", "password": "seven rivers and a lake"}
    async with httpx.AsyncClient(base_url=server.url, headers={"apikey": server.anon_key}) as client:
        token: str = (await client.post("/auth/v1/signup", json=account)).raise_for_status().json()["access_token"]
    return token


async def _stop_postgres(data: Path) -> None:
    """Stops PostgreSQL like `pg_ctl stop -m fast`, which ends all connections. The server may restart it at once."""
    stopped_pid = _pid_of_postgres(data)
    assert stopped_pid is not None
    os.kill(stopped_pid, signal.SIGINT)
    deadline = time.monotonic() + 20
    while _pid_of_postgres(data) == stopped_pid:
        assert time.monotonic() < deadline, "PostgreSQL does not stop"
        await asyncio.sleep(0.02)


def _pid_of_postgres(data: Path) -> int | None:
    try:
        return int((data / "postgres" / "postmaster.pid").read_text().split()[0])
    except (FileNotFoundError, IndexError):
        return None


async def _count_connections(server: RunningServer) -> int:
    """Counts the connections of the two pools, which the requests of this test use."""
    connection = await asyncpg.connect(server.db_url)
    count: int = await connection.fetchval("select count(*) from pg_stat_activity where application_name = 'cairn'")
    await connection.close()
    return count
