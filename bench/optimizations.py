"""Measures what each optimization saves: compares the server with the same server without the optimization.

`python -m bench.optimizations` runs only this part. If an optimization misses its goal, the code in its module is no
longer worth its complexity. Most measurements compare the CPU time of the server process, because other work on the
machine hardly changes it. The one about query plans compares wall-clock time, because PostgreSQL and not the server
spends it.
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
from bench.load import CLIENT_COUNT
from bench.row import Row
from bench.server import Server, running_server
from bench.trips_table import CREATE_TRIPS, NEW_TRIP, NEWEST_TRIPS, RETURN_ROW, TABLE
from cairn.kit import frozen_dataclass

# This maps the module of each optimization to the name of its measurement. bench/documents.py contains the last one.
ROWS: Mapping[str, str] = {
    "cairn/one_write.py": "list with one write",
    "cairn/db/pipeline.py": "list with the pipeline",
    "cairn/rest/statement_cache.py": "insert with the statement cache",
    "cairn/db/write_settings.py": "insert into a table that has grown",
    "cairn/waivers/documents/sealing/signature_template.py": "seal with the signature template",
}

ROUND_COUNT = 16
WARM_UP_SECONDS = 1
GROUP_COUNT_BEFORE, GROUP_COUNT_AFTER = 20, 20_000
# Autovacuum is off, because its ANALYZE would replace the plans that were made for the short table.
CREATE_TABLES = f"""
create table public.bench_groups (id int primary key) with (autovacuum_enabled = off);
create table public.bench_guests (group_id int not null references public.bench_groups);
grant insert on public.bench_guests to anon;
insert into public.bench_groups select generate_series(1, {GROUP_COUNT_BEFORE});
"""
ADD_GROUPS = f"insert into public.bench_groups select generate_series({GROUP_COUNT_BEFORE} + 1, {GROUP_COUNT_AFTER})"


@dataclass(slots=True)
class MeasuredServer:
    """Adds up the rounds of one of the two servers."""

    server: Server
    request_count: int = 0
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0

    @property
    def rate(self) -> float:
        return self.request_count / self.wall_seconds

    @property
    def cpu_per_request(self) -> float:
        return self.cpu_seconds / self.request_count


@frozen_dataclass
class Workload:
    next_request: Callable[[], bytes]
    status: int


async def measure(server: Server, data: Path, seconds: int) -> list[Row]:
    """Measures all rows. The table of trips must exist."""
    headers = server.headers()
    newest_request = load.build_request("GET", f"/rest/v1/{NEWEST_TRIPS}", headers)
    insert_request = load.build_request("POST", f"/rest/v1/{TABLE}?select=id", {**headers, **RETURN_ROW}, NEW_TRIP)
    listing, inserting = Workload(lambda: newest_request, 200), Workload(lambda: insert_request, 201)
    return [
        await _compare_cpu(server, data, "cairn/one_write.py", listing, goal=0.97, seconds=seconds),
        await _compare_cpu(server, data, "cairn/db/pipeline.py", listing, goal=0.7, seconds=seconds),
        await _compare_cpu(server, data, "cairn/rest/statement_cache.py", inserting, goal=0.8, seconds=seconds),
        await _compare_plans(server, data, seconds),
    ]


async def _compare_cpu(
    server: Server, data: Path, module: str, workload: Workload, *, goal: float, seconds: int
) -> Row:
    with _server_without(module, data) as plain_server:
        optimized, plain = MeasuredServer(server), MeasuredServer(plain_server)
        await _warm_up(optimized, plain, workload)
        await _measure_alternately(optimized, plain, workload, seconds)
    ratio = optimized.cpu_per_request / plain.cpu_per_request
    details = (
        f"{optimized.cpu_per_request * 1e6:.0f} µs of CPU a request, without it {plain.cpu_per_request * 1e6:.0f}; "
        f"{optimized.rate:.0f} a second, without it {plain.rate:.0f}"
    )
    return Row(ROWS[module], ratio, goal, "of the CPU time without it", details, less_is_better=True)


async def _compare_plans(server: Server, data: Path, seconds: int) -> Row:
    """Compares how fast both servers insert after a referenced table has grown.

    PostgreSQL plans the check of the foreign key while the referenced table is short. Without the optimization, that
    plan reads the whole table, and is still used after the table has grown.
    """
    module = "cairn/db/write_settings.py"
    await server.execute(CREATE_TABLES, "analyze public.bench_groups", "notify pgrst")
    with _server_without(module, data) as plain_server:
        optimized, plain = MeasuredServer(server), MeasuredServer(plain_server)
        await _warm_up(optimized, plain, _guest_inserts(server, GROUP_COUNT_BEFORE))
        await server.execute(ADD_GROUPS)
        await _measure_alternately(optimized, plain, _guest_inserts(server, GROUP_COUNT_AFTER), seconds)
    details = (
        f"{optimized.rate:.0f} a second, without it {plain.rate:.0f}; "
        f"referenced table grown to {GROUP_COUNT_AFTER:,} rows"
    )
    return Row(
        ROWS[module],
        plain.rate / optimized.rate,
        goal=0.7,
        unit="of the time without it",
        details=details,
        less_is_better=True,
    )


def _guest_inserts(server: Server, group_count: int) -> Workload:
    headers = {**server.headers(), "Prefer": "return=minimal"}
    inserts = [
        load.build_request("POST", "/rest/v1/bench_guests", headers, {"group_id": random.randint(1, group_count)})  # noqa: S311 - not used for security
        for _ in range(200)
    ]
    return Workload(lambda: random.choice(inserts), 201)  # noqa: S311 - not used for security


async def _warm_up(optimized: MeasuredServer, plain: MeasuredServer, workload: Workload) -> None:
    """Fills the caches and prepares the statements on every connection of both servers."""
    for measured_server in (optimized, plain):
        await load.measure_rate(
            measured_server.server.port, CLIENT_COUNT, WARM_UP_SECONDS, workload.next_request, workload.status
        )


async def _measure_alternately(
    optimized: MeasuredServer, plain: MeasuredServer, workload: Workload, seconds: int
) -> None:
    for _ in range(ROUND_COUNT):
        for measured_server in (optimized, plain):
            cpu_before = cpu.process_seconds(measured_server.server.pid)
            response_count, wall_seconds = await load.count_responses(
                measured_server.server.port, CLIENT_COUNT, seconds / ROUND_COUNT, workload.next_request, workload.status
            )
            measured_server.request_count += response_count
            measured_server.wall_seconds += wall_seconds
            measured_server.cpu_seconds += cpu.process_seconds(measured_server.server.pid) - cpu_before


@contextmanager
def _server_without(module: str, data: Path) -> Iterator[Server]:
    """Runs a second server on the same database, without the optimization in `module`."""
    command = (sys.executable, "-m", "bench.cairn_without", module)
    with running_server(data, worker=False, command=command) as server:
        yield server


async def main() -> None:
    with (
        tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder,
        running_server(Path(folder), worker=False) as server,
    ):
        await server.execute(CREATE_TRIPS, "notify pgrst")
        await server.settle()
        for row in await measure(server, Path(folder), seconds=8):
            print("  ".join(row.cells()), flush=True)


if __name__ == "__main__":
    uvloop.run(main())
