"""A database of the first edition is upgraded without data loss. Its 42 migrations are in first_edition.txt."""

import hashlib
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import pytest_asyncio

from cairn.db import EmbeddedPostgres, migrate, pending_schema_changes
from cairn.db.definitions import existing_objects
from cairn.db.errors import FirstEditionIncomplete
from cairn.db.schema_files import expand_directives
from tests.db.schema_dump import dump_schema, empty_database
from tests.factories import SAMPLE_TEMPLATE_ID, signature_data_url

FIRST_EDITION = re.findall(
    r"^=== (\w+)\n(.*?)(?=^=== |\Z)",
    (Path(__file__).parent / "first_edition.txt").read_text("utf-8"),
    re.MULTILINE | re.DOTALL,
)

RENAMED_TABLES = {"auth.rate_limits": "limits.buckets", "billing.heard_events": "billing.received_events"}
RENAMED_COLUMNS = {
    "jobs.events": {"facts": "payload"},
    "auth.audit_log": {"facts": "payload"},
    "waivers.audit_events": {"facts": "details"},
    "waivers.reminders": {"asked_at": "requested_at"},
    "billing.trials": {"told_on": "last_notified_on"},
    "billing.heard_events": {"heard_at": "received_at"},
}
RENAMED_VALUES = {("public.emails", "kind", "letter"): "message"}


@pytest_asyncio.fixture
async def first_edition(cluster: EmbeddedPostgres) -> AsyncIterator[str]:
    async with empty_database(cluster) as url:
        await apply_first_edition(url, FIRST_EDITION)
        await add_rows(url)
        yield url


async def apply_first_edition(url: str, migrations: list[tuple[str, str]]) -> None:
    connection = await asyncpg.connect(url)
    for name, sql in migrations:
        async with connection.transaction():
            await connection.execute(expand_directives(sql))
            await connection.execute(
                "insert into cairn.migrations (name, sha256) values ($1, $2)",
                name, hashlib.sha256(sql.encode()).hexdigest(),
            )  # fmt: skip
    await connection.close()


async def add_rows(url: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute("select set_config('request.jwt.claims', '{\"role\": \"service_role\"}', false)")
    user = await connection.fetchval("insert into auth.users (email) values ('rosa@rio.example') returning id")
    company = await connection.fetchval("select company_id from profiles where id = $1", user)
    await connection.execute("insert into auth.sessions (user_id) values ($1)", user)
    await connection.execute(
        "insert into auth.audit_log (user_id, act, facts) values ($1, 'login', '{\"a\": 1}')", user
    )
    await connection.execute("update billing.trials set told_on = '2026-11-15'")
    await connection.execute("insert into billing.heard_events (provider, id) values ('stripe', 'evt_1')")
    await connection.execute(
        "insert into waiver_templates (company_id, name, content) values ($1, 'River', 'I, [PARTICIPANT NAME].')",
        company,
    )
    session = await connection.fetchval(
        """
        insert into waiver_sessions (company_id, template_id, recipient_name, recipient_email)
        values ($1, $2, 'Gil', 'gil@example.com') returning id
        """,
        company, SAMPLE_TEMPLATE_ID,
    )  # fmt: skip
    await connection.execute(
        """
        insert into emails (company_id, session_id, recipient, subject, body)
        values ($1, $2, 'gil@example.com', 'Sign', 'Here')
        """,
        company, session,
    )  # fmt: skip
    await connection.execute("select waivers.queue_reminders($1, null, true, 'infinity', 'infinity', 1)", company)
    await connection.execute(
        """
        insert into signed_waivers (session_id, signer_name, signer_email, signature)
        values ($1, 'Gil', 'gil@example.com', $2)
        """,
        session, signature_data_url(),
    )  # fmt: skip
    await connection.close()


async def all_rows(url: str) -> dict[str, list[dict[str, Any]]]:
    connection = await asyncpg.connect(url)
    tables = await connection.fetch(
        """
        select n.nspname || '.' || c.relname as name
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind = 'r' and n.nspname <> 'information_schema'
           and n.nspname not like 'pg\\_%' and n.nspname <> 'cairn'
        """
    )
    rows_by_table = {}
    for table in tables:
        records = await connection.fetch(f"select to_jsonb(t) as row from {table['name']} t")
        rows_by_table[table["name"]] = [json.loads(record["row"]) for record in records]
    await connection.close()
    return rows_by_table


def with_current_names(rows_by_table: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """Returns the rows as they are after the upgrade: with the current names of tables and columns, and sorted."""
    renamed = {}
    for table, rows in rows_by_table.items():
        renamed_rows = [row_with_current_names(table, row) for row in rows]
        renamed[RENAMED_TABLES.get(table, table)] = sorted_rows(renamed_rows)
    return renamed


def row_with_current_names(table: str, row: dict[str, Any]) -> dict[str, Any]:
    new_columns = RENAMED_COLUMNS.get(table, {})
    return {
        new_columns.get(column, column): RENAMED_VALUES.get((table, column, str(value)), value)
        for column, value in row.items()
    }


def sorted_rows(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))


def with_columns_of(earlier_rows: list[dict[str, Any]], rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leaves out the columns that the upgrade adds."""
    earlier_columns = {column for row in earlier_rows for column in row}
    kept_rows = [{column: value for column, value in row.items() if column in earlier_columns} for row in rows]
    return sorted_rows(kept_rows)


async def test_an_upgraded_database_has_the_same_schema_as_a_new_one(
    cluster: EmbeddedPostgres, first_edition: str
) -> None:
    await migrate(first_edition)
    async with empty_database(cluster) as new_database:
        await migrate(new_database)

        assert dump_schema(new_database) == dump_schema(first_edition)


async def test_the_upgrade_loses_no_rows(first_edition: str) -> None:
    before = with_current_names(await all_rows(first_edition))

    assert await pending_schema_changes(first_edition) == ["the adoption of the first edition"]
    assert (await migrate(first_edition))[0] == "the adoption of the first edition"

    after = with_current_names(await all_rows(first_edition))
    assert {table: with_columns_of(before[table], rows) for table, rows in after.items() if table in before} == before
    assert [table for table, rows in after.items() if rows and table not in before] == []
    assert len(before["jobs.events"]) >= 4
    assert before["billing.trials"][0]["last_notified_on"] == "2026-11-15"


async def test_evidence_is_still_valid_after_the_upgrade(first_edition: str) -> None:
    await migrate(first_edition)

    connection = await asyncpg.connect(first_edition)
    assert await connection.fetchval("select count(*) from waivers.audit_events") == 2
    assert await connection.fetch("select * from waivers.broken_evidence()") == []
    await connection.close()


async def test_objects_txt_lists_all_objects_of_the_first_edition(first_edition: str, root: Path) -> None:
    connection = await asyncpg.connect(first_edition)
    existing = {name for name in await existing_objects(connection) if "procrastinate" not in name}
    await connection.close()

    assert set((root / "cairn/db/first_edition/objects.txt").read_text("utf-8").splitlines()) == existing


async def test_the_upgrade_does_not_change_objects_of_the_operator(first_edition: str) -> None:
    connection = await asyncpg.connect(first_edition)
    await connection.execute('create policy "auditors read all" on waivers.signed for select to anon using (false)')
    await connection.execute("create function public.report() returns int language sql return 1")

    await migrate(first_edition)

    assert await connection.fetchval("select public.report()") == 1
    assert await connection.fetchval("select count(*) from pg_policy where polname = 'auditors read all'") == 1
    await connection.close()


async def test_an_upgraded_database_has_no_pending_changes(first_edition: str) -> None:
    await migrate(first_edition)

    assert await pending_schema_changes(first_edition) == []
    assert await migrate(first_edition) == []


@pytest.mark.parametrize("problem", ["incomplete", "changed"])
async def test_a_first_edition_with_missing_or_changed_migrations_is_refused(
    cluster: EmbeddedPostgres, problem: str
) -> None:
    async with empty_database(cluster) as url:
        await apply_first_edition(url, FIRST_EDITION[:5])
        connection = await asyncpg.connect(url)
        if problem == "changed":
            await connection.execute("update cairn.migrations set sha256 = 'x' where name = '0003_jobs_outbox'")
        with pytest.raises(FirstEditionIncomplete, match="5 of its 42"):
            await migrate(url)
        assert await connection.fetchval("select count(*) from cairn.migrations") == 5
        await connection.close()
