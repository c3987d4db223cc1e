"""Writes the email of a reminder, and its text message if the company wants that too."""

from uuid import UUID

from cairn.billing import PlanLimitReached, message_quota, within_allowance
from cairn.db import SERVICE, Connection, Database
from cairn.kit import now
from cairn.limits import network_of
from cairn.messaging import (
    CountedEmail,
    MessagingSettings,
    add_email,
    email_exists,
    queue_guest_text,
    sending_status,
    take_email,
)
from cairn.waivers.reminders import store
from cairn.waivers.reminders.messages import reminder_email, reminder_text, with_neutral_names
from cairn.waivers.reminders.rules import cancellation_reason, latest_sending_time
from cairn.waivers.store import has_max_email_events


async def write_reminder(
    database: Database, site_url: str, reminder_id: UUID, messaging: MessagingSettings, *, is_last_try: bool
) -> None:
    """Idempotent: the email has the id of the reminder."""
    try:
        with within_allowance():
            await _write(database, site_url, reminder_id, messaging)
    except Exception as error:
        # The reminder of a waiver that was never sent counts as a sent waiver, and the plan may allow no more of these.
        is_final = is_last_try or isinstance(error, PlanLimitReached)
        if is_final:
            # An open reminder would block every later one of the same session.
            async with database.acting_as(SERVICE) as connection:
                await store.close_reminder(connection, reminder_id)
        if not isinstance(error, PlanLimitReached):
            raise


async def _write(database: Database, site_url: str, reminder_id: UUID, messaging: MessagingSettings) -> None:
    async with database.acting_as(SERVICE) as connection:
        reminder = await store.reminder(connection, reminder_id)
        if reminder is None:
            # The company was deleted, and its reminders with it.
            return
        if _cancellation_reason(reminder) is not None:
            await store.close_reminder(connection, reminder_id)
            return
        is_queued = await email_exists(connection, reminder.id)
        if not is_queued:
            is_queued = await _queue_email(connection, reminder, site_url, messaging)
        if not is_queued:
            await store.close_reminder(connection, reminder_id)
        elif messaging.offers_texts and reminder.phone is not None:
            text = reminder_text(reminder, reminder.phone, site_url)
            status = await sending_status(connection, messaging, reminder.company_id)
            network = network_of(reminder.opened_from_ip)
            await queue_guest_text(connection, text, messaging.texts, status, network)


async def _queue_email(
    connection: Connection, reminder: store.Reminder, site_url: str, messaging: MessagingSettings
) -> bool:
    """Returns False if the company or the recipient has reached a limit. Email History then shows the reason.

    If there were too many emails about the session, no reason is shown, because it would be stored as one more email.
    """
    if await has_max_email_events(connection, reminder.session_id):
        return False
    status = await sending_status(connection, messaging, reminder.company_id)
    quota = await message_quota(connection, reminder.company_id, messaging.emails)
    counted_email = CountedEmail(reminder.recipient_email, quota, network_of(reminder.opened_from_ip))
    refusal = await take_email(connection, messaging, status, counted_email)
    email = reminder_email(with_neutral_names(reminder) if status.is_restricted else reminder, site_url)
    await add_email(
        connection, email, company_id=reminder.company_id,
        session_id=reminder.session_id, kind="reminder", keep_retrying=True,
        not_after=latest_sending_time(reminder.requested_at, reminder.expires_at),
        stays_local=not status.leaves_the_server, cancelled_because=None if refusal is None else str(refusal),
    )  # fmt: skip
    return refusal is None


async def reason_not_to_send(database: Database, reminder_id: UUID) -> str | None:
    """Checked just before the email is sent, which may be much later than it was written."""
    async with database.acting_as(SERVICE, read_only=True) as connection:
        reminder = await store.reminder(connection, reminder_id)
    return None if reminder is None else _cancellation_reason(reminder)


def _cancellation_reason(reminder: store.Reminder) -> str | None:
    return cancellation_reason(reminder.status, reminder.expires_at, reminder.has_opted_out, now())
