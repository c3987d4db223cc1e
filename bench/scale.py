"""Compares the statements of the product in a database with many companies and in one with two.

The measured company has the same 1,000 sessions in both, so a statement that takes longer in the large database depends
on the rows of other companies. `python -m bench.scale FOLDER` keeps both databases in that folder and uses them again
the next time. The large one has 23 million rows and needs 9 GB. The results also count pages: blocks of 8 KB that
PostgreSQL touched. Other work on the machine does not change that number.
"""

import argparse
import asyncio
import json
import re
import statistics
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, NoReturn, cast
from uuid import UUID

import asyncpg
import uvloop

from bench.row import Row
from cairn.db import Connection, EmbeddedPostgres, migrate
from cairn.jobs.dispatch import DELETE_OLD_EVENTS, READER
from cairn.jobs.outbox import Position, events_after, queue_state
from cairn.kit import frozen_dataclass
from cairn.storage.store.blobs import old_orphaned_blobs, orphaned_blobs, recent_objects
from cairn.waivers.documents.heads.store import covering_head, heads_without_timestamp, newest_head, read_position
from cairn.waivers.documents.read_record import signed_record
from cairn.waivers.documents.store import find_stored_document, overdue_waivers
from cairn.waivers.store import session_to_sign
from tests.factories import signature_data_url

SMALL_COUNT, LARGE_COUNT = 2, 2500
CONNECTION_COUNT = 3
ROUND_COUNT = 21
GOAL_RATIO = 2.0
FILL_SQL = Path(__file__).parent / "scale.sql"
COMPANY, OWNER = UUID("00000000-0000-4000-8000-000000000001"), UUID("00000000-0000-4000-9000-000000000001")
ADD_OWNER = """
insert into auth.users (id, email, email_confirmed_at, app_metadata)
values ('{owner}', 'rosa@rio.example', now(), '{{"role": "company", "company_id": "{company}"}}');
insert into public.profiles (id, role, name, email, company_id)
values ('{owner}', 'company', 'Rosa', 'rosa@rio.example', '{company}');
"""
LARGE_TABLES = (
    "waivers.sessions", "waivers.signed", "waivers.audit_events", "waivers.head_entries", "public.emails",
    "public.sent_waivers", "public.notifications", "storage.objects", "storage.blobs", "jobs.events",
)  # fmt: skip


@frozen_dataclass
class Statement:
    """A statement, its parameters, and the role and the settings that the product runs it with."""

    name: str
    sql: str
    values: tuple[object, ...] = ()
    role: str = "service_role"
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def must_find_rows(self) -> bool:
        """What a person reads exists in both databases. A statement that finds nothing would measure nothing."""
        return self.role != "service_role" and self.sql.lstrip().startswith("select")


@frozen_dataclass
class Cost:
    milliseconds: float
    pages: int


class _Recorded(Exception):
    pass


class _Recorder:
    """Takes the place of a connection and keeps the first statement that a function executes."""

    sql = ""
    values: tuple[object, ...] = ()

    def _record(self, sql: str, *values: object) -> NoReturn:
        self.sql, self.values = sql, values
        raise _Recorded

    fetch = fetchrow = fetchval = execute = _record


async def record_statement(name: str, run: Callable[[Connection], Awaitable[object]]) -> Statement:
    recorder = _Recorder()
    try:
        await run(cast("Connection", recorder))
    except _Recorded:
        return Statement(name, recorder.sql, recorder.values)
    raise SystemExit(f"error: {name} executed no statement")


async def statements(connection: Connection) -> list[Statement]:
    """Returns what is measured, with values that exist in both databases."""
    row = await connection.fetchrow(
        """
        select w.id as waiver_id, w.session_id, w.signer_name,
               (select s.id from waivers.sessions s
                 where s.company_id = $1 and s.status = 'pending' and s.expires_at > now() limit 1) as pending_id,
               (select xid::text::bigint from jobs.readers where name = 'worker') as xid,
               (select id from jobs.readers where name = 'worker') as position
          from waivers.signed w where w.company_id = $1 order by w.signed_at limit 1
        """,
        COMPANY,
    )
    assert row is not None, "the company has signed waivers"
    return [await _guest_statement(row), *_people_statements(row), *await _worker_statements(row)]


async def _guest_statement(row: asyncpg.Record) -> Statement:
    """Row security shows a session to everyone who names its id."""
    session_id = str(row["pending_id"])
    statement = await record_statement("guest opens the link", lambda c: session_to_sign(c, session_id))
    return replace(statement, role="anon", settings={"request.eq": json.dumps({"id": session_id})})


def _people_statements(row: asyncpg.Record) -> list[Statement]:
    newest = """
        select id, template_name, recipient_name, signer_name, status, created_at, expires_at, revoked_at
          from public.waiver_sessions where status <> 'template_default' order by created_at desc limit 10
    """
    directory = "select id, name, email, status, at, place from public.waiver_directory($1, up_to => 50)"
    return [
        Statement(name, sql, values, "anon" if name.startswith("guest") else "authenticated")
        for name, sql, values in [
            (
                "company opens a session",
                "insert into public.waiver_sessions (template_id, recipient_name, recipient_email) values ($1, $2, $3)",
                ("tpl-1", "Gil Okafor", "gil@example.com"),
            ),
            (
                "guest signs",
                """
                insert into public.signed_waivers (session_id, signer_name, signer_email, signature)
                values ($1, $2, $3, $4)
                """,
                (row["pending_id"], "Gil Okafor", "gil@example.com", signature_data_url()),
            ),
            ("dashboard, newest sessions", newest, ()),
            ("dashboard, counts", "select * from public.waiver_counts()", ()),
            ("list of waivers", directory, ("",)),
            ("search, rare term", directory, (row["signer_name"].split()[1],)),
            ("search, common term", directory, ("carla",)),
            ("count of the list", "select public.count_waiver_directory('')", ()),
            (
                "notifications",
                "select id, title, message, read from public.notifications order by created_at desc limit 50",
                (),
            ),
            ("email history", "select id, subject from public.emails order by created_at desc, id desc limit 50", ()),
            (
                "history of a waiver",
                "select event_id, at, title, details from public.waiver_events where session_id = $1 order by event_id",
                (row["session_id"],),
            ),
            ("signed waiver by id", "select * from public.signed_waivers where id = $1", (row["waiver_id"],)),
        ]
    ]


async def _worker_statements(row: asyncpg.Record) -> list[Statement]:
    position = Position(row["xid"], row["position"])
    sweeps = {
        "erase unsigned sessions": ("waivers.erase_unsigned", 100),
        "delete old emails": ("messaging.delete_old_emails", 1000),
        "delete old sign-in emails": ("messaging.delete_old_sign_in_emails", 1000),
        "delete old notifications": ("messaging.delete_old_notifications", 1000),
        "delete old sendings": ("billing.delete_old_sendings", 1000),
        "delete old log entries": ("auth.delete_old_log_entries", 1000),
    }
    return [
        await record_statement("record of a waiver", lambda c: signed_record(c, row["waiver_id"])),
        await record_statement("document of a waiver", lambda c: find_stored_document(c, row["waiver_id"])),
        await record_statement("head of a waiver", lambda c: covering_head(c, row["session_id"])),
        Statement("verify a history", "select * from waivers.broken_evidence($1)", (row["session_id"],)),
        await record_statement("newest head of a company", lambda c: newest_head(c, COMPANY)),
        await record_statement("heads without a timestamp", lambda c: heads_without_timestamp(c, limit=100)),
        await record_statement("position of the heads", read_position),
        await record_statement("next events of the outbox", lambda c: events_after(c, position, with_payload=[])),
        await record_statement("state of the queue", queue_state),
        Statement("claim a job", "select jobs.fetch_fairly('documents', 1, 4)"),
        await record_statement(
            "overdue documents", lambda c: overdue_waivers(c, older_than=timedelta(minutes=5), tries=3)
        ),
        Statement(
            "reminders of a company",
            "select waivers.queue_reminders($1, null, true, now() - interval '3 days', now() - interval '3 days', 3)",
            (COMPANY,),
        ),
        Statement("due erasures", "select waivers.due_erasures(1000)"),
        Statement("storage of the last day", "select waivers.measure_storage(1000000000000)"),
        Statement("delete old events", DELETE_OLD_EVENTS, (1000, READER)),
        await record_statement(
            "orphaned files of two days",
            lambda c: orphaned_blobs(c, older_than=timedelta(days=1), younger_than=timedelta(days=3), limit=500),
        ),
        await record_statement(
            "orphaned files, one of 256 parts",
            lambda c: old_orphaned_blobs(c, 7, older_than=timedelta(days=1), limit=500),
        ),
        await record_statement("missing files", lambda c: recent_objects(c, younger_than=timedelta(days=2), limit=500)),
        *(
            # Nothing is that old, so this is what each sweep costs when it has nothing to do.
            Statement(name, f"select {function}($1, $2)", (batch_size, timedelta(days=400)))
            for name, (function, batch_size) in sweeps.items()
        ),
    ]


async def explain(connection: Connection, statement: Statement) -> Cost:
    """Executes the statement and rolls it back."""
    transaction = connection.transaction()
    await transaction.start()
    try:
        await connection.execute(f"set local role {statement.role}")
        await connection.execute("select set_config('search_path', 'public, jobs', true)")
        claims = {"role": statement.role, **({"sub": str(OWNER)} if statement.role == "authenticated" else {})}
        for name, value in {"request.jwt.claims": json.dumps(claims), **statement.settings}.items():
            await connection.execute("select set_config($1, $2, true)", name, value)
        text = await connection.fetchval(
            f"explain (analyze, buffers, timing off, format json) {statement.sql}", *statement.values
        )
    finally:
        await transaction.rollback()
    [plan] = json.loads(text)
    if statement.must_find_rows and plan["Plan"]["Actual Rows"] == 0:
        raise SystemExit(f"error: {statement.name} found no rows")
    pages = plan["Plan"]["Shared Hit Blocks"] + plan["Plan"]["Shared Read Blocks"]
    return Cost(plan["Planning Time"] + plan["Execution Time"], pages)


async def compare(small: Connection, large: Connection) -> AsyncIterator[Row]:
    """Both databases take turns, so that other work on the machine affects them equally."""
    for in_small, in_large in zip(await statements(small), await statements(large), strict=True):
        costs = [(await explain(small, in_small), await explain(large, in_large)) for _ in range(ROUND_COUNT)]
        small_cost, large_cost = (_median(side) for side in zip(*costs, strict=True))
        yield Row(
            in_small.name,
            large_cost.milliseconds / small_cost.milliseconds,
            GOAL_RATIO,
            "x the time",
            f"{large_cost.milliseconds:.2f} ms, in the small database {small_cost.milliseconds:.2f}; "
            f"{large_cost.pages} pages, {small_cost.pages}",
            less_is_better=True,
        )


def _median(costs: Sequence[Cost]) -> Cost:
    return Cost(
        statistics.median(cost.milliseconds for cost in costs), int(statistics.median(cost.pages for cost in costs))
    )


@asynccontextmanager
async def filled_database(data: Path, company_count: int) -> AsyncIterator[Connection]:
    """Opens the database in the folder, and fills it if it is new."""
    postgres = EmbeddedPostgres(data)
    with postgres.running():
        await migrate(postgres.url())
        connection = await asyncpg.connect(postgres.url())
        try:
            if not await connection.fetchval("select exists (select from public.companies where id = $1)", COMPANY):
                await fill(connection, postgres.url(), company_count)
            yield connection
        finally:
            await connection.close()


async def fill(connection: Connection, url: str, company_count: int) -> None:
    """Adds the rows first and the indexes after them, which is several times as fast."""
    sections = _sections(company_count)
    await _run(url, [sections.pop("companies") + ADD_OWNER.format(owner=OWNER, company=COMPANY)])
    positions = sections.pop("positions")
    indexes = await connection.fetch(
        """
        select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
          from pg_index where indrelid = any ($1::text[]::regclass[]) and not indisunique
        """,
        LARGE_TABLES,
    )
    await connection.execute("drop index " + ", ".join(index["name"] for index in indexes))
    await _run(url, list(sections.values()))
    await _run(url, [index["definition"] for index in indexes])
    await _run(url, [positions])
    await connection.execute("vacuum analyze")


def _sections(company_count: int) -> dict[str, str]:
    parts = re.split(r"^-- section: (.*)\n", FILL_SQL.read_text(), flags=re.MULTILINE)[1:]
    return {
        name: sql.replace("COMPANIES", str(company_count)) for name, sql in zip(parts[::2], parts[1::2], strict=True)
    }


async def _run(url: str, scripts: list[str]) -> None:
    """Runs the scripts over several connections, without triggers, as when a dump is restored."""
    waiting = list(scripts)

    async def run_next() -> None:
        connection = await asyncpg.connect(url)
        await connection.execute("set session_replication_role = replica; set maintenance_work_mem = '256MB'")
        while waiting:
            await connection.execute(waiting.pop(0))
        await connection.close()

    await asyncio.gather(*(run_next() for _ in range(CONNECTION_COUNT)))


async def row_counts(connection: Connection) -> Mapping[str, int]:
    return {table: await connection.fetchval(f"select count(*) from {table}") for table in LARGE_TABLES}


async def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.scale")
    parser.add_argument("folder", type=Path, help="where both databases are kept")
    folder: Path = parser.parse_args().folder
    async with AsyncExitStack() as stack:
        small = await stack.enter_async_context(filled_database(folder / "small", SMALL_COUNT))
        large = await stack.enter_async_context(filled_database(folder / "large", LARGE_COUNT))
        for name, connection in (("small", small), ("large", large)):
            counts: Any = await row_counts(connection)
            print(f"{name}: {sum(counts.values()):,} rows", json.dumps(counts), flush=True)
        async for row in compare(small, large):
            print("  ".join(row.cells()), flush=True)


if __name__ == "__main__":
    uvloop.run(main())
