"""Writes the email of a reminder, and its text message if the company wants that too."""

from uuid import UUID

from cairn.db import SERVICE, Database
from cairn.kit import now
from cairn.messaging import TextLimits, add_email, queue_guest_text
from cairn.waivers.reminders import store
from cairn.waivers.reminders.messages import reminder_email, reminder_text
from cairn.waivers.reminders.rules import cancellation_reason, latest_sending_time


async def write_reminder(
    database: Database, site_url: str, reminder_id: UUID, *, is_last_try: bool, text_limits: TextLimits | None = None
) -> None:
    """`text_limits` is None if there is no gateway for text messages."""
    try:
        await _write(database, site_url, reminder_id, text_limits)
    except Exception:
        if is_last_try:
            # An open reminder would block every later one of the same session.
            async with database.acting_as(SERVICE) as connection:
                await store.close_reminder(connection, reminder_id)
        raise


async def _write(database: Database, site_url: str, reminder_id: UUID, text_limits: TextLimits | None) -> None:
    async with database.acting_as(SERVICE) as connection:
        reminder = await store.reminder(connection, reminder_id)
        assert reminder is not None, "reminders are never deleted"
        if _cancellation_reason(reminder) is not None:
            await store.close_reminder(connection, reminder_id)
            return
        await add_email(
            connection, reminder_email(reminder, site_url), company_id=reminder.company_id,
            session_id=reminder.session_id, kind="reminder", keep_retrying=True,
            not_after=latest_sending_time(reminder.requested_at, reminder.expires_at),
        )  # fmt: skip
        if text_limits is not None and reminder.phone is not None:
            await queue_guest_text(connection, reminder_text(reminder, reminder.phone, site_url), text_limits)


async def reason_not_to_send(database: Database, reminder_id: UUID) -> str | None:
    """Checked just before the email is sent, which may be much later than it was written."""
    async with database.acting_as(SERVICE, read_only=True) as connection:
        reminder = await store.reminder(connection, reminder_id)
    return None if reminder is None else _cancellation_reason(reminder)


def _cancellation_reason(reminder: store.Reminder) -> str | None:
    return cancellation_reason(reminder.status, reminder.expires_at, reminder.has_opted_out, now())
