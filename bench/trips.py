"""Ten newest and one more, on a table that every server can have: ours beside theirs."""

from pathlib import Path

import asyncpg

from bench import load
from bench.peers import Peer, PeerMissing, lite, pocketbase
from bench.peers.lite import prepare
from bench.row import Row
from bench.server import Server
from bench.trip import NEWEST, RETURNING, SCHEMA, TABLE, TRIP

CLIENTS = 8


async def measure(server: Server, data: Path, seconds: int) -> list[Row]:
    connection = await asyncpg.connect(server.db_url)
    await connection.execute(SCHEMA)
    await connection.execute("notify pgrst")
    await connection.close()
    headers = server.headers()
    ours = await _rates(
        Peer(
            "Cairn",
            server.port,
            load.request("GET", f"/rest/v1/{NEWEST}", headers),
            load.request("POST", f"/rest/v1/{TABLE}?select=id", {**headers, **RETURNING}, TRIP),
            201,
        ),
        seconds,
    )
    await prepare(server.db_url)
    rows: list[Row] = []
    for name, peer, goals in (
        ("@supabase/lite", lite(server.db_url, data), (5, 4)),
        ("PocketBase", pocketbase(data), (1, 1)),
    ):
        try:
            with peer as running:
                theirs = await _rates(running, seconds)
        except PeerMissing as missing:
            print(f"{name} is left out: {missing}")
            continue
        for what, our, their, goal in zip(("list 10 trips", "insert a trip"), ours, theirs, goals, strict=True):
            facts = f"{our:.0f} a second, {name} {their:.0f}; {CLIENTS} clients"
            rows.append(Row(f"{what}, beside {name}", our / their, goal, f"of {name}", facts))
    return rows


async def _rates(peer: Peer, seconds: int) -> tuple[float, float]:
    listed = await load.rate(peer.port, CLIENTS, seconds, lambda: peer.listing, status=200)
    inserted = await load.rate(peer.port, CLIENTS, seconds, lambda: peer.inserting, status=peer.inserted)
    return listed, inserted
