"""Measures what one waiver costs: CPU time, transactions, write-ahead log and stored bytes.

`python -m bench.waiver_cost` opens and signs a few hundred waivers, one after the other. The worker seals their
documents and sends the copies, which stay in the local mailbox.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Awaitable
from pathlib import Path

import asyncpg
import httpx
import uvloop

from bench import cpu
from bench.row import Row
from bench.server import Server, running_server
from bench.sign import random_signature
from cairn.db import Connection
from cairn.kit import frozen_dataclass

WAIVER_COUNT = 300
WARM_UP_COUNT = 20
IDLE_SECONDS = 30.0
MAX_WAIT_SECONDS = 600.0
TEMPLATE_ID = "template-general-liability"
IS_DONE = """
select not exists (select from waivers.signed where document_path is null)
   and not exists (select from jobs.procrastinate_jobs where status in ('todo', 'doing'))
   and not exists (select from jobs.events e join jobs.readers r on r.name = 'worker' and (e.xid, e.id) > (r.xid, r.id))
"""


@frozen_dataclass
class Totals:
    """What Cairn has used since it was started."""

    server_seconds: float
    worker_seconds: float
    database_seconds: float
    transactions: int
    wal_bytes: int
    table_bytes: int
    file_bytes: int

    def minus(self, other: "Totals") -> "Totals":
        return Totals(*(getattr(self, name) - getattr(other, name) for name in self.__dataclass_fields__))

    def divided_by(self, number: float) -> "Totals":
        return Totals(*(getattr(self, name) / number for name in self.__dataclass_fields__))


async def measure(waiver_count: int = WAIVER_COUNT) -> list[Row]:
    with (
        tempfile.TemporaryDirectory(prefix="cairn-bench-") as folder,
        running_server(Path(folder)) as server,
    ):
        connection = await asyncpg.connect(server.db_url)
        token, _ = await asyncio.to_thread(server.sign_up_company)
        await sign_waivers(server, connection, token, WARM_UP_COUNT)
        idle = await _used(server, connection, Path(folder), asyncio.sleep(IDLE_SECONDS))
        started_at = time.monotonic()
        used = await _used(server, connection, Path(folder), sign_waivers(server, connection, token, waiver_count))
        seconds = time.monotonic() - started_at
        await connection.close()
    # What Cairn also uses while it is idle is not a cost of the waivers.
    return rows(used.minus(idle.divided_by(IDLE_SECONDS / seconds)).divided_by(waiver_count), waiver_count)


async def sign_waivers(server: Server, connection: Connection, token: str, count: int) -> None:
    """Opens and signs the waivers, and waits until the worker has nothing left to do."""
    signature = random_signature()
    async with httpx.AsyncClient(base_url=f"{server.url}/rest/v1", timeout=60) as client:
        for number in range(count):
            recipient = {"recipient_name": "Gil Okafor", "recipient_email": f"gil{number}@example.com"}
            opened = await client.post(
                "/waiver_sessions?select=id",
                json={"template_id": TEMPLATE_ID, **recipient},
                headers={**server.headers(token), "Prefer": "return=representation"},
            )
            session_id = opened.raise_for_status().json()[0]["id"]
            waiver = {
                "session_id": session_id, "signature": signature,
                "signer_name": recipient["recipient_name"], "signer_email": recipient["recipient_email"],
            }  # fmt: skip
            headers = {**server.headers(), "Prefer": "return=minimal"}
            (await client.post("/signed_waivers", json=waiver, headers=headers)).raise_for_status()
    async with asyncio.timeout(MAX_WAIT_SECONDS):
        while not await connection.fetchval(IS_DONE):  # noqa: ASYNC110 - the worker is another process
            await asyncio.sleep(0.5)


async def _used(server: Server, connection: Connection, folder: Path, work: Awaitable[None]) -> Totals:
    before = await _totals(server, connection, folder)
    await work
    return (await _totals(server, connection, folder)).minus(before)


async def _totals(server: Server, connection: Connection, folder: Path) -> Totals:
    row = await connection.fetchrow(
        """
        select xact_commit + xact_rollback as transactions,
               pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as wal_bytes,
               (select sum(pg_total_relation_size(oid)) from pg_class where relkind = 'r')::bigint as table_bytes
          from pg_stat_database where datname = current_database()
        """
    )
    assert row is not None, "the current database exists"
    return Totals(
        cpu.process_seconds(server.pid),
        cpu.tree_seconds(server.pid) - cpu.process_seconds(server.pid),
        _database_seconds(await connection.fetchval("select pg_backend_pid()")),
        row["transactions"],
        row["wal_bytes"],
        row["table_bytes"],
        sum(file.stat().st_size for file in (folder / "storage").rglob("*") if file.is_file()),
    )


def _database_seconds(backend_pid: int) -> float:
    parent_pid = int(Path(f"/proc/{backend_pid}/stat").read_text().rpartition(")")[2].split()[1])
    return cpu.tree_seconds(parent_pid)


def rows(cost: Totals, waiver_count: int) -> list[Row]:
    details = f"mean of {waiver_count} waivers, without what an idle service uses"
    return [
        Row(f"a waiver: {what}", value, None, unit, details, less_is_better=True)
        for what, value, unit in [
            ("CPU time of the server", cost.server_seconds * 1000, "ms"),
            ("CPU time of the worker", cost.worker_seconds * 1000, "ms"),
            ("CPU time of PostgreSQL", cost.database_seconds * 1000, "ms"),
            ("transactions", cost.transactions, ""),
            ("write-ahead log", cost.wal_bytes / 1000, "KB"),
            ("tables and indexes", cost.table_bytes / 1000, "KB"),
            ("files", cost.file_bytes / 1000, "KB"),
        ]
    ]


async def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.waiver_cost")
    parser.add_argument("--waivers", type=int, default=WAIVER_COUNT)
    for row in await measure(parser.parse_args().waivers):
        print("  ".join(row.cells()))


if __name__ == "__main__":
    uvloop.run(main())
