"""Measures whether the open dashboards of other companies slow down a signing.

`python -m bench.other_companies` runs only this part, if needed with other numbers of companies.
"""

import argparse
import asyncio
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

import asyncpg
import uvloop

from bench import cpu, listener, realtime
from bench.listener import Listener
from bench.row import Row
from bench.server import Server, running_server
from cairn.auth import Keyring
from cairn.kit import frozen_dataclass, now
from cairn.settings import load_settings

COMPANY_COUNTS = (1, 50, 600, 5000)
GOAL_RATIO = 1.3
JOINS_AT_ONCE = 4
# All dashboards are opened from one address and send no heartbeats. The default limits would close them.
SETTINGS = {
    "CAIRN_REALTIME__SOCKETS_PER_NETWORK": "10000",
    "CAIRN_REALTIME__RECEIVED_UNITS_PER_NETWORK": "1000000000",
    "CAIRN_REALTIME__KEPT_BYTES_PER_NETWORK": "67108864",
    "CAIRN_REALTIME__SILENCE": "PT1H",
}
# The rows are inserted without triggers, because checking the settings of each new company would take minutes.
SIGN_UP = """
set session_replication_role = replica;
insert into auth.users (email) select 'owner' || number || '@example.com' from generate_series(1, {count}) as number;
insert into public.companies (id) select id from auth.users on conflict do nothing;
insert into public.profiles (id, role, name, email, company_id)
select id, 'company', 'Owner', email, id from auth.users on conflict do nothing;
insert into auth.sessions (user_id) select id from auth.users;
reset session_replication_role;
analyze auth.users, auth.sessions, public.companies, public.profiles;
"""


@frozen_dataclass
class Cost:
    """The median time until a signing is delivered, and the CPU time of PostgreSQL for each signing."""

    delivery_seconds: float
    database_seconds: float


async def measure(company_counts: Sequence[int] = COMPANY_COUNTS) -> list[Row]:
    with (
        tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder,
        running_server(Path(folder), SETTINGS, worker=False) as server,
    ):
        keyring = Keyring(load_settings(data=Path(folder)).auth)
        connection = await asyncpg.connect(server.db_url)
        try:
            tokens = await _sign_up_companies(connection, keyring, max(company_counts))
            costs = await _measure_costs(server, connection, tokens, company_counts)
        finally:
            await connection.close()
    return _rows(costs)


async def _sign_up_companies(
    connection: "asyncpg.Connection[asyncpg.Record]", keyring: Keyring, count: int
) -> list[str]:
    """Returns the access token of each company's owner."""
    await connection.execute(SIGN_UP.format(count=count))
    owners = await connection.fetch("select user_id, id as session_id from auth.sessions")
    return [
        keyring.access_token({"sub": str(owner["user_id"]), "session_id": str(owner["session_id"])}, now())
        for owner in owners
    ]


async def _measure_costs(
    server: Server,
    connection: "asyncpg.Connection[asyncpg.Record]",
    tokens: Sequence[str],
    company_counts: Sequence[int],
) -> list[tuple[int, Cost]]:
    """Returns the cost for each number of other companies. The first and the last entry are without other companies."""
    token, company_id = await asyncio.to_thread(server.sign_up_company)
    sign = realtime.sign_function(server, await realtime.open_sessions(server, company_id))
    subscribe = realtime.subscribe_to_waivers(server, token)
    await server.settle()
    await realtime.measure_latencies(subscribe, sign, 1)

    async def measure_cost() -> Cost:
        before = await _database_seconds(connection)
        latencies = await realtime.measure_latencies(subscribe, sign, 1)
        after = await _database_seconds(connection)
        used_seconds = sum(seconds - before[pid] for pid, seconds in after.items() if pid in before)
        return Cost(statistics.median(latencies), used_seconds / len(latencies))

    costs = [(0, await measure_cost())]
    dashboards: list[Listener] = []
    for count in company_counts:
        dashboards += await _open_dashboards(server, tokens[len(dashboards) : count])
        costs.append((count, await measure_cost()))
    for dashboard in dashboards:
        # A response shows that the dashboard is still connected. Otherwise it would have cost nothing.
        dashboard.writer.write(listener.websocket_frame([None, "2", "phoenix", "heartbeat", {}]))
        await dashboard.wait_for(b"phoenix")
        dashboard.close()
    # The server needs a moment to notice that the dashboards are closed.
    await asyncio.sleep(2)
    return [*costs, (0, await measure_cost())]


async def _database_seconds(connection: "asyncpg.Connection[asyncpg.Record]") -> dict[int, float]:
    """Returns the CPU seconds of each process of PostgreSQL, except the one of this connection."""
    processes = await connection.fetch("select pid from pg_stat_activity where pid <> pg_backend_pid()")
    return {process["pid"]: cpu.precise_seconds(process["pid"]) for process in processes}


async def _open_dashboards(server: Server, tokens: Sequence[str]) -> list[Listener]:
    slots = asyncio.Semaphore(JOINS_AT_ONCE)

    async def open_dashboard(token: str) -> Listener:
        async with slots:
            return await realtime.subscribe_to_waivers(server, token)()

    return await asyncio.gather(*map(open_dashboard, tokens))


def _rows(costs: Sequence[tuple[int, Cost]]) -> list[Row]:
    deliveries = [(count, cost.delivery_seconds) for count, cost in costs]
    database = [(count, cost.database_seconds) for count, cost in costs]
    return [
        _row("delivery of a signing, p50, while other companies watch", deliveries),
        _row("PostgreSQL's CPU time for a signing while other companies watch", database),
    ]


def _row(what: str, seconds_by_count: Sequence[tuple[int, float]]) -> Row:
    """Compares the worst case with the mean of the two measurements without other companies."""
    alone = statistics.mean(seconds for count, seconds in seconds_by_count if count == 0)
    ratio = max(seconds for count, seconds in seconds_by_count if count > 0) / alone
    details = ", ".join(f"{count:,}: {seconds * 1000:.1f}" for count, seconds in seconds_by_count)
    return Row(what, ratio, GOAL_RATIO, "of alone", f"other companies: milliseconds; {details}", less_is_better=True)


async def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.other_companies")
    parser.add_argument("counts", type=int, nargs="*", default=COMPANY_COUNTS, help="numbers of other companies")
    for row in await measure(parser.parse_args().counts):
        print("  ".join(row.cells()))


if __name__ == "__main__":
    uvloop.run(main())
