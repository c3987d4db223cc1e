"""What every such server does: ten newest, one more, getting in, staying in. Ours beside theirs, in one run."""

import asyncio
import json
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import astuple, dataclass
from pathlib import Path

import asyncpg
import httpx

from bench import load
from bench.load import CLIENTS
from bench.peers import PERSON, Peer, PeerMissing, lite, pocketbase
from bench.peers.lite import prepare
from bench.row import Row
from bench.server import Server
from bench.trip import NEWEST, RETURNING, SCHEMA, TABLE, TRIP

ROUNDS = 8
"""In turns, and the median of each: no machine is equally quick from one minute to the next."""


@dataclass(frozen=True, slots=True)
class Pace:
    listed: float
    inserted: float
    signed_in: float
    refreshed: float
    """Seconds, the median; the others are answers a second."""


async def measure(server: Server, data: Path, seconds: int) -> list[Row]:
    connection = await asyncpg.connect(server.db_url)
    await connection.execute(SCHEMA)
    await connection.execute("notify pgrst")
    await connection.close()
    await prepare(server.db_url)
    await server.settle()
    with ExitStack() as running:
        peers = [_cairn(server), *_at_hand(running, lite(server.db_url, data), pocketbase(data))]
        rounds = [[await _pace(peer, seconds / ROUNDS) for peer in peers] for _ in range(ROUNDS)]
    ours, *theirs = (_median(paces) for paces in zip(*rounds, strict=True))
    return [row for peer, pace in zip(peers[1:], theirs, strict=True) for row in _compared(ours, pace, peer)]


def _at_hand(running: ExitStack, *starting: AbstractContextManager[Peer]) -> Iterator[Peer]:
    for peer in starting:
        try:
            yield running.enter_context(peer)
        except PeerMissing as missing:
            print(f"A peer is left out: {missing}")


def _median(paces: Sequence[Pace]) -> Pace:
    return Pace(*(statistics.median(figures) for figures in zip(*map(astuple, paces), strict=True)))


def _cairn(server: Server) -> Peer:
    headers = server.headers()
    httpx.post(f"{server.url}/auth/v1/signup", json=PERSON, headers=headers).raise_for_status()
    return Peer(
        "Cairn",
        server.port,
        load.request("GET", f"/rest/v1/{NEWEST}", headers),
        load.request("POST", f"/rest/v1/{TABLE}?select=id", {**headers, **RETURNING}, TRIP),
        201,
        load.request("POST", "/auth/v1/token?grant_type=password", headers, PERSON),
        lambda session: load.request(
            "POST", "/auth/v1/token?grant_type=refresh_token", headers, {"refresh_token": session["refresh_token"]}
        ),
    )


def _compared(ours: Pace, theirs: Pace, peer: Peer) -> list[Row]:
    beside, unit, goals = f"beside {peer.name}", f"of {peer.name}", peer.goals
    rates = [
        ("list 10 trips", ours.listed, theirs.listed, goals.listed),
        ("insert a trip", ours.inserted, theirs.inserted, goals.inserted),
        ("sign in by password", ours.signed_in, theirs.signed_in, goals.signed_in),
    ]
    rows = [
        Row(f"{what}, {beside}", our / their, goal, unit, f"{our:.0f} a second, {peer.name} {their:.0f}")
        for what, our, their, goal in rates
    ]
    facts = f"{ours.refreshed * 1000:.1f} ms, {peer.name} {theirs.refreshed * 1000:.1f}"
    ratio = ours.refreshed / theirs.refreshed
    return [*rows, Row(f"refresh a session, p50, {beside}", ratio, goals.refreshed, unit, facts, less_is_better=True)]


async def _pace(peer: Peer, seconds: float) -> Pace:
    return Pace(
        await load.rate(peer.port, CLIENTS, seconds, lambda: peer.listing, status=200),
        await load.rate(peer.port, CLIENTS, seconds, lambda: peer.inserting, status=peer.inserted),
        await load.rate(peer.port, CLIENTS, seconds, lambda: peer.signing_in, status=200),
        await _median_refresh(peer, seconds),
    )


async def _median_refresh(peer: Peer, seconds: float) -> float:
    until = time.perf_counter() + seconds
    each = await asyncio.gather(*(_refreshes(peer, until) for _ in range(CLIENTS)))
    return statistics.median(taken for some in each for taken in some)


async def _refreshes(peer: Peer, until: float) -> list[float]:
    """Of one session of one's own, each with what the last one gave."""
    reader, writer = await asyncio.open_connection("127.0.0.1", peer.port)
    taken: list[float] = []
    asked = peer.signing_in
    while True:
        began = time.perf_counter()
        writer.write(asked)
        status, answer = await load.answer(reader)
        if status != 200:
            raise SystemExit(f"error: {peer.name} answered {status}: {answer[:300].decode()}")
        taken.append(time.perf_counter() - began)
        if time.perf_counter() >= until:
            writer.close()
            await writer.wait_closed()
            return taken[1:]
        asked = peer.refreshing(json.loads(answer))
