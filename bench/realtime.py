"""From an insert to those who watch, beside PocketBase; what idle sockets hold; what realtime costs a signature."""

import asyncio
import itertools
import re
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path

import asyncpg

from bench import listener, load, sign
from bench.listener import Listener
from bench.load import CLIENTS
from bench.peers.pocketbase import inserter, live_pocketbase, subscriber
from bench.row import Row
from bench.server import Server

INSERTS = 40
CHANGES = {"event": "INSERT", "schema": "public", "table": "signed_waivers"}


async def measure(server: Server, data: Path, token: str, company: str, seconds: int) -> list[Row]:
    sessions = await _open_sessions(server, company)
    await server.settle()
    rows = []
    with live_pocketbase(data / "live-pocketbase") as other:
        for watchers, goal in ((1, None), (200, 1)):
            ours = await _latency(_joiner(server, token), _signer(server, sessions), watchers)
            theirs = await _latency(subscriber(other), inserter(other, sign.signature()), watchers)
            rows.append(_compared(watchers, ours, theirs, goal))
    return [*rows, await _idle_sockets(server, token), await _cost(server, sessions, token, seconds)]


def _compared(watchers: int, ours: Sequence[float], theirs: Sequence[float], goal: float | None) -> Row:
    facts = f"p50 {_ms(ours, 50)} ms, p99 {_ms(ours, 99)}; PocketBase {_ms(theirs, 50)} and {_ms(theirs, 99)}"
    what = f"insert to {watchers} subscriber{'s' if watchers > 1 else ''}, p99"
    ratio = _percentile(ours, 99) / _percentile(theirs, 99)
    return Row(what, ratio, goal, "of PocketBase", facts, less_is_better=True)


def _percentile(values: Sequence[float], percent: int) -> float:
    return statistics.quantiles(values, n=100)[percent - 1]


def _ms(values: Sequence[float], percent: int) -> int:
    return round(_percentile(values, percent) * 1000)


async def _latency(
    join: Callable[[], Awaitable[Listener]], insert: Callable[[str], Awaitable[None]], watchers: int
) -> list[float]:
    """Of each insert to each who watches, counted from before it is sent."""
    listeners = [await join() for _ in range(watchers)]
    taken: list[float] = []
    for _ in range(INSERTS):
        word = listener.a_word()
        hearing = [asyncio.create_task(each.hears(word.encode())) for each in listeners]
        await asyncio.sleep(0.02)
        began = time.perf_counter()
        await insert(word)
        async with asyncio.timeout(30):
            taken += [at - began for at in await asyncio.gather(*hearing)]
    for each in listeners:
        each.close()
    return taken


def _joiner(server: Server, token: str) -> Callable[[], Awaitable[Listener]]:
    async def join() -> Listener:
        joined = await listener.socket(server.port, f"/realtime/v1/websocket?apikey={server.anon_key}&vsn=2.0.0")
        config = {"presence": {"enabled": False}, "postgres_changes": [CHANGES]}
        payload = {"config": config, "access_token": token}
        joined.writer.write(listener.frame(["1", "1", "realtime:bench", "phx_join", payload]))
        await joined.hears(b"Subscribed to PostgreSQL")
        return joined

    return join


def _signer(server: Server, sessions: Iterator[str]) -> Callable[[str], Awaitable[None]]:
    picture, headers = sign.signature(), {**server.headers(), "Prefer": "return=minimal"}

    async def insert(word: str) -> None:
        signer = {"signer_name": word, "signer_email": "gil@example.com", "signature": picture}
        asked = load.request("POST", "/rest/v1/signed_waivers", headers, {"session_id": next(sessions), **signer})
        await load.once(server.port, asked, status=201)

    return insert


async def _open_sessions(server: Server, company: str) -> Iterator[str]:
    connection = await asyncpg.connect(server.db_url)
    opened = await connection.fetch(sign.OPEN_SESSIONS, company, sign.SESSIONS)
    await connection.close()
    return itertools.cycle(str(record["id"]) for record in opened)


async def _idle_sockets(server: Server, token: str) -> Row:
    join, before = _joiner(server, token), _resident(server)
    listeners = [await join() for _ in range(1000)]
    grown = _resident(server) - before
    for each in listeners:
        each.close()
    return Row("1,000 idle sockets", grown, 150, "MB more", "each joined to one channel", less_is_better=True)


def _resident(server: Server) -> float:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{server.pid}/status").read_text())
    if found is None:
        raise SystemExit("error: the memory of the server cannot be read")
    return int(found[1]) / 1024


async def _cost(server: Server, sessions: Iterator[str], token: str, seconds: int) -> Row:
    """In turns, because the machine has its own moods."""
    request = sign.signing(server, sessions, sign.signature())
    rates: dict[str, list[float]] = {"disable": [], "enable": []}
    for turn in ("disable", "enable") * 3:
        await _switch(server, turn)
        watcher = await _joiner(server, token)() if turn == "enable" else None
        watching = asyncio.create_task(_drain(watcher)) if watcher else None
        rates[turn].append(await load.rate(server.port, CLIENTS, max(1, seconds / 3), request, status=201))
        if watching:
            watching.cancel()
    off, on = (statistics.median(rates[turn]) for turn in ("disable", "enable"))
    facts = f"{on:.0f} a second told to one who watches, {off:.0f} without"
    return Row("sign with realtime on", on / off, 0.85, "of off", facts)


async def _drain(watcher: Listener) -> None:
    try:
        while await watcher.reader.read(65_536):
            pass
    finally:
        watcher.close()


async def _switch(server: Server, turn: str) -> None:
    connection = await asyncpg.connect(server.db_url)
    await connection.execute(f"alter table waivers.signed {turn} trigger note_change")
    await connection.close()
