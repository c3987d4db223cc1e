"""The ten newest sessions, as the dashboard asks for them, against the same statement without a service around it."""

import json

import asyncpg

from bench import load, pgbench
from bench.load import CLIENTS
from bench.row import Row
from bench.server import Server

PATH = (
    "/rest/v1/waiver_sessions?select=id,template_name,recipient_name,status,created_at&order=created_at.desc&limit=10"
)
SAME = """
begin;
set local role authenticated;
select set_config('request.jwt.claims', :claims, true);
select coalesce(json_agg(newest), '[]') from (
    select id, template_name, recipient_name, status, created_at from public.waiver_sessions
     order by created_at desc limit 10) as newest;
commit;
"""


async def measure(server: Server, token: str, person: str, seconds: int) -> Row:
    connection = await asyncpg.connect(server.db_url)
    # As autovacuum would have done within a minute of so many writes.
    await connection.execute("vacuum analyze")
    await connection.close()
    claims = json.dumps({"sub": person, "role": "authenticated"})
    asked = load.request("GET", PATH, server.headers(token))
    whole, bare = await pgbench.beside(server, lambda: asked, SAME, status=200, seconds=seconds, claims=claims)
    facts = f"{whole:.0f} a second, the statement alone {bare:.0f}; {CLIENTS} clients, 4,000 sessions"
    return Row("list the 10 newest", whole / bare, 0.25, "of pgbench", facts)
