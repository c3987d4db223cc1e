"""Erases signed waivers that are older than their company wants to keep them, and informs it 30 days before."""

import logging
from datetime import datetime
from uuid import UUID, uuid5

from cairn.accounts import confirmed_people
from cairn.db import SERVICE, Connection, Database, DatabaseUnreachable, is_connection_lost, run_in_batches
from cairn.kit import frozen_dataclass
from cairn.messaging import Email, add_email, email_body, greeting
from cairn.translations import plural, spoken_date, text

log = logging.getLogger(__name__)

# One email reports at most this many waivers. The others are planned a week later.
_MAX_PLANNED_AT_ONCE = 5000
_MAX_ERASED_AT_ONCE = 1000
_ACTION = text("See the list")
_SUBJECT = plural(
    "One of your signed waivers will be erased on {first_day}",
    "{count} of your signed waivers will be erased from {first_day} on",
)
_KEPT_FOR = plural(
    "You chose to keep signed waivers for one month.", "You chose to keep signed waivers for {count} months."
)
_ERASED = plural(
    "One of them will soon be older than that, so it will be erased on {first_day}. Its name, signature and document"
    " are then gone for good.",
    "{count} of them will soon be older than that, so they will be erased between {first_day} and {last_day}. Their"
    " names, signatures and documents are then gone for good.",
)
_WHAT_TO_DO = text("See which ones, hold the ones that you still need, or keep your waivers longer:")


@frozen_dataclass
class Plan:
    """The waivers of one company whose erasure was planned in the same run."""

    waiver_count: int
    first_at: datetime
    last_at: datetime


async def apply_retention(database: Database, site_url: str, now: datetime) -> int:
    """Plans the erasures of the next weeks, and erases the waivers that are due. Returns how many waivers were due."""
    await run_in_batches(database, "select waivers.drop_plans_without_retention($1)")
    await run_in_batches(database, "select waivers.delete_dropped_plans($1)")
    async with database.acting_as(SERVICE, read_only=True) as connection:
        rows = await connection.fetch("select company_id, months from accounts.retentions")
    for row in rows:
        # Each company has its own transaction, so that a company with many waivers does not delay the others.
        try:
            async with database.acting_as(SERVICE) as connection:
                await _plan(connection, row["company_id"], row["months"], site_url, now)
        except Exception as error:
            if _is_database_lost(error):
                raise
            log.exception("could not plan the erasures of the company %s; the next run tries again", row["company_id"])
    return await _erase_due(database)


async def _plan(connection: Connection, company_id: UUID, months: int, site_url: str, now: datetime) -> None:
    row = await connection.fetchrow(
        "select * from waivers.plan_erasures($1, $2, $3)", company_id, months, _MAX_PLANNED_AT_ONCE
    )
    assert row is not None, "the function returns one row"
    # The function plans nothing if it did so less than a week ago, so the company gets at most one email a week.
    if row["waiver_count"] == 0:
        return
    plan = Plan(**row)
    for person in await confirmed_people(connection, company_id):
        days = {
            "first_day": spoken_date(plan.first_at, person.time_zone),
            "last_day": spoken_date(plan.last_at, person.time_zone),
        }
        email = Email(
            id=uuid5(person.id, f"planned erasures {now.isoformat()}"),
            recipient=person.email,
            subject=_SUBJECT.format(plan.waiver_count, **days),
            body=email_body(
                greeting(person.name),
                f"{_KEPT_FOR.format(months)} {_ERASED.format(plan.waiver_count, **days)}",
                str(_WHAT_TO_DO),
                f"{site_url}/dashboard/profile#records",
            ),
            action=str(_ACTION),
        )
        await add_email(connection, email, company_id=None, keep_retrying=True)


async def _erase_due(database: Database) -> int:
    """Erases each waiver in its own transaction, so that no lock is held for long, and a failure stops no other one."""
    async with database.acting_as(SERVICE, read_only=True) as connection:
        rows = await connection.fetch("select waivers.due_erasures($1) as waiver_id", _MAX_ERASED_AT_ONCE)
    for row in rows:
        try:
            async with database.acting_as(SERVICE) as connection:
                await connection.execute("select waivers.erase_due($1)", row["waiver_id"])
        except Exception as error:
            if _is_database_lost(error):
                raise
            log.exception("could not erase the waiver %s; the next run tries again", row["waiver_id"])
    return len(rows)


def _is_database_lost(error: Exception) -> bool:
    """Returns True if the database cannot be reached, so that all other waivers and companies would fail too.

    A statement that takes too long also raises DatabaseUnreachable. Then only this waiver or company is slow.
    """
    is_slow = isinstance(error, DatabaseUnreachable) and isinstance(error.__cause__, TimeoutError)
    return is_connection_lost(error) and not is_slow
