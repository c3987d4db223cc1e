"""All SQL of this package. Names of tables and columns come from the catalog, already quoted by Postgres."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import groupby
from uuid import UUID

import asyncpg

from cairn.db import ROLES, Connection, delete_old_rows
from cairn.realtime.change import Change
from cairn.realtime.channels import Identity, Permissions
from cairn.realtime.message import SentMessage, StoredMessage
from cairn.realtime.snapshot import Snapshot
from cairn.realtime.stored_json import UnreadableJson, parse_stored
from cairn.realtime.table import Column, CompanyTable, Table, TableName

# With these errors Postgres rejects the statement itself, so a retry would not help.
STATEMENT_REJECTED = (
    asyncpg.SyntaxOrAccessError,
    asyncpg.DataError,
    asyncpg.ProgramLimitExceededError,
    asyncpg.QueryCanceledError,
    # Postgres reports a regular expression that is too complex as an internal error.
    asyncpg.InternalServerError,
)
# This timeout applies to statements that contain patterns or values from clients.
SHORT_TIMEOUT = {"statement_timeout": "500ms"}

# The keys are bits of pg_trigger.tgtype.
_TRIGGER_EVENTS = {4: "INSERT", 8: "DELETE", 16: "UPDATE"}
_EVENT_NAMES = ["row.changed", "broadcast.sent"]
_MESSAGES = "realtime.messages"


async def published_tables(connection: Connection) -> dict[TableName, Table]:
    """Returns the tables whose changes are written to the outbox, by schema and name.

    A published table has a trigger that calls `realtime.note_change`. The arguments of the trigger are the schema and
    name that clients know, and whether the outbox contains the row or only its key.
    """
    rows = await connection.fetch(
        r"""
        with published as (
            select arguments[1] as schema, arguments[2] as name, arguments[3] as content,
                   bit_or(t.tgtype) as events,
                   case when min(t.tgrelid) = max(t.tgrelid) then min(t.tgrelid) end as trigger_table
              from pg_trigger t
              join pg_proc p on p.oid = t.tgfoid
             cross join string_to_array(encode(t.tgargs, 'escape'), '\000') as arguments
             where p.pronamespace = to_regnamespace('realtime') and p.proname = 'note_change' and t.tgenabled <> 'D'
             group by 1, 2, 3
        )
        select p.schema, p.name, p.content = 'key' as by_key, p.events, p.trigger_table,
               format('%I.%I', n.nspname, c.relname) as table_sql,
               a.attname as column, quote_ident(a.attname) as column_sql, y.typname as type,
               format_type(a.atttypid, a.atttypmod) as type_sql,
               case when p.content = 'key' then a.attname = 'id'
                    else exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary
                                                          and a.attnum = any (i.indkey)) end as is_key,
               array(select role from unnest($1::text[]) as role
                      where has_column_privilege(role, c.oid, a.attnum, 'select')) as readers
          from published p
          join pg_namespace n on n.nspname = p.schema
          join pg_class c on c.relnamespace = n.oid and c.relname = p.name
          join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          join pg_type y on y.oid = a.atttypid
         order by p.schema, p.name, a.attnum
        """,
        sorted(ROLES),
    )
    tables = {}
    for name, table_rows in groupby(rows, key=lambda row: (row["schema"], row["name"])):
        columns = list(table_rows)
        first = columns[0]
        tables[name] = Table(
            schema=name[0],
            name=name[1],
            sql=first["table_sql"],
            events=frozenset(event for bit, event in _TRIGGER_EVENTS.items() if first["events"] & bit),
            by_key=first["by_key"],
            trigger_table=first["trigger_table"],
            key=tuple(row["column"] for row in columns if row["is_key"]),
            columns=tuple(
                Column(row["column"], row["type"], row["column_sql"], row["type_sql"], frozenset(row["readers"]))
                for row in columns
            ),
        )
    return tables


# The outbox


async def snapshot(connection: Connection) -> Snapshot:
    return Snapshot.parse(await connection.fetchval("select pg_current_snapshot()::text"))


async def committed_since(connection: Connection, before: Snapshot) -> tuple[Snapshot, list[int]]:
    """Returns the current snapshot, and the ids of the events that committed since the snapshot `before`.

    The ids are ordered by commit time if the server records it. Otherwise they are in the order in which the events
    were written, which is the commit order for all changes of one row.
    """
    rows = await connection.fetch(
        """
        with latest as (select pg_current_snapshot() as snapshot)
        select l.snapshot::text, e.id
          from latest l
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
    """Rows stay the JSON text of Postgres, because numbers would lose digits as Python floats."""
    rows = await connection.fetch(
        """
        select e.name, e.xid::text::bigint as xid, coalesce(jobs.committed_at(e.xid), e.at) as at,
               e.payload ->> 'schema' as schema, e.payload ->> 'table' as table, e.payload ->> 'type' as type,
               coalesce((e.payload -> 'record')::text, e.payload ->> 'id') as row, (e.payload -> 'old')::text as old,
               coalesce(e.payload -> 'record', e.payload -> 'old', e.payload) ->> 'company_id' as company,
               m.topic, m.private, m.event, m.payload::text as payload, m.binary_payload
          from unnest($1::bigint[]) with ordinality as requested (id, position)
          join jobs.outbox e on e.id = requested.id
          left join realtime.messages m on m.id = (e.payload ->> 'message_id')::uuid
         where e.name = 'row.changed' or m.id is not null
         order by requested.position
        """,
        list(ids),
    )
    events = (_change(row) if row["name"] == "row.changed" else _sent_message(row) for row in rows)
    return [event for event in events if event is not None]


def _change(row: asyncpg.Record) -> Change:
    is_delete = row["type"] == "DELETE"
    return Change(
        xid=row["xid"],
        table=(row["schema"], row["table"]),
        type=row["type"],
        row=row["old"] if is_delete else row["row"],
        old=None if is_delete else row["old"],
        company=row["company"],
        at=row["at"],
    )


def _sent_message(row: asyncpg.Record) -> SentMessage | None:
    """Returns None if the payload cannot be parsed."""
    try:
        payload = row["binary_payload"] if row["payload"] is None else parse_stored(row["payload"], _MESSAGES)
    except UnreadableJson:
        return None
    return SentMessage(row["xid"], row["topic"], row["private"], row["event"], payload)


# Visibility


async def possible_readers(
    connection: Connection, companies: Collection[CompanyTable]
) -> dict[CompanyTable, frozenset[UUID]]:
    """Returns the people who may see rows of each company. Tables that other people might see as well are left out."""
    if not companies:
        return {}
    relations, company_ids = zip(*companies, strict=True)
    rows = await connection.fetch(
        """
        select c.relation, c.company, realtime.possible_readers(c.relation::regclass, c.company) as people
          from unnest($1::oid[], $2::text[]) as c (relation, company)
        """,
        relations,
        company_ids,
    )
    return {(row["relation"], row["company"]): frozenset(row["people"]) for row in rows if row["people"] is not None}


async def visible_records(
    connection: Connection, table: Table, rows: Sequence[str], readers: Mapping[Identity, Collection[int]]
) -> list[tuple[int, int | None, str | None]]:
    """Returns tuples of identity number, row number and record (as JSON). Numbers start at 1.

    `readers` contains for each identity the numbers of the rows to check. The tuples of each row contain the record
    only for the first identity of each role; the record is None for the others. If a policy fails for an identity, its
    tuple has None as row number and the error message as record.
    """
    results = await connection.fetch(
        "select principal, entry, record from realtime.visible_rows($1::text::regclass, $2, $3, $4)",
        table.sql,
        table.by_key,
        _entries(table, rows),
        json.dumps(
            [
                {"role": role, "claims": claims, "entries": sorted(numbers)}
                for (role, claims), numbers in readers.items()
            ]
        ),
    )
    return [(row["principal"], row["entry"], row["record"]) for row in results]


async def passed_filters(
    connection: Connection, table: Table, rows: Sequence[str], filters: Sequence[str]
) -> list[tuple[int, int]]:
    """Returns a row number (from 1) and a filter index (from 0) for each filter that a row passes."""
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
    return [(row["row"], index) for row in results for index, passed in enumerate(row["passed"] or ()) if passed]


async def check_filters(connection: Connection, checks: Iterable[str]) -> None:
    """Raises the error that the filters would raise when applied to a row."""
    await connection.fetchval(f"select array[{', '.join(checks)}]")


def _entries(table: Table, rows: Sequence[str]) -> str:
    return json.dumps(rows) if table.by_key else f"[{','.join(rows)}]"


async def active_sessions(connection: Connection, ids: Collection[UUID]) -> set[UUID]:
    """Returns those of the given sign-in sessions that have not ended."""
    rows = await connection.fetch("select auth.active_sessions($1) as id", list(ids)) if ids else []
    return {row["id"] for row in rows}


# Private channels


async def permissions(connection: Connection) -> Permissions:
    """Returns the permissions of the current role for the topic in the setting `realtime.topic`."""
    row = await connection.fetchrow(
        """
        select realtime.may('r', 'broadcast') as receives_broadcasts,
               realtime.may('r', 'presence') as receives_presence,
               realtime.may('a', 'broadcast') as sends_broadcasts,
               realtime.may('a', 'presence') as tracks_presence
        """
    )
    assert row is not None, "a select without from always has a row"
    return Permissions(**row)


async def stored_messages(connection: Connection, topic: str, since: datetime, limit: int) -> list[StoredMessage]:
    """Returns the newest messages of a private topic, ordered from the oldest."""
    rows = await connection.fetch(
        """
        select id, xid::text::bigint as xid, event, payload::text as payload
          from realtime.messages
         where topic = $1 and private and extension = 'broadcast' and inserted_at >= $2 and payload is not null
         order by inserted_at desc
         limit $3
        """,
        topic,
        since,
        limit,
    )
    messages: list[StoredMessage] = []
    for row in reversed(rows):
        with suppress(UnreadableJson):
            payload = parse_stored(row["payload"], _MESSAGES)
            messages.append(StoredMessage(str(row["id"]), row["xid"], row["event"], payload))
    return messages


# Deletes up to $1 messages that are older than $2, and returns how many these were.
DELETE_OLD_MESSAGES = """
with old as (
    select id from realtime.messages where inserted_at < now() - $2::interval order by inserted_at, id limit $1),
deleted as (
    delete from realtime.messages m using old where m.id = old.id returning 1)
select count(*) from deleted
"""


# Channels that were closed because their server stopped


async def add_closed_channels(connection: Connection, channels: Sequence[tuple[str, int]], delivered: Snapshot) -> None:
    """Each channel is given by its key and the reference of its join."""
    keys, join_refs = zip(*channels, strict=True)
    await connection.execute(
        """
        insert into realtime.closed_channels (key, join_ref, delivered)
        select key, join_ref, $3::text::pg_snapshot from unnest($1::text[], $2::bigint[]) as c (key, join_ref)
        """,
        keys, join_refs, delivered.text,
    )  # fmt: skip


async def has_closed_channel(connection: Connection, key: str, join_ref: int, max_age: timedelta) -> bool:
    found: bool = await connection.fetchval(
        """
        select exists (select from realtime.closed_channels
                        where key = $1 and join_ref < $2 and closed_at > now() - $3::interval)
        """,
        key, join_ref, max_age,
    )  # fmt: skip
    return found


async def take_closed_channel(connection: Connection, key: str, join_ref: int, max_age: timedelta) -> Snapshot | None:
    """Returns the oldest position of a channel with this key, and deletes it unless there are different positions.

    Two windows of one account can have the same key. If their servers stopped one after the other, it is not known to
    which window a position belongs. Then both get the older one: some changes twice are better than a missed one.
    """
    text: str | None = await connection.fetchval(
        """
        with matching as (
            select id, delivered from realtime.closed_channels
             where key = $1 and join_ref < $2 and closed_at > now() - $3::interval
               for update
        ), deleted as (
            delete from realtime.closed_channels
             where id = (select min(id) from matching) and (select count(distinct delivered::text) = 1 from matching)
        )
        select delivered::text from matching order by pg_snapshot_xmax(delivered), id limit 1
        """,
        key, join_ref, max_age,
    )  # fmt: skip
    return None if text is None else Snapshot.parse(text)


DELETE_OLD_CLOSED_CHANNELS = delete_old_rows("realtime.closed_channels", "closed_at")
