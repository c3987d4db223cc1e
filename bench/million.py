"""Lists and search for a company with nine hundred thousand sessions, compared with one that has a thousand."""

import json
from pathlib import Path

import asyncpg

from bench import load, pgbench
from bench.listing import PATH
from bench.load import CLIENTS
from bench.row import Row
from bench.server import Server

FILL = Path(__file__).parent.parent / "tests" / "rest" / "million.sql"
LARGE_COMPANY, SMALL_COMPANY = ("00000000-0000-4000-8000-000000000000", "00000000-0000-4000-8000-000000000001")
TERMS = {"rare": "f4239", "common": "carla"}
SCRIPT = """
begin;
set local role authenticated;
select set_config('request.jwt.claims', :claims, true);
select coalesce(json_agg(found), '[]')
  from (select id, name from public.waiver_directory(:term, up_to => 20)) as found;
commit;
"""


async def fill(server: Server) -> None:
    await server.execute(FILL.read_text(), "vacuum analyze")


async def measure(server: Server, token: str, user_id: str, seconds: int) -> list[Row]:
    await fill(server)
    connection = await asyncpg.connect(server.db_url)
    join_company = "update public.profiles set company_id = $2 where id = $1"
    await connection.execute(join_company, user_id, SMALL_COMPANY)
    thousand = await _list_rate(server, token, seconds)
    await connection.execute(join_company, user_id, LARGE_COMPANY)
    million = await _list_rate(server, token, seconds)
    await connection.close()
    details = f"{million:.0f} a second, with 1,000 rows {thousand:.0f}; {CLIENTS} clients"
    listing = Row("list at 1M rows against 1k", thousand / million, 1.3, "x the time", details, less_is_better=True)
    claims = json.dumps({"sub": user_id, "role": "authenticated"})
    return [listing, *[await _measure_search(server, token, claims, kind, seconds) for kind in TERMS]]


async def _list_rate(server: Server, token: str, seconds: int) -> float:
    request = load.request("GET", PATH, server.headers(token))
    return await load.rate(server.port, CLIENTS, seconds, lambda: request, status=200)


async def _measure_search(server: Server, token: str, claims: str, kind: str, seconds: int) -> Row:
    term, path = TERMS[kind], "/rest/v1/rpc/waiver_directory?select=id,name"
    request = load.request("POST", path, server.headers(token), {"term": term, "up_to": 20})
    served, alone = await pgbench.compare(
        server, lambda: request, SCRIPT, status=200, seconds=seconds, claims=claims, term=term
    )
    details = f"{served:.0f} a second, the statement alone {alone:.0f}; {CLIENTS} clients"
    what = f"search at 1M rows, {kind} term"
    return Row(what, alone / served, 2, "x pgbench's time", details, less_is_better=True)
