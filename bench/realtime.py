"""Latency from an insert to its subscribers, compared with PocketBase; memory of idle sockets; cost for a signature."""

import asyncio
import itertools
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path

import asyncpg

from bench import listener, load, sign
from bench.listener import Listener
from bench.load import CLIENTS
from bench.memory import megabytes
from bench.peers.pocketbase import inserter, live_pocketbase, subscriber
from bench.row import Row
from bench.server import Server

INSERTS = 40
IDLE_SOCKETS = 1000
CHANGES = {"event": "INSERT", "schema": "public", "table": "signed_waivers"}


async def measure(server: Server, data: Path, token: str, company: str, seconds: int) -> list[Row]:
    sessions = await _open_sessions(server, company)
    await server.settle()
    rows = []
    with live_pocketbase(data / "live-pocketbase") as pocketbase_port:
        for subscribers, goal in ((1, None), (200, 1)):
            ours = await _latencies(_subscriber(server, token), _signer(server, sessions), subscribers)
            insert = inserter(pocketbase_port, sign.signature())
            theirs = await _latencies(subscriber(pocketbase_port), insert, subscribers)
            rows.append(_comparison(subscribers, ours, theirs, goal))
    return [*rows, await _idle_sockets(server, token), await _signing_cost(server, sessions, token, seconds)]


def _comparison(subscribers: int, ours: Sequence[float], theirs: Sequence[float], goal: float | None) -> Row:
    details = f"p50 {_ms(ours, 50)} ms, p99 {_ms(ours, 99)}; PocketBase {_ms(theirs, 50)} and {_ms(theirs, 99)}"
    what = f"insert to {subscribers} subscriber{'s' if subscribers > 1 else ''}, p99"
    ratio = _percentile(ours, 99) / _percentile(theirs, 99)
    return Row(what, ratio, goal, "of PocketBase", details, less_is_better=True)


def _percentile(values: Sequence[float], percent: int) -> float:
    return statistics.quantiles(values, n=100)[percent - 1]


def _ms(values: Sequence[float], percent: int) -> int:
    return round(_percentile(values, percent) * 1000)


async def _latencies(
    join: Callable[[], Awaitable[Listener]], insert: Callable[[str], Awaitable[None]], subscribers: int
) -> list[float]:
    """Seconds from before each insert is sent until each subscriber has received it."""
    listeners = [await join() for _ in range(subscribers)]
    latencies: list[float] = []
    for _ in range(INSERTS):
        marker = listener.random_marker()
        arrivals = [asyncio.create_task(each.wait_for(marker.encode())) for each in listeners]
        await asyncio.sleep(0.02)
        began = time.perf_counter()
        await insert(marker)
        async with asyncio.timeout(30):
            latencies += [arrived - began for arrived in await asyncio.gather(*arrivals)]
    for each in listeners:
        each.close()
    return latencies


def _subscriber(server: Server, token: str) -> Callable[[], Awaitable[Listener]]:
    async def join() -> Listener:
        path = f"/realtime/v1/websocket?apikey={server.anon_key}&vsn=2.0.0"
        joined = await listener.open_websocket(server.port, path)
        config = {"presence": {"enabled": False}, "postgres_changes": [CHANGES]}
        payload = {"config": config, "access_token": token}
        joined.writer.write(listener.frame(["1", "1", "realtime:bench", "phx_join", payload]))
        await joined.wait_for(b"Subscribed to PostgreSQL")
        return joined

    return join


def _signer(server: Server, sessions: Iterator[str]) -> Callable[[str], Awaitable[None]]:
    picture, headers = sign.signature(), {**server.headers(), "Prefer": "return=minimal"}

    async def insert(name: str) -> None:
        signer = {"signer_name": name, "signer_email": "gil@example.com", "signature": picture}
        request = load.request("POST", "/rest/v1/signed_waivers", headers, {"session_id": next(sessions), **signer})
        await load.send_once(server.port, request, status=201)

    return insert


async def _open_sessions(server: Server, company: str) -> Iterator[str]:
    connection = await asyncpg.connect(server.db_url)
    opened = await connection.fetch(sign.OPEN_SESSIONS, company, sign.SESSIONS)
    await connection.close()
    return itertools.cycle(str(record["id"]) for record in opened)


async def _idle_sockets(server: Server, token: str) -> Row:
    join, before = _subscriber(server, token), megabytes(server.pid, "VmRSS")
    listeners = [await join() for _ in range(IDLE_SOCKETS)]
    growth = megabytes(server.pid, "VmRSS") - before
    for each in listeners:
        each.close()
    return Row("1,000 idle sockets", growth, 150, "MB more", "each joined to one channel", less_is_better=True)


async def _signing_cost(server: Server, sessions: Iterator[str], token: str, seconds: int) -> Row:
    """In alternating rounds, because other work on the machine comes and goes."""
    next_request = sign.signing_requests(server, sessions, sign.signature())
    rates: dict[str, list[float]] = {"disable": [], "enable": []}
    for action in ("disable", "enable") * 3:
        await server.execute(f"alter table waivers.signed {action} trigger note_change")
        joined = await _subscriber(server, token)() if action == "enable" else None
        draining = asyncio.create_task(_drain(joined)) if joined else None
        rates[action].append(await load.rate(server.port, CLIENTS, max(1, seconds / 3), next_request, status=201))
        if draining:
            draining.cancel()
    off, on = (statistics.median(rates[action]) for action in ("disable", "enable"))
    details = f"{on:.0f} a second with one subscriber, {off:.0f} without realtime"
    return Row("sign with realtime on", on / off, 0.85, "of off", details)


async def _drain(joined: Listener) -> None:
    try:
        while await joined.reader.read(65_536):
            pass
    finally:
        joined.close()
