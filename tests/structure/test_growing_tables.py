"""docs/scale.md says for each table when its rows are deleted, why they are kept, or why it does not grow."""

import re

import asyncpg
import pytest

from tests.structure.test_large_tables import KEYS_OF_TABLES, statements_of_python, statements_of_sql
from tests.structure.tree import ROOT

DELETED = "Deleted by age, or when their work is done"
KEPT = "Kept"
LIMITED = "Limited by the number of companies, accounts or servers"
_TABLES = """
select n.nspname || '.' || c.relname as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
 where c.relkind in ('r', 'p') and n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%'
"""
# Lists each table whose rows are deleted together with the rows of another table, and that other table.
_CASCADES = """
select k.conrelid::regclass::text as child, k.confrelid::regclass::text as parent
  from pg_constraint k where k.contype = 'f' and k.confdeltype = 'c'
"""
_SETTING = re.compile(r"`(CAIRN_\w+)`")


def listed_tables(title: str) -> dict[str, str]:
    """Returns the tables of one list, each with the text beside it."""
    section = (ROOT / "docs/scale.md").read_text("utf-8").split(f"### {title}\n")[1].split("\n##")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| `")]
    return {table: text.strip() for tables, text in rows for table in re.findall(r"`([\w.]+)`", tables)}


def all_listed_tables() -> list[str]:
    return [table for title in (DELETED, KEPT, LIMITED) for table in listed_tables(title)]


async def existing_tables(admin: "asyncpg.Connection[asyncpg.Record]") -> set[str]:
    return {row["name"] for row in await admin.fetch(_TABLES)}


@pytest.mark.accept("OPS-70")
async def test_each_table_is_in_one_list(admin: "asyncpg.Connection[asyncpg.Record]") -> None:
    listed = all_listed_tables()

    assert sorted(await existing_tables(admin) - set(listed)) == [], "tables without a retention or a reason"
    assert sorted(set(listed) - await existing_tables(admin)) == [], "tables that no longer exist"
    assert len(listed) == len(set(listed)), "each table is in one list only"


@pytest.mark.accept("OPS-70")
async def test_a_new_table_is_noticed(admin: "asyncpg.Connection[asyncpg.Record]") -> None:
    await admin.execute("create table public.forgotten (id int)")

    assert await existing_tables(admin) - set(all_listed_tables()) == {"public.forgotten"}


async def test_a_statement_deletes_the_rows_of_each_table_in_the_list_of_deleted_rows(
    admin: "asyncpg.Connection[asyncpg.Record]",
) -> None:
    await admin.execute("set search_path = ''")
    text = "\n".join(statement.text for statement in [*statements_of_python(), *statements_of_sql()])
    deleted = {table for table in listed_tables(DELETED) if re.search(rf"delete from {re.escape(table)}\b", text)}
    cascades = {row["child"] for row in await admin.fetch(_CASCADES) if row["parent"] in deleted}

    assert sorted(listed_tables(DELETED).keys() - deleted - cascades) == []


def test_the_settings_in_the_lists_exist() -> None:
    operations = (ROOT / "docs/operations.md").read_text("utf-8")
    settings = {
        name for title in (DELETED, KEPT) for text in listed_tables(title).values() for name in _SETTING.findall(text)
    }

    assert [name for name in sorted(settings) if f"| `{name}` |" not in operations] == []
    assert settings


def test_the_large_tables_are_in_the_lists_of_growing_tables() -> None:
    assert sorted(KEYS_OF_TABLES.keys() - listed_tables(DELETED).keys() - listed_tables(KEPT).keys()) == []
