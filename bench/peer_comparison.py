"""Compares Cairn with two other servers: in listing, inserting, signing in and refreshing a session."""

import asyncio
import json
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import astuple
from pathlib import Path
from typing import Any

import httpx

from bench import load
from bench.load import CLIENT_COUNT
from bench.peers import ACCOUNT, Peer, PeerMissing, lite, pocketbase
from bench.peers.lite import create_database
from bench.row import Row
from bench.server import Server
from bench.trips_table import CREATE_TRIPS, NEW_TRIP, NEWEST_TRIPS, RETURN_ROW, TABLE
from cairn.kit import frozen_dataclass

# The servers are measured in alternating rounds and the median counts, so that other work on the machine matters less.
ROUND_COUNT = 8


@frozen_dataclass
class Measurements:
    """Holds the results of one server, in one round or as the medians of all rounds."""

    lists_per_second: float
    inserts_per_second: float
    sign_ins_per_second: float
    median_refresh_seconds: float


async def measure(server: Server, data: Path, seconds: int) -> list[Row]:
    await server.execute(CREATE_TRIPS, "notify pgrst")
    await create_database(server.db_url)
    await server.settle()
    with ExitStack() as stack:
        peers = [_cairn_as_peer(server), *_start_available(stack, lite(server.db_url, data), pocketbase(data))]
        rounds = [[await _measure_peer(peer, seconds / ROUND_COUNT) for peer in peers] for _ in range(ROUND_COUNT)]
    ours, *theirs = (_median(rates) for rates in zip(*rounds, strict=True))
    return [row for peer, rates in zip(peers[1:], theirs, strict=True) for row in _rows(ours, rates, peer)]


def _start_available(stack: ExitStack, *peers: AbstractContextManager[Peer]) -> Iterator[Peer]:
    for peer in peers:
        try:
            yield stack.enter_context(peer)
        except PeerMissing as error:
            print(f"A peer is skipped: {error}")


def _median(rates: Sequence[Measurements]) -> Measurements:
    return Measurements(*(statistics.median(values) for values in zip(*map(astuple, rates), strict=True)))


def _cairn_as_peer(server: Server) -> Peer:
    headers = server.headers()
    httpx.post(f"{server.url}/auth/v1/signup", json=ACCOUNT, headers=headers).raise_for_status()
    return Peer(
        "Cairn",
        server.port,
        load.build_request("GET", f"/rest/v1/{NEWEST_TRIPS}", headers),
        load.build_request("POST", f"/rest/v1/{TABLE}?select=id", {**headers, **RETURN_ROW}, NEW_TRIP),
        201,
        load.build_request("POST", "/auth/v1/token?grant_type=password", headers, ACCOUNT),
        lambda session: load.build_request(
            "POST", "/auth/v1/token?grant_type=refresh_token", headers, {"refresh_token": session["refresh_token"]}
        ),
    )


def _rows(ours: Measurements, theirs: Measurements, peer: Peer) -> list[Row]:
    comparison, unit, goals = f"beside {peer.name}", f"of {peer.name}", peer.goals
    rates = [
        ("list 10 trips", ours.lists_per_second, theirs.lists_per_second, goals.lists),
        ("insert a trip", ours.inserts_per_second, theirs.inserts_per_second, goals.inserts),
        ("sign in by password", ours.sign_ins_per_second, theirs.sign_ins_per_second, goals.sign_ins),
    ]
    rows = [
        Row(f"{what}, {comparison}", our / their, goal, unit, f"{our:.0f} a second, {peer.name} {their:.0f}")
        for what, our, their, goal in rates
    ]
    details = f"{ours.median_refresh_seconds * 1000:.1f} ms, {peer.name} {theirs.median_refresh_seconds * 1000:.1f}"
    ratio = ours.median_refresh_seconds / theirs.median_refresh_seconds
    what = f"refresh a session, p50, {comparison}"
    return [*rows, Row(what, ratio, goals.refreshes, unit, details, less_is_better=True)]


async def _measure_peer(peer: Peer, seconds: float) -> Measurements:
    return Measurements(
        await load.measure_rate(peer.port, CLIENT_COUNT, seconds, lambda: peer.list_request, status=200),
        await load.measure_rate(
            peer.port, CLIENT_COUNT, seconds, lambda: peer.insert_request, status=peer.insert_status
        ),
        await load.measure_rate(peer.port, CLIENT_COUNT, seconds, lambda: peer.sign_in_request, status=200),
        await _measure_median_refresh(peer, seconds),
    )


async def _measure_median_refresh(peer: Peer, seconds: float) -> float:
    times_by_client = await asyncio.gather(*(_time_refreshes(peer, seconds) for _ in range(CLIENT_COUNT)))
    return statistics.median(refresh for times in times_by_client for refresh in times)


async def _time_refreshes(peer: Peer, seconds: float) -> list[float]:
    """Signs in, refreshes the session for some seconds, and returns how long each refresh took."""
    reader, writer = await asyncio.open_connection("127.0.0.1", peer.port)
    session = await _request_session(peer, peer.sign_in_request, reader, writer)
    deadline = time.perf_counter() + seconds
    times: list[float] = []
    while time.perf_counter() < deadline:
        started_at = time.perf_counter()
        session = await _request_session(peer, peer.build_refresh_request(session), reader, writer)
        times.append(time.perf_counter() - started_at)
    writer.close()
    await writer.wait_closed()
    return times


async def _request_session(
    peer: Peer, request: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> Any:
    writer.write(request)
    status, body = await load.read_response(reader)
    if status != 200:
        raise SystemExit(f"error: {peer.name} responded with {status}: {body[:300].decode()}")
    return json.loads(body)
