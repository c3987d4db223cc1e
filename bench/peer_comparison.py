"""List, insert, sign in and refresh, compared with two other servers that do the same."""

import asyncio
import json
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import astuple, dataclass
from pathlib import Path

import httpx

from bench import load
from bench.load import CLIENTS
from bench.peers import PERSON, Peer, PeerMissing, lite, pocketbase
from bench.peers.lite import prepare
from bench.row import Row
from bench.server import Server
from bench.trip import NEWEST, RETURNING, SCHEMA, TABLE, TRIP

ROUNDS = 8
"""The rounds of the servers alternate, and the median counts, because other work on the machine comes and goes."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Requests a second, except for `refreshed`."""

    listed: float
    inserted: float
    signed_in: float
    refreshed: float
    """The median time in seconds."""


async def measure(server: Server, data: Path, seconds: int) -> list[Row]:
    await server.execute(SCHEMA, "notify pgrst")
    await prepare(server.db_url)
    await server.settle()
    with ExitStack() as running:
        peers = [_cairn(server), *_available(running, lite(server.db_url, data), pocketbase(data))]
        rounds = [[await _measure_rates(peer, seconds / ROUNDS) for peer in peers] for _ in range(ROUNDS)]
    ours, *theirs = (_median(rates) for rates in zip(*rounds, strict=True))
    return [row for peer, rates in zip(peers[1:], theirs, strict=True) for row in _rows(ours, rates, peer)]


def _available(running: ExitStack, *peers: AbstractContextManager[Peer]) -> Iterator[Peer]:
    for peer in peers:
        try:
            yield running.enter_context(peer)
        except PeerMissing as missing:
            print(f"A peer is left out: {missing}")


def _median(rates: Sequence[Rates]) -> Rates:
    return Rates(*(statistics.median(figures) for figures in zip(*map(astuple, rates), strict=True)))


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


def _rows(ours: Rates, theirs: Rates, peer: Peer) -> list[Row]:
    compared, unit, goals = f"beside {peer.name}", f"of {peer.name}", peer.goals
    rates = [
        ("list 10 trips", ours.listed, theirs.listed, goals.listed),
        ("insert a trip", ours.inserted, theirs.inserted, goals.inserted),
        ("sign in by password", ours.signed_in, theirs.signed_in, goals.signed_in),
    ]
    rows = [
        Row(f"{what}, {compared}", our / their, goal, unit, f"{our:.0f} a second, {peer.name} {their:.0f}")
        for what, our, their, goal in rates
    ]
    details = f"{ours.refreshed * 1000:.1f} ms, {peer.name} {theirs.refreshed * 1000:.1f}"
    ratio = ours.refreshed / theirs.refreshed
    what = f"refresh a session, p50, {compared}"
    return [*rows, Row(what, ratio, goals.refreshed, unit, details, less_is_better=True)]


async def _measure_rates(peer: Peer, seconds: float) -> Rates:
    return Rates(
        await load.rate(peer.port, CLIENTS, seconds, lambda: peer.listing, status=200),
        await load.rate(peer.port, CLIENTS, seconds, lambda: peer.inserting, status=peer.inserted),
        await load.rate(peer.port, CLIENTS, seconds, lambda: peer.signing_in, status=200),
        await _median_refresh(peer, seconds),
    )


async def _median_refresh(peer: Peer, seconds: float) -> float:
    until = time.perf_counter() + seconds
    times_by_client = await asyncio.gather(*(_refreshes(peer, until) for _ in range(CLIENTS)))
    return statistics.median(refresh for times in times_by_client for refresh in times)


async def _refreshes(peer: Peer, until: float) -> list[float]:
    """Refreshes one session with one token after another, and returns the seconds of each refresh."""
    reader, writer = await asyncio.open_connection("127.0.0.1", peer.port)
    times: list[float] = []
    request = peer.signing_in
    while True:
        began = time.perf_counter()
        writer.write(request)
        status, body = await load.read_response(reader)
        if status != 200:
            raise SystemExit(f"error: {peer.name} responded with {status}: {body[:300].decode()}")
        times.append(time.perf_counter() - began)
        if time.perf_counter() >= until:
            writer.close()
            await writer.wait_closed()
            return times[1:]
        request = peer.refreshing(json.loads(body))
