"""Compares the lists of a company with 900,000 sessions and of one with 1,000, and the search with pgbench."""

import json
from pathlib import Path

import asyncpg

from bench import load, pgbench
from bench.listing import NEWEST_SESSIONS_PATH
from bench.load import CLIENT_COUNT
from bench.row import Row
from bench.server import Server

FILL_SQL = Path(__file__).parent.parent / "tests" / "rest" / "million.sql"
LARGE_COMPANY, SMALL_COMPANY = ("00000000-0000-4000-8000-000000000000", "00000000-0000-4000-8000-000000000001")
SEARCH_TERMS = {"rare": "f4239", "common": "carla"}
PGBENCH_SCRIPT = """
begin;
set local role authenticated;
select set_config('request.jwt.claims', :claims, true);
select coalesce(json_agg(found), '[]')
  from (select id, name from public.waiver_directory(:term, up_to => 20)) as found;
commit;
"""


async def insert_million_rows(server: Server) -> None:
    await server.execute(FILL_SQL.read_text(), "vacuum analyze")


async def measure(server: Server, token: str, user_id: str, seconds: int) -> list[Row]:
    await insert_million_rows(server)
    connection = await asyncpg.connect(server.db_url)
    set_company = "update public.profiles set company_id = $2 where id = $1"
    await connection.execute(set_company, user_id, SMALL_COMPANY)
    small_rate = await _measure_list_rate(server, token, seconds)
    await connection.execute(set_company, user_id, LARGE_COMPANY)
    large_rate = await _measure_list_rate(server, token, seconds)
    await connection.close()
    details = f"{large_rate:.0f} a second, with 1,000 rows {small_rate:.0f}; {CLIENT_COUNT} clients"
    listing = Row(
        "list at 1M rows against 1k",
        small_rate / large_rate,
        goal=1.3,
        unit="x the time",
        details=details,
        less_is_better=True,
    )
    claims = json.dumps({"sub": user_id, "role": "authenticated"})
    return [listing, *[await _measure_search(server, token, claims, kind, seconds) for kind in SEARCH_TERMS]]


async def _measure_list_rate(server: Server, token: str, seconds: int) -> float:
    request = load.build_request("GET", NEWEST_SESSIONS_PATH, server.headers(token))
    return await load.measure_rate(server.port, CLIENT_COUNT, seconds, lambda: request, status=200)


async def _measure_search(server: Server, token: str, claims: str, kind: str, seconds: int) -> Row:
    term, path = SEARCH_TERMS[kind], "/rest/v1/rpc/waiver_directory?select=id,name"
    request = load.build_request("POST", path, server.headers(token), {"term": term, "up_to": 20})
    service_rate, statement_rate = await pgbench.compare(
        server, lambda: request, PGBENCH_SCRIPT, status=200, seconds=seconds, claims=claims, term=term
    )
    details = f"{service_rate:.0f} a second, the statement alone {statement_rate:.0f}; {CLIENT_COUNT} clients"
    what = f"search at 1M rows, {kind} term"
    return Row(
        what, statement_rate / service_rate, goal=2, unit="x pgbench's time", details=details, less_is_better=True
    )
