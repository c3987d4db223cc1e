"""Calls the functions with which a company cancels, corrects, resends, revokes, holds and erases waivers."""

import json
from typing import Any
from uuid import UUID

import asyncpg

from cairn.db import Connection, Database, Principal
from tests.people import Person


async def cancel(database: Database, person: Person, session_id: UUID, reason: str = "Not coming") -> None:
    await call(database, person.principal, "select cancel_waiver($1, $2)", session_id, reason)


async def correct_recipient(
    database: Database, person: Person, session_id: UUID, name: str | None = None, email: str | None = None
) -> UUID:
    """Returns the id of the session that replaces the old one."""
    new_id: UUID = await call(
        database, person.principal, "select correct_recipient($1, $2, $3)", session_id, name, email
    )
    return new_id


async def resend(database: Database, person: Person, session_id: UUID) -> UUID:
    """Returns the id of the session whose link is sent again."""
    sent_id: UUID = await call(database, person.principal, "select resend_waiver($1)", session_id)
    return sent_id


async def revoke(
    database: Database,
    person: Person,
    waiver_id: UUID,
    reason: str = "Signed for the wrong person",
    superseded_by: UUID | None = None,
) -> None:
    await call(database, person.principal, "select revoke_waiver($1, $2, $3)", waiver_id, reason, superseded_by)


async def call(database: Database, principal: Principal, sql: str, *values: object) -> Any:
    settings = {"request.ip": "198.51.100.4", "request.user_agent": "An office computer"}
    async with database.acting_as(principal, settings) as connection:
        return await connection.fetchval(sql, *values)


async def history(database: Database, person: Person, session_id: UUID) -> list[tuple[str, dict[str, Any]]]:
    """Returns the name and the details of each event of the session, as the company sees them."""
    async with database.acting_as(person.principal) as connection:
        events = await connection.fetch(
            "select name, details from waiver_events where session_id = $1 order by event_id", session_id
        )
    return [(event["name"], json.loads(event["details"])) for event in events]


async def session_row(database: Database, person: Person, session_id: UUID) -> "asyncpg.Record":
    async with database.acting_as(person.principal) as connection:
        row = await connection.fetchrow("select * from waiver_sessions where id = $1", session_id)
    assert row is not None
    return row


async def expire(admin: Connection, session_id: UUID) -> None:
    await admin.execute("update waivers.sessions set expires_at = now() - interval '1 day' where id = $1", session_id)


async def hold(database: Database, person: Person, waiver_id: UUID, reason: str = "A claim was announced") -> None:
    await call(database, person.principal, "select hold_waiver($1, $2)", waiver_id, reason)


async def release(database: Database, person: Person, waiver_id: UUID, reason: str = "The claim is settled") -> None:
    await call(database, person.principal, "select release_hold($1, $2)", waiver_id, reason)


async def erase(database: Database, person: Person, waiver_id: UUID, reason: str = "The guest asked for it") -> None:
    await call(database, person.principal, "select erase_waiver($1, $2)", waiver_id, reason)
