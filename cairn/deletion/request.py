"""A guest requests the deletion of their account, or keeps it."""

from datetime import datetime
from uuid import UUID

from cairn.accounts import Guest, is_guest, lock_guest, schedule_guest_deletion
from cairn.db import SERVICE, Connection, Database, Principal
from cairn.deletion.errors import AccountIsBeingDeleted, DeletionNeedsSignIn, OnlyGuestsDelete
from cairn.deletion.messages import requested_email
from cairn.deletion.requester import Requester, limit_requests, log_act, require_recent_sign_in
from cairn.deletion.settings import DeletionSettings
from cairn.kit import now
from cairn.messaging import add_email


async def request_deletion(
    database: Database, requester: Requester, settings: DeletionSettings, site_url: str
) -> datetime:
    """Schedules the deletion and returns its time. If it is scheduled already, that time stays."""
    user_id = await _require_guest(database, requester.principal)
    moment = now()
    require_recent_sign_in(requester.principal, settings, moment)
    async with database.acting_as(SERVICE) as connection:
        guest = await _locked_guest(connection, user_id)
        if guest.delete_at is not None:
            return guest.delete_at
        await limit_requests(connection, user_id)
        delete_at = moment + settings.waiting_period
        await schedule_guest_deletion(connection, user_id, delete_at)
        await log_act(connection, user_id, "deletion_requested", requester.ip)
        # Someone else's address may have been typed, so an address that is not confirmed gets no email.
        if guest.confirmed_email is not None:
            email = requested_email(guest, guest.confirmed_email, delete_at, moment, site_url)
            await add_email(connection, email, company_id=None, keep_retrying=True)
    return delete_at


async def keep_account(database: Database, requester: Requester) -> None:
    user_id = await _require_guest(database, requester.principal)
    async with database.acting_as(SERVICE) as connection:
        guest = await _locked_guest(connection, user_id)
        if guest.delete_at is None:
            return
        if guest.delete_at <= now():
            raise AccountIsBeingDeleted
        await schedule_guest_deletion(connection, user_id, None)
        await log_act(connection, user_id, "deletion_cancelled", requester.ip)


async def _require_guest(database: Database, principal: Principal) -> UUID:
    """Returns the id of the caller. A caller who has not passed the second factor counts as not signed in."""
    if principal.user_id is None:
        raise DeletionNeedsSignIn
    async with database.acting_as(principal, read_only=True) as connection:
        answer = await is_guest(connection)
    if answer is None:
        raise DeletionNeedsSignIn
    if not answer:
        raise OnlyGuestsDelete
    return principal.user_id


async def _locked_guest(connection: Connection, user_id: UUID) -> Guest:
    guest = await lock_guest(connection, user_id)
    if guest is None:
        raise AccountIsBeingDeleted
    return guest
