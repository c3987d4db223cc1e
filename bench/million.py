"""A company with nine hundred thousand sessions beside one with a thousand: lists, and search."""

import json
from pathlib import Path

import asyncpg

from bench import load, pgbench
from bench.listing import PATH
from bench.load import CLIENTS
from bench.row import Row
from bench.server import Server

LOAD = Path(__file__).parent.parent / "tests" / "rest" / "million.sql"
LARGE, SMALL = ("00000000-0000-4000-8000-000000000000", "00000000-0000-4000-8000-000000000001")
TERMS = {"rare": "f4239", "common": "carla"}
SAME = """
begin;
set local role authenticated;
select set_config('request.jwt.claims', :claims, true);
select coalesce(json_agg(found), '[]')
  from (select id, name from public.waiver_directory(:term, up_to => 20)) as found;
commit;
"""


async def measure(server: Server, token: str, person: str, seconds: int) -> list[Row]:
    connection = await asyncpg.connect(server.db_url)
    await connection.execute(LOAD.read_text())
    await connection.execute("vacuum analyze")
    join = "update public.profiles set company_id = $2 where id = $1"
    await connection.execute(join, person, SMALL)
    thousand = await _list(server, token, seconds)
    await connection.execute(join, person, LARGE)
    million = await _list(server, token, seconds)
    await connection.close()
    facts = f"{million:.0f} a second, with 1,000 rows {thousand:.0f}; {CLIENTS} clients"
    lists = Row("list at 1M rows against 1k", thousand / million, 1.3, "x the time", facts, less_is_better=True)
    claims = json.dumps({"sub": person, "role": "authenticated"})
    searches = [await _search(server, token, claims, kind, seconds) for kind in TERMS]
    return [lists, *searches]


async def _list(server: Server, token: str, seconds: int) -> float:
    asked = load.request("GET", PATH, server.headers(token))
    return await load.rate(server.port, CLIENTS, seconds, lambda: asked, status=200)


async def _search(server: Server, token: str, claims: str, kind: str, seconds: int) -> Row:
    term = TERMS[kind]
    asked = load.request(
        "POST",
        "/rest/v1/rpc/waiver_directory?select=id,name",
        server.headers(token),
        {"term": term, "up_to": 20},
    )
    whole, bare = await pgbench.beside(
        server, lambda: asked, SAME, status=200, seconds=seconds, claims=claims, term=term
    )
    facts = f"{whole:.0f} a second, the statement alone {bare:.0f}; {CLIENTS} clients"
    return Row(f"search at 1M rows, {kind} term", bare / whole, 2, "x pgbench's time", facts, less_is_better=True)
