"""Compares listing the ten newest sessions, as the dashboard does, with the same statement in pgbench."""

import json

from bench import load, pgbench
from bench.load import CLIENT_COUNT
from bench.row import Row
from bench.server import Server
from bench.sign import SESSION_COUNT

NEWEST_SESSIONS_PATH = (
    "/rest/v1/waiver_sessions?select=id,template_name,recipient_name,status,created_at&order=created_at.desc&limit=10"
)
PGBENCH_SCRIPT = """
begin;
set local role authenticated;
select set_config('request.jwt.claims', :claims, true);
select coalesce(json_agg(newest), '[]') from (
    select id, template_name, recipient_name, status, created_at from public.waiver_sessions
     order by created_at desc limit 10) as newest;
commit;
"""


async def measure(server: Server, token: str, user_id: str, seconds: int) -> Row:
    # The measurements before this one have written many rows. Normally, autovacuum would run within a minute.
    await server.execute("vacuum analyze")
    claims = json.dumps({"sub": user_id, "role": "authenticated"})
    request = load.build_request("GET", NEWEST_SESSIONS_PATH, server.headers(token))
    service_rate, statement_rate = await pgbench.compare(
        server, lambda: request, PGBENCH_SCRIPT, status=200, seconds=seconds, claims=claims
    )
    details = (
        f"{service_rate:.0f} a second, the statement alone {statement_rate:.0f}; "
        f"{CLIENT_COUNT} clients, {SESSION_COUNT:,} sessions"
    )
    return Row("list the 10 newest", service_rate / statement_rate, goal=0.25, unit="of pgbench", details=details)
