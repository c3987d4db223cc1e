"""The only SQL of this room. Names of tables and columns come from the catalog, quoted by Postgres itself."""

from collections.abc import Collection, Iterable
from itertools import groupby
from uuid import UUID

import asyncpg

from cairn.db import ROLES, Connection
from cairn.jobs import Position
from cairn.kit import Problem
from cairn.realtime.snapshot import Snapshot
from cairn.realtime.table import Column, Table, TableName

# The database went away, in one of the ways it may do so; the last while its server says farewell.
LOST = (
    Problem,
    OSError,
    TimeoutError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)

# Bits of pg_trigger.tgtype.
_KINDS = {4: "INSERT", 8: "DELETE", 16: "UPDATE"}


async def live_tables(connection: Connection) -> dict[TableName, Table]:
    """Those whose changes are noted in the outbox, under the names the wire knows."""
    rows = await connection.fetch(
        r"""
        with live as (
            select named[1] as schema, named[2] as name, bit_or(t.tgtype) as kinds
              from pg_trigger t
              join pg_proc p on p.oid = t.tgfoid
             cross join string_to_array(encode(t.tgargs, 'escape'), '\000') as named
             where p.pronamespace = to_regnamespace('realtime') and p.proname = 'note_change' and t.tgenabled <> 'D'
             group by 1, 2
        )
        select l.schema, l.name, l.kinds, format('%I.%I', n.nspname, c.relname) as table_sql,
               a.attname as column, quote_ident(a.attname) as column_sql, y.typname as type,
               format_type(a.atttypid, a.atttypmod) as type_sql,
               array(select role from unnest($1::text[]) as role
                      where has_column_privilege(role, c.oid, a.attnum, 'select')) as readers
          from live l
          join pg_namespace n on n.nspname = l.schema
          join pg_class c on c.relnamespace = n.oid and c.relname = l.name
          join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          join pg_type y on y.oid = a.atttypid
         order by l.schema, l.name, a.attnum
        """,
        sorted(ROLES),
    )
    tables = {}
    for name, columns in groupby(rows, key=lambda row: (row["schema"], row["name"])):
        first, *others = columns
        tables[name] = Table(
            schema=name[0],
            name=name[1],
            sql=first["table_sql"],
            emits=frozenset(kind for bit, kind in _KINDS.items() if first["kinds"] & bit),
            columns=tuple(
                Column(row["column"], row["type"], row["column_sql"], row["type_sql"], frozenset(row["readers"]))
                for row in (first, *others)
            ),
        )
    return tables


async def rows_by_id(connection: Connection, table: Table, role: str, ids: Iterable[str]) -> dict[str, str]:
    """Each row this connection may select, as JSON of the columns its role may read."""
    columns = ", ".join(column.sql for column in table.readable_by(role))
    rows = await connection.fetch(
        f"""
        select shown.id::text as id, to_json(shown)::text as record
          from (select {columns} from {table.sql} where id = any($1::text[]::{table.key_type}[])) as shown
        """,
        sorted(set(ids)),
    )
    return {row["id"]: row["record"] for row in rows}


async def snapshot(connection: Connection) -> Snapshot:
    return Snapshot.parse(await connection.fetchval("select pg_current_snapshot()::text"))


async def more_after(connection: Connection, position: Position) -> bool:
    """Whether something is committed that an older transaction, still running, keeps from being read in order."""
    found: bool = await connection.fetchval(
        "select exists (select from jobs.events where (xid, id) > ($1::text::xid8, $2))",
        str(position.xid),
        position.id,
    )
    return found


async def standing_sessions(connection: Connection, ids: Collection[UUID]) -> set[UUID]:
    """Of these sign-in sessions, those that have not ended."""
    rows = await connection.fetch("select id from auth.sessions where id = any($1)", list(ids)) if ids else []
    return {row["id"] for row in rows}
