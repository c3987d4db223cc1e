"""Adds a row that belongs to Rosa to every table. The tables come from the catalog, so that none is forgotten."""

from dataclasses import dataclass
from uuid import UUID, uuid5

import asyncpg

from tests.cast import Person

MARK = "property of Rio Rafting"
INTERNAL_SCHEMAS = ["information_schema", "auth", "cairn", "jobs", "realtime"]
"""Schemas whose tables are not behind any exposed view."""

_SPACE = UUID("6f1e2d3c-0000-4000-8000-000000000000")

# Every table that could be visible to users, and what its columns reference.
_COLUMNS = """
select n.nspname as schema, c.relname as table, a.attname as column, t.typname as type, t.typcategory::text as category,
       a.attgenerated <> '' or a.attidentity = 'a' as made,
       (select k.confrelid::regclass::text from pg_constraint k
         where k.conrelid = c.oid and k.contype = 'f' and k.conkey = array[a.attnum]) as refers_to,
       exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any (i.indkey)) as key
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
 where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname <> all ($1::text[])
 order by 1, 2, a.attnum
"""
_BY_CATEGORY = {"B": "true", "N": "7", "D": "2026-01-01", "T": "1 day", "I": "203.0.113.7", "A": "{}", "E": None}
_BY_TYPE = {
    "jsonb": f'{{"note": "{MARK}"}}',
    "json": f'{{"note": "{MARK}"}}',
    "bytea": MARK,
    "xid8": "1",
    "int4range": "[1,2)",
}


@dataclass(frozen=True, slots=True)
class Relation:
    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]


def sample_id(table: str, type_: str = "uuid") -> str:
    """The id of Rosa's row in that table, which other rows reference."""
    if type_ == "uuid":
        return str(uuid5(_SPACE, table))
    if type_ == "date":
        return _BY_CATEGORY["D"] or ""
    return "7" if type_.startswith("int") else f"{MARK}: {table}"[:30]


async def add_row_to_every_table(admin: "asyncpg.Connection[asyncpg.Record]", rosa: Person) -> None:
    """Checks, triggers and foreign keys are disabled: only the visibility of the rows matters here."""
    columns = await admin.fetch(_COLUMNS, INTERNAL_SCHEMAS)
    await admin.execute("set session_replication_role = replica")
    await _drop_checks(admin)
    people = {"auth.users": str(rosa.id), "profiles": str(rosa.id), "companies": str(rosa.company)}
    for schema, table in dict.fromkeys((row["schema"], row["table"]) for row in columns):
        name = table if schema == "public" else f"{schema}.{table}"
        if name in ("profiles", "companies"):
            continue
        values = {
            row["column"]: _value(name, row, people)
            for row in columns
            if (row["schema"], row["table"]) == (schema, table) and not row["made"]
        }
        placeholders = ", ".join(
            f"${n}::text::{schema_type}" for n, schema_type in enumerate(_types(columns, schema, table), 1)
        )
        names = ", ".join(f'"{column}"' for column in values)
        await admin.execute(f'insert into "{schema}"."{table}" ({names}) values ({placeholders})', *values.values())
    await admin.execute("set session_replication_role = default")


async def relations(admin: "asyncpg.Connection[asyncpg.Record]") -> list[Relation]:
    """All exposed tables and views."""
    rows = await admin.fetch("""
        select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns,
               (select array_agg(b.attname::text) from pg_index i join pg_attribute b
                    on b.attrelid = i.indrelid and b.attnum = any (i.indkey)
                 where i.indrelid = c.oid and i.indisprimary) as key
          from pg_class c
          join pg_namespace n on n.oid = c.relnamespace
          join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
         where n.nspname = 'public' and c.relkind in ('r', 'v', 'm', 'f', 'p')
         group by c.oid, c.relname order by 1
    """)
    return [Relation(row["name"], tuple(row["columns"]), tuple(row["key"] or ("id",))) for row in rows]


def _types(columns: list["asyncpg.Record"], schema: str, table: str) -> list[str]:
    return [row["type"] for row in columns if (row["schema"], row["table"]) == (schema, table) and not row["made"]]


def _value(table: str, row: "asyncpg.Record", people: dict[str, str]) -> str | None:
    if row["column"] == "company_id":
        return people["companies"]
    if row["refers_to"]:
        return people.get(row["refers_to"]) or sample_id(row["refers_to"], row["type"])
    if row["key"]:
        return sample_id(table, row["type"])
    if row["type"] == "uuid":
        return sample_id(f"{table}.{row['column']}")
    return _BY_TYPE.get(row["type"]) or _BY_CATEGORY.get(row["category"], MARK)


async def _drop_checks(admin: "asyncpg.Connection[asyncpg.Record]") -> None:
    for row in await admin.fetch(
        """
        select k.conrelid::regclass::text as table, quote_ident(k.conname) as name from pg_constraint k
          join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
         where k.contype = 'c' and n.nspname !~ '^pg_' and n.nspname <> all ($1::text[])
        """,
        INTERNAL_SCHEMAS,
    ):
        await admin.execute(f"alter table {row['table']} drop constraint {row['name']}")
