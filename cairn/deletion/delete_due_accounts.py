"""Deletes the accounts whose waiting period is over."""

import logging
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from cairn.accounts import Guest, guests_to_delete, lock_guest
from cairn.billing import BillingContext, end_subscriptions_of
from cairn.db import SERVICE, Connection
from cairn.deletion.delete_each import delete_each
from cairn.deletion.messages import deleted_email, deleted_email_id
from cairn.messaging import add_email, email_exists, email_state
from cairn.storage import ObjectStorage

log = logging.getLogger(__name__)

# If the last email has not been sent after this time, the account is deleted anyway.
_MAX_EMAIL_WAIT = timedelta(days=1)


async def delete_due_accounts(billing: BillingContext, files: ObjectStorage, now: datetime) -> int:
    """Returns how many accounts were deleted.

    An account is deleted in two steps, because its last email needs the address: the first call requests the email,
    and a later one deletes the account together with that email.
    """
    find = partial(guests_to_delete, now=now)
    delete = partial(_delete_if_due, billing, files, now=now)
    failure = "could not delete the account %s; the next run tries again"
    return await delete_each(billing.database, find, delete, failure)


async def _delete_if_due(billing: BillingContext, files: ObjectStorage, user_id: UUID, now: datetime) -> bool:
    if not await _is_last_email_sent(billing, user_id, now):
        return False
    # From here on, the guest can no longer cancel the deletion.
    await end_subscriptions_of(billing, user_id)
    await files.erase_files_of(user_id)
    return await _delete(billing, user_id)


async def _is_last_email_sent(billing: BillingContext, user_id: UUID, now: datetime) -> bool:
    async with billing.database.acting_as(SERVICE) as connection:
        guest = await lock_guest(connection, user_id)
        if guest is None or guest.delete_at is None:
            return False
        if guest.confirmed_email is None or guest.delete_at < now - _MAX_EMAIL_WAIT:
            return True
        email_id = deleted_email_id(user_id)
        if await email_exists(connection, email_id):
            return (await email_state(connection, email_id)).status != "sending"
        await add_email(connection, deleted_email(guest, guest.confirmed_email), company_id=None, keep_retrying=True)
        return False


async def _delete(billing: BillingContext, user_id: UUID) -> bool:
    async with billing.database.acting_as(SERVICE) as connection:
        guest = await lock_guest(connection, user_id)
        if guest is None:
            return False
        await _delete_messages(connection, guest)
        await connection.execute("select auth.delete_account($1)", user_id)
    log.info("deleted the account %s, as its owner requested", user_id)
    return True


async def _delete_messages(connection: Connection, guest: Guest) -> None:
    phone = await connection.fetchval("select auth.phone_of($1)", guest.id)
    is_proven = guest.confirmed_email == guest.email
    await connection.execute("select messaging.delete_messages_to($1, $2, $3)", guest.email, phone, is_proven)
