"""Measures the latency from an insert to its subscribers, the memory of idle sockets, and how realtime slows signing.

The latency is compared with PocketBase.
"""

import asyncio
import itertools
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path

import asyncpg

from bench import listener, load, sign
from bench.listener import Listener
from bench.load import CLIENT_COUNT
from bench.memory import megabytes
from bench.peers.pocketbase import insert_function, running_pocketbase_with_waivers, subscribe_function
from bench.row import Row
from bench.server import Server

INSERT_COUNT = 40
IDLE_SOCKET_COUNT = 1000
INSERTED_WAIVERS = {"event": "INSERT", "schema": "public", "table": "signed_waivers"}


async def measure(server: Server, data: Path, token: str, company_id: str, seconds: int) -> list[Row]:
    sessions = await open_sessions(server, company_id)
    await server.settle()
    rows = []
    with running_pocketbase_with_waivers(data / "live-pocketbase") as pocketbase_port:
        for subscriber_count, goal in ((1, None), (200, 1)):
            ours = await measure_latencies(
                subscribe_to_waivers(server, token), sign_function(server, sessions), subscriber_count
            )
            insert = insert_function(pocketbase_port, sign.random_signature())
            theirs = await measure_latencies(subscribe_function(pocketbase_port), insert, subscriber_count)
            rows.append(_compare_latencies(subscriber_count, ours, theirs, goal))
    return [
        *rows,
        await _measure_idle_sockets(server, token),
        await _measure_signing_cost(server, sessions, token, seconds),
    ]


def _compare_latencies(
    subscriber_count: int, ours: Sequence[float], theirs: Sequence[float], goal: float | None
) -> Row:
    details = (
        f"p50 {_milliseconds(ours, 50)} ms, p99 {_milliseconds(ours, 99)}; "
        f"PocketBase {_milliseconds(theirs, 50)} and {_milliseconds(theirs, 99)}"
    )
    what = f"insert to {subscriber_count} subscriber{'s' if subscriber_count > 1 else ''}, p99"
    ratio = _percentile(ours, 99) / _percentile(theirs, 99)
    return Row(what, ratio, goal, "of PocketBase", details, less_is_better=True)


def _percentile(values: Sequence[float], percent: int) -> float:
    return statistics.quantiles(values, n=100)[percent - 1]


def _milliseconds(values: Sequence[float], percent: int) -> int:
    return round(_percentile(values, percent) * 1000)


async def measure_latencies(
    subscribe: Callable[[], Awaitable[Listener]], insert: Callable[[str], Awaitable[None]], subscriber_count: int
) -> list[float]:
    """Returns the seconds from sending each insert until each subscriber has received it."""
    listeners = [await subscribe() for _ in range(subscriber_count)]
    latencies: list[float] = []
    for _ in range(INSERT_COUNT):
        marker = listener.random_marker()
        arrivals = [asyncio.create_task(subscriber.wait_for(marker.encode())) for subscriber in listeners]
        await asyncio.sleep(0.02)
        sent_at = time.perf_counter()
        await insert(marker)
        async with asyncio.timeout(30):
            latencies += [received_at - sent_at for received_at in await asyncio.gather(*arrivals)]
    for subscriber in listeners:
        subscriber.close()
    return latencies


def subscribe_to_waivers(server: Server, token: str) -> Callable[[], Awaitable[Listener]]:
    async def subscribe() -> Listener:
        path = f"/realtime/v1/websocket?apikey={server.anon_key}&vsn=2.0.0"
        subscriber = await listener.open_websocket(server.port, path)
        config = {"presence": {"enabled": False}, "postgres_changes": [INSERTED_WAIVERS]}
        payload = {"config": config, "access_token": token}
        subscriber.writer.write(listener.websocket_frame(["1", "1", "realtime:bench", "phx_join", payload]))
        await subscriber.wait_for(b"Subscribed to PostgreSQL")
        return subscriber

    return subscribe


def sign_function(server: Server, sessions: Iterator[str]) -> Callable[[str], Awaitable[None]]:
    image, headers = sign.random_signature(), {**server.headers(), "Prefer": "return=minimal"}

    async def insert(name: str) -> None:
        signer = {"signer_name": name, "signer_email": "gil@example.com", "signature": image}
        request = load.build_request(
            "POST", "/rest/v1/signed_waivers", headers, {"session_id": next(sessions), **signer}
        )
        await load.send_once(server.port, request, status=201)

    return insert


async def open_sessions(server: Server, company_id: str) -> Iterator[str]:
    connection = await asyncpg.connect(server.db_url)
    sessions = await connection.fetch(sign.INSERT_SESSIONS_TO_SIGN, company_id, sign.SESSION_COUNT)
    await connection.close()
    return itertools.cycle(str(record["id"]) for record in sessions)


async def _measure_idle_sockets(server: Server, token: str) -> Row:
    subscribe, memory_before = subscribe_to_waivers(server, token), megabytes(server.pid, "VmRSS")
    listeners = [await subscribe() for _ in range(IDLE_SOCKET_COUNT)]
    growth_megabytes = megabytes(server.pid, "VmRSS") - memory_before
    for subscriber in listeners:
        subscriber.close()
    return Row(
        "1,000 idle sockets",
        growth_megabytes,
        goal=150,
        unit="MB more",
        details="each joined to one channel",
        less_is_better=True,
    )


async def _measure_signing_cost(server: Server, sessions: Iterator[str], token: str, seconds: int) -> Row:
    """Compares signing with and without realtime, in alternating rounds."""
    next_request = sign.signing_requests(server, sessions, sign.random_signature())
    rates: dict[str, list[float]] = {"disable": [], "enable": []}
    for action in ("disable", "enable") * 3:
        await server.execute(f"alter table waivers.signed {action} trigger note_change")
        subscriber = await subscribe_to_waivers(server, token)() if action == "enable" else None
        reader_task = asyncio.create_task(_discard_messages(subscriber)) if subscriber else None
        rates[action].append(
            await load.measure_rate(server.port, CLIENT_COUNT, max(1, seconds / 3), next_request, status=201)
        )
        if reader_task:
            reader_task.cancel()
    rate_without, rate_with = (statistics.median(rates[action]) for action in ("disable", "enable"))
    details = f"{rate_with:.0f} a second with one subscriber, {rate_without:.0f} without realtime"
    return Row("sign with realtime on", rate_with / rate_without, goal=0.85, unit="of off", details=details)


async def _discard_messages(subscriber: Listener) -> None:
    try:
        while await subscriber.reader.read(65_536):
            pass
    finally:
        subscriber.close()
