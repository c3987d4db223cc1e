"""Adds a row that belongs to Rosa to every table that users could see. PostgreSQL lists them, so none is missing."""

from uuid import UUID, uuid5

import asyncpg

from cairn.db import Connection
from cairn.kit import frozen_dataclass
from tests.people import Person

MARKER = "property of Rio Rafting"
INTERNAL_SCHEMAS = ["information_schema", "auth", "cairn", "jobs", "realtime"]
"""No exposed view reads the tables of these schemas."""

_ID_NAMESPACE = UUID("6f1e2d3c-0000-4000-8000-000000000000")

# This query lists the columns of every table that could be visible to users, and the table that each column references.
_COLUMNS_SQL = """
select n.nspname as schema, c.relname as table, a.attname as column, t.typname as type, t.typcategory::text as category,
       a.attgenerated <> '' or a.attidentity = 'a' as generated,
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
_VALUE_BY_CATEGORY = {"B": "true", "N": "7", "D": "2026-01-01", "T": "1 day", "I": "203.0.113.7", "A": "{}", "E": None}
_VALUE_BY_TYPE = {
    "jsonb": f'{{"note": "{MARKER}"}}',
    "json": f'{{"note": "{MARKER}"}}',
    "bytea": MARKER,
    "xid8": "1",
    "int4range": "[1,2)",
}

_FLAGS = f'[{{"question": "note", "text": "{MARKER}"}}]'

# Rosa's row must be in the list of planned erasures, which leaves out held waivers, erased waivers and dropped plans.
_FIXED_VALUES = {
    ("waivers.signed", "held_since"): None,
    ("waivers.signed", "erased_at"): None,
    ("waivers.planned_erasures", "is_dropped"): "false",
    # Flags are a list.
    ("waivers.participants", "flags"): _FLAGS,
    ("waivers.sensitive_answers", "flags"): _FLAGS,
    # The readiness of a cancelled booking is not shown.
    ("bookings", "status"): "booked",
    ("bookings", "contact_email"): "guest@example.com",
}


@frozen_dataclass
class Relation:
    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]


def sample_id(table: str, type_: str = "uuid") -> str:
    """Returns the id of Rosa's row in `table`. Rows of other tables reference this id."""
    if type_ == "uuid":
        return str(uuid5(_ID_NAMESPACE, table))
    if type_ == "date":
        return _VALUE_BY_CATEGORY["D"] or ""
    if type_ == "bool":
        return "true"
    return "7" if type_.startswith("int") else f"{MARKER}: {table}"[:30]


async def add_row_to_every_table(admin: Connection, rosa: Person) -> None:
    """Adds the rows without checks, triggers and foreign keys, because only their visibility matters."""
    columns = await admin.fetch(_COLUMNS_SQL, INTERNAL_SCHEMAS)
    await admin.execute("set session_replication_role = replica")
    await _drop_check_constraints(admin)
    existing_ids = {"auth.users": str(rosa.id), "profiles": str(rosa.id), "companies": str(rosa.company)}
    for schema, table in dict.fromkeys((row["schema"], row["table"]) for row in columns):
        name = table if schema == "public" else f"{schema}.{table}"
        if name in ("profiles", "companies"):
            continue
        values = {
            row["column"]: _value(name, row, existing_ids)
            for row in columns
            if (row["schema"], row["table"]) == (schema, table) and not row["generated"]
        }
        placeholders = ", ".join(
            f"${number}::text::{type_}" for number, type_ in enumerate(_types(columns, schema, table), 1)
        )
        names = ", ".join(f'"{column}"' for column in values)
        await admin.execute(f'insert into "{schema}"."{table}" ({names}) values ({placeholders})', *values.values())
    # The retention of the company is zero months, so that the planned erasure is visible.
    await admin.execute("update companies set keep_waivers_months = 0 where id = $1", rosa.company)
    await admin.execute("set session_replication_role = default")


async def list_exposed_relations(admin: Connection) -> list[Relation]:
    """Returns all exposed tables and views."""
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
    return [row["type"] for row in columns if (row["schema"], row["table"]) == (schema, table) and not row["generated"]]


def _value(table: str, row: "asyncpg.Record", existing_ids: dict[str, str]) -> str | None:
    if (table, row["column"]) in _FIXED_VALUES:
        return _FIXED_VALUES[table, row["column"]]
    if row["column"] == "company_id":
        return existing_ids["companies"]
    if row["refers_to"]:
        return existing_ids.get(row["refers_to"]) or sample_id(row["refers_to"], row["type"])
    if row["key"]:
        return sample_id(table, row["type"])
    if row["type"] == "uuid":
        return sample_id(f"{table}.{row['column']}")
    return _VALUE_BY_TYPE.get(row["type"]) or _VALUE_BY_CATEGORY.get(row["category"], MARKER)


async def _drop_check_constraints(admin: Connection) -> None:
    for row in await admin.fetch(
        """
        select k.conrelid::regclass::text as table, quote_ident(k.conname) as name from pg_constraint k
          join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
         where k.contype = 'c' and n.nspname !~ '^pg_' and n.nspname <> all ($1::text[])
        """,
        INTERNAL_SCHEMAS,
    ):
        await admin.execute(f"alter table {row['table']} drop constraint {row['name']}")
