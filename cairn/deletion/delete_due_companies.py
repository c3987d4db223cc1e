"""Deletes the companies whose waiting period is over."""

import logging
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from cairn.accounts import (
    Company,
    companies_to_delete,
    confirmed_people,
    lock_company,
    people_of,
    unschedule_company_deletion,
)
from cairn.billing import BillingContext, end_subscriptions_of
from cairn.db import SERVICE, Connection, Database
from cairn.deletion.company_messages import company_deleted_email, company_deleted_email_id
from cairn.deletion.delete_each import delete_each
from cairn.messaging import add_email, email_exists, email_state
from cairn.storage import ObjectStorage

log = logging.getLogger(__name__)

# One transaction erases at most this many waivers, or deletes this many rows of each table.
_BATCH_SIZE = 50
# A company with many waivers is deleted by several calls, so that it does not delay the others.
_MAX_BATCHES = 20
# If the last emails have not been sent after this time, the company is deleted anyway.
_MAX_EMAIL_WAIT = timedelta(days=1)
# The waivers and sessions come first, and the rows that refer to them after that. Each of these functions returns how
# many it handled, or 0 if nothing is left.
_BATCHES = (
    # A company has up to ten deliveries of webhooks for each waiver, and deleting one is quick.
    "select integrations.delete_company_data($1, 20 * $2)",
    "select trips.delete_company_data($1, $2)",
    "select waivers.erase_company_waivers($1, $2)",
    "select waivers.delete_company_data($1, $2)",
    "select messaging.delete_company_data($1, $2)",
    "select billing.delete_company_data($1, $2)",
)


async def delete_due_companies(billing: BillingContext, files: ObjectStorage, now: datetime) -> int:
    """Returns how many companies were deleted completely. A failure is logged, and the next call tries again."""
    find = partial(companies_to_delete, now=now)
    delete = partial(_continue_deletion, billing, files, now=now)
    return await delete_each(billing.database, find, delete, failure="the company %s could not be deleted yet")


async def _continue_deletion(billing: BillingContext, files: ObjectStorage, company_id: UUID, now: datetime) -> bool:
    """Returns True if nothing is left to delete."""
    if not await _begin_when_due(billing.database, company_id, now):
        return False
    # From here on, the deletion can no longer be cancelled. Each of these steps can be repeated if a later one fails.
    await _delete_people(billing, files, company_id)
    await end_subscriptions_of(billing, company_id)
    await files.erase_files_of(company_id)
    if not await _delete_batches(billing.database, company_id):
        return False
    async with billing.database.acting_as(SERVICE) as connection:
        await unschedule_company_deletion(connection, company_id)
    log.info("deleted the company %s, as requested", company_id)
    return True


async def _begin_when_due(database: Database, company_id: UUID, now: datetime) -> bool:
    """Begins the deletion once the last emails are sent. Returns whether it has begun, now or earlier.

    The company is locked, so that its owner cannot keep it meanwhile, and no waiver of it can be put on hold.
    """
    async with database.acting_as(SERVICE) as connection:
        company = await lock_company(connection, company_id)
        if company.deleted_at is not None:
            return True
        if not await _is_due(connection, company, now) or not await _are_last_emails_sent(connection, company, now):
            return False
        await connection.execute("select auth.delete_single_sign_on($1)", company_id)
        await connection.execute("select accounts.begin_company_deletion($1)", company_id)
    return True


async def _is_due(connection: Connection, company: Company, now: datetime) -> bool:
    """A legal hold delays the deletion until it is released."""
    if company.delete_at is None or company.delete_at > now:
        return False
    held_count: int = await connection.fetchval("select waivers.count_held($1)", company.id)
    return held_count == 0


async def _are_last_emails_sent(connection: Connection, company: Company, now: datetime) -> bool:
    if company.delete_at is not None and company.delete_at < now - _MAX_EMAIL_WAIT:
        return True
    are_sent = True
    for person in await confirmed_people(connection, company.id):
        email_id = company_deleted_email_id(person.id)
        if not await email_exists(connection, email_id):
            await add_email(
                connection, company_deleted_email(person, company.name), company_id=None, keep_retrying=True
            )
            are_sent = False
        elif (await email_state(connection, email_id)).status == "sending":
            are_sent = False
    return are_sent


async def _delete_people(billing: BillingContext, files: ObjectStorage, company_id: UUID) -> None:
    """Deletes the accounts, and then what their owners could have changed until then."""
    async with billing.database.acting_as(SERVICE, read_only=True) as connection:
        people = await people_of(connection, company_id)
    for user_id, email in people:
        await end_subscriptions_of(billing, user_id)
        await files.erase_files_of(user_id)
        async with billing.database.acting_as(SERVICE) as connection:
            await _delete_account(connection, user_id, email)
    async with billing.database.acting_as(SERVICE) as connection:
        await connection.execute("select integrations.delete_company_data($1, $2)", company_id, _BATCH_SIZE)
        await connection.execute("select waivers.delete_templates($1)", company_id)


async def _delete_account(connection: Connection, user_id: UUID, email: str) -> None:
    phone = await connection.fetchval("select auth.phone_of($1)", user_id)
    is_proven = await connection.fetchval("select auth.confirmed_email($1)", user_id) == email
    await connection.execute("select messaging.delete_messages_to($1, $2, $3)", email, phone, is_proven)
    await connection.execute("select auth.delete_account($1)", user_id)


async def _delete_batches(database: Database, company_id: UUID) -> bool:
    """Returns False if something is left for the next call. Each batch has its own transaction."""
    batch_count = 0
    for query in _BATCHES:
        while True:
            if batch_count == _MAX_BATCHES:
                return False
            async with database.acting_as(SERVICE) as connection:
                if not await connection.fetchval(query, company_id, _BATCH_SIZE):
                    break
            batch_count += 1
    return True
