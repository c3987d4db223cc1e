"""All SQL of this package. Names of tables and columns come from the catalog, already quoted by Postgres."""

import json
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from uuid import UUID

import asyncpg

from cairn.db import ROLES, Connection
from cairn.realtime.change import Change
from cairn.realtime.channels import Identity, Permissions
from cairn.realtime.message import SentMessage, StoredMessage
from cairn.realtime.snapshot import Snapshot
from cairn.realtime.table import Column, Table, TableName

# Postgres rejected the statement itself, so a retry would not help.
STATEMENT_REJECTED = (
    asyncpg.SyntaxOrAccessError,
    asyncpg.DataError,
    asyncpg.ProgramLimitExceededError,
    asyncpg.QueryCanceledError,
)
# Applies to statements that contain input of clients, such as patterns.
SHORT_TIMEOUT = {"statement_timeout": "2s"}

# Bits of pg_trigger.tgtype.
_TRIGGER_EVENTS = {4: "INSERT", 8: "DELETE", 16: "UPDATE"}
_EVENT_NAMES = ["row.changed", "broadcast.sent"]


async def live_tables(connection: Connection) -> dict[TableName, Table]:
    """The published tables, whose changes are written to the outbox, by schema and name."""
    rows = await connection.fetch(
        r"""
        with live as (
            select named[1] as schema, named[2] as name, named[3] as noted, bit_or(t.tgtype) as kinds
              from pg_trigger t
              join pg_proc p on p.oid = t.tgfoid
             cross join string_to_array(encode(t.tgargs, 'escape'), '\000') as named
             where p.pronamespace = to_regnamespace('realtime') and p.proname = 'note_change' and t.tgenabled <> 'D'
             group by 1, 2, 3
        )
        select l.schema, l.name, l.noted = 'key' as by_key, l.kinds, format('%I.%I', n.nspname, c.relname) as table_sql,
               a.attname as column, quote_ident(a.attname) as column_sql, y.typname as type,
               format_type(a.atttypid, a.atttypmod) as type_sql,
               case when l.noted = 'key' then a.attname = 'id'
                    else exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary
                                                          and a.attnum = any (i.indkey)) end as is_key,
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
            emits=frozenset(kind for bit, kind in _TRIGGER_EVENTS.items() if first["kinds"] & bit),
            by_key=first["by_key"],
            key=tuple(row["column"] for row in (first, *others) if row["is_key"]),
            columns=tuple(
                Column(row["column"], row["type"], row["column_sql"], row["type_sql"], frozenset(row["readers"]))
                for row in (first, *others)
            ),
        )
    return tables


# The outbox


async def snapshot(connection: Connection) -> Snapshot:
    return Snapshot.parse(await connection.fetchval("select pg_current_snapshot()::text"))


async def committed_since(connection: Connection, before: Snapshot) -> tuple[Snapshot, list[int]]:
    """The current snapshot, and the ids of the events that it sees and the earlier one did not.

    They are ordered by commit time if the server records it. Otherwise they are in the order in which they were
    written, which is the same for all changes of one row.
    """
    rows = await connection.fetch(
        """
        with present as (select pg_current_snapshot() as snapshot)
        select p.snapshot::text, e.id
          from present p
          left join (select id, xid from jobs.outbox where xid >= $1::text::xid8 and name = any ($3)
                     union all
                     select id, xid from jobs.outbox where xid = any ($2::text[]::xid8[]) and name = any ($3)) e on true
         order by jobs.committed_at(e.xid), e.id
        """,
        str(before.first_unassigned),
        [str(xid) for xid in before.running],
        _EVENT_NAMES,
    )
    return Snapshot.parse(rows[0]["snapshot"]), [row["id"] for row in rows if row["id"] is not None]


async def events_by_id(connection: Connection, ids: Sequence[int]) -> list[Change | SentMessage]:
    """Rows stay JSON text from Postgres, because numbers would lose digits as Python floats."""
    rows = await connection.fetch(
        """
        select e.name, e.xid::text::bigint as xid, coalesce(jobs.committed_at(e.xid), e.at) as at,
               e.payload ->> 'schema' as schema, e.payload ->> 'table' as table, e.payload ->> 'type' as type,
               coalesce((e.payload -> 'record')::text, e.payload ->> 'id') as row, (e.payload -> 'old')::text as old,
               m.topic, m.private, m.event, m.payload::text as payload, m.binary_payload
          from unnest($1::bigint[]) with ordinality as due (id, place)
          join jobs.outbox e on e.id = due.id
          left join realtime.messages m on m.id = (e.payload ->> 'message_id')::uuid
         where e.name = 'row.changed' or m.id is not null
         order by due.place
        """,
        list(ids),
    )
    return [_change(row) if row["name"] == "row.changed" else _sent_message(row) for row in rows]


def _change(row: asyncpg.Record) -> Change:
    is_delete = row["type"] == "DELETE"
    return Change(
        xid=row["xid"],
        table=(row["schema"], row["table"]),
        type=row["type"],
        row=row["old"] if is_delete else row["row"],
        old=None if is_delete else row["old"],
        at=row["at"],
    )


def _sent_message(row: asyncpg.Record) -> SentMessage:
    payload = row["binary_payload"] if row["payload"] is None else json.loads(row["payload"])
    return SentMessage(row["xid"], row["topic"], row["private"], row["event"], payload)


# Visibility


async def visible_records(
    connection: Connection, table: Table, rows: Sequence[str], viewers: Sequence[Identity]
) -> list[tuple[int, int | None, str | None]]:
    """Tuples of viewer number, row number and record.

    The record is given only for the first viewer of each role. A viewer for whom a policy fails has no row number and
    the error message instead of a record.
    """
    results = await connection.fetch(
        "select principal, entry, record from realtime.visible_rows($1::text::regclass, $2, $3, $4)",
        table.sql,
        table.by_key,
        _entries(table, rows),
        json.dumps([{"role": role, "claims": claims} for role, claims in viewers]),
    )
    return [(row["principal"], row["entry"], row["record"]) for row in results]


async def passing(
    connection: Connection, table: Table, rows: Sequence[str], filters: Sequence[str]
) -> list[tuple[int, int]]:
    """Pairs of row number (from 1) and number of a filter (from 0) that the row passes."""
    if table.by_key:
        key = table.by_name["id"].type_sql
        source = f"{table.sql} as shown where shown.id = (e.entry #>> '{{}}')::{key}"
    else:
        source = f"jsonb_populate_record(null::{table.sql}, e.entry) as shown"
    results = await connection.fetch(
        f"""
        select e.number::int as row, (select array[{", ".join(filters)}] from {source}) as passed
          from jsonb_array_elements($1::jsonb) with ordinality as e (entry, number)
        """,
        _entries(table, rows),
    )
    return [(row["row"], number) for row in results for number, passed in enumerate(row["passed"] or ()) if passed]


async def check_filters(connection: Connection, checks: Iterable[str]) -> None:
    """Raises the error that the filters would raise when applied to a row."""
    await connection.fetchval(f"select array[{', '.join(checks)}]")


def _entries(table: Table, rows: Sequence[str]) -> str:
    return json.dumps(rows) if table.by_key else f"[{','.join(rows)}]"


async def active_sessions(connection: Connection, ids: Collection[UUID]) -> set[UUID]:
    """Those of these sign-in sessions that have not ended."""
    rows = await connection.fetch("select auth.active_sessions($1) as id", list(ids)) if ids else []
    return {row["id"] for row in rows}


# Private channels


async def permissions(connection: Connection) -> Permissions:
    """The permissions of the current role for the topic in `realtime.topic`."""
    row = await connection.fetchrow(
        """
        select realtime.may('r', 'broadcast'), realtime.may('r', 'presence'),
               realtime.may('a', 'broadcast'), realtime.may('a', 'presence')
        """
    )
    assert row is not None, "a select without from always has a row"
    return Permissions(*row)


async def stored_messages(connection: Connection, name: str, since: datetime, limit: int) -> list[StoredMessage]:
    """The newest messages of a private topic, oldest first."""
    rows = await connection.fetch(
        """
        select id, xid::text::bigint as xid, event, payload::text as payload
          from realtime.messages
         where topic = $1 and private and extension = 'broadcast' and inserted_at >= $2 and payload is not null
         order by inserted_at desc
         limit $3
        """,
        name,
        since,
        limit,
    )
    return [
        StoredMessage(str(row["id"]), row["xid"], row["event"], json.loads(row["payload"])) for row in reversed(rows)
    ]


async def delete_old_messages(connection: Connection, age: timedelta) -> None:
    await connection.execute("delete from realtime.messages where inserted_at < now() - $1::interval", age)
