"""The ten newest sessions, as the dashboard requests them, compared with the same statement in pgbench."""

import json

from bench import load, pgbench
from bench.load import CLIENTS
from bench.row import Row
from bench.server import Server

PATH = (
    "/rest/v1/waiver_sessions?select=id,template_name,recipient_name,status,created_at&order=created_at.desc&limit=10"
)
SCRIPT = """
begin;
set local role authenticated;
select set_config('request.jwt.claims', :claims, true);
select coalesce(json_agg(newest), '[]') from (
    select id, template_name, recipient_name, status, created_at from public.waiver_sessions
     order by created_at desc limit 10) as newest;
commit;
"""


async def measure(server: Server, token: str, user_id: str, seconds: int) -> Row:
    # Autovacuum would do this within a minute of so many writes.
    await server.execute("vacuum analyze")
    claims = json.dumps({"sub": user_id, "role": "authenticated"})
    request = load.request("GET", PATH, server.headers(token))
    served, alone = await pgbench.compare(server, lambda: request, SCRIPT, status=200, seconds=seconds, claims=claims)
    details = f"{served:.0f} a second, the statement alone {alone:.0f}; {CLIENTS} clients, 4,000 sessions"
    return Row("list the 10 newest", served / alone, 0.25, "of pgbench", details)
