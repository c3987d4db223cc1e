"""What each optimization saves: the server compared with the same server without it, in alternating rounds.

`python -m bench.shortcuts` runs this part alone. A row that misses its goal means that the code in the named module is
no longer worth its complexity. The CPU time of the server process is compared, because other work on the machine hardly
changes it; only the plan of a statement is measured by the clock, because PostgreSQL spends that time.
"""

import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvloop

from bench import cpu, load
from bench.load import CLIENTS
from bench.row import Row
from bench.server import Server, running
from bench.trip import NEWEST, RETURNING, SCHEMA, TABLE, TRIP

ROWS: Mapping[str, str] = {
    "cairn/one_write.py": "list with one write",
    "cairn/db/pipeline.py": "list with the pipeline",
    "cairn/rest/statement_cache.py": "insert with the statement cache",
    "cairn/db/write_settings.py": "insert into a table that has grown",
    "cairn/waivers/documents/sealing/signature_template.py": "seal with the signature template",
}
"""The row of each optimization. bench/documents.py measures the last one."""

ROUNDS = 16
WARM_UP_SECONDS = 1
GROUPS_BEFORE, GROUPS_AFTER = 20, 20_000
# Without autovacuum, because an ANALYZE replaces the plans that were made for the short table.
GROUPS = f"""
create table public.bench_groups (id int primary key) with (autovacuum_enabled = off);
create table public.bench_guests (group_id int not null references public.bench_groups);
grant insert on public.bench_guests to anon;
insert into public.bench_groups select generate_series(1, {GROUPS_BEFORE});
"""
GROW = f"insert into public.bench_groups select generate_series({GROUPS_BEFORE} + 1, {GROUPS_AFTER})"


@dataclass(slots=True)
class Side:
    """One of the two servers, and the sums of its rounds."""

    server: Server
    requests: int = 0
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0

    @property
    def rate(self) -> float:
        return self.requests / self.wall_seconds

    @property
    def cpu_per_request(self) -> float:
        return self.cpu_seconds / self.requests


@dataclass(frozen=True, slots=True)
class Load:
    next_request: Callable[[], bytes]
    status: int


async def measure(server: Server, data: Path, seconds: int) -> list[Row]:
    """The table of trips must exist."""
    headers = server.headers()
    newest = load.request("GET", f"/rest/v1/{NEWEST}", headers)
    insert = load.request("POST", f"/rest/v1/{TABLE}?select=id", {**headers, **RETURNING}, TRIP)
    listing, inserting = Load(lambda: newest, 200), Load(lambda: insert, 201)
    return [
        await _compare_cpu(server, data, "cairn/one_write.py", listing, goal=0.97, seconds=seconds),
        await _compare_cpu(server, data, "cairn/db/pipeline.py", listing, goal=0.7, seconds=seconds),
        await _compare_cpu(server, data, "cairn/rest/statement_cache.py", inserting, goal=0.8, seconds=seconds),
        await _compare_plans(server, data, seconds),
    ]


async def _compare_cpu(server: Server, data: Path, module: str, requests: Load, *, goal: float, seconds: int) -> Row:
    with _server_without(module, data) as plain:
        ours, theirs = Side(server), Side(plain)
        await _warm_up(ours, theirs, requests)
        await _alternate(ours, theirs, requests, seconds)
    ratio = ours.cpu_per_request / theirs.cpu_per_request
    details = (
        f"{ours.cpu_per_request * 1e6:.0f} µs of CPU a request, without it {theirs.cpu_per_request * 1e6:.0f}; "
        f"{ours.rate:.0f} a second, without it {theirs.rate:.0f}"
    )
    return Row(ROWS[module], ratio, goal, "of the CPU time without it", details, less_is_better=True)


async def _compare_plans(server: Server, data: Path, seconds: int) -> Row:
    """Both servers make the plan of the foreign key check while the referenced table is short; then the table grows."""
    module = "cairn/db/write_settings.py"
    await server.execute(GROUPS, "analyze public.bench_groups", "notify pgrst")
    with _server_without(module, data) as plain:
        ours, theirs = Side(server), Side(plain)
        await _warm_up(ours, theirs, _guests(server, GROUPS_BEFORE))
        await server.execute(GROW)
        await _alternate(ours, theirs, _guests(server, GROUPS_AFTER), seconds)
    details = f"{ours.rate:.0f} a second, without it {theirs.rate:.0f}; referenced table grown to {GROUPS_AFTER:,} rows"
    return Row(ROWS[module], theirs.rate / ours.rate, 0.7, "of the time without it", details, less_is_better=True)


def _guests(server: Server, groups: int) -> Load:
    headers = {**server.headers(), "Prefer": "return=minimal"}
    inserts = [
        load.request("POST", "/rest/v1/bench_guests", headers, {"group_id": random.randint(1, groups)})  # noqa: S311 - any group will do
        for _ in range(200)
    ]
    return Load(lambda: random.choice(inserts), 201)  # noqa: S311 - any group will do


async def _warm_up(ours: Side, theirs: Side, requests: Load) -> None:
    """Fills the caches and prepares the statements on every connection of both servers."""
    for side in (ours, theirs):
        await load.rate(side.server.port, CLIENTS, WARM_UP_SECONDS, requests.next_request, requests.status)


async def _alternate(ours: Side, theirs: Side, requests: Load, seconds: int) -> None:
    for _ in range(ROUNDS):
        for side in (ours, theirs):
            cpu_before = cpu.process_seconds(side.server.pid)
            responses, wall = await load.count(
                side.server.port, CLIENTS, seconds / ROUNDS, requests.next_request, requests.status
            )
            side.requests += responses
            side.wall_seconds += wall
            side.cpu_seconds += cpu.process_seconds(side.server.pid) - cpu_before


@contextmanager
def _server_without(module: str, data: Path) -> Iterator[Server]:
    """A second server on the same database, without the optimization of this module."""
    command = (sys.executable, "-m", "bench.cairn_without", module)
    with running(data, worker=False, command=command) as server:
        yield server


async def main() -> None:
    with tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder, running(Path(folder), worker=False) as server:
        await server.execute(SCHEMA, "notify pgrst")
        await server.settle()
        for row in await measure(server, Path(folder), seconds=8):
            print("  ".join(row.cells()), flush=True)


if __name__ == "__main__":
    uvloop.run(main())
