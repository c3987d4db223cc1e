"""A reminder becomes a mail, and a text message where the company wants that too."""

from uuid import UUID, uuid5

from cairn.db import SERVICE, Database
from cairn.kit import now
from cairn.messaging import Email, GuestText, TextLimits, add_email, from_sender, text_guest
from cairn.waivers.reminders import store
from cairn.waivers.reminders.model import not_after, why_not
from cairn.waivers.reminders.stop import ADDRESS
from cairn.waivers.texts import signing_link

SUBJECT = "Reminder: please sign {template_name}"
BODY = """\
Hello{name},

{company_name} is still waiting for your signature on the waiver "{template_name}". It takes a minute, on any device:

{link}

You do not need an account. The link holds until {expires_at:%B} {expires_at.day}, {expires_at.year}.
"""
TEXT = "your waiver still waits for your signature {link}"


async def write_reminder(
    database: Database, site_url: str, reminder_id: UUID, *, last_try: bool, texts: TextLimits | None = None
) -> None:
    """`texts`: there is a gateway, and how many it may be given."""
    try:
        await _write(database, site_url, reminder_id, texts)
    except Exception:
        if last_try:
            # Left open it would stand in the way of every later one.
            async with database.acting_as(SERVICE) as connection:
                await store.close_reminder(connection, reminder_id)
        raise


async def _write(database: Database, site_url: str, reminder_id: UUID, texts: TextLimits | None) -> None:
    async with database.acting_as(SERVICE) as connection:
        reminder = await store.reminder(connection, reminder_id)
        assert reminder is not None, "a reminder never goes away"
        if _objection(reminder) is not None:
            await store.close_reminder(connection, reminder_id)
            return
        await add_email(
            connection, letter(reminder, site_url), company_id=reminder.company_id, session_id=reminder.session_id,
            kind="reminder", patient=True, not_after=not_after(reminder.asked_at, reminder.expires_at),
        )  # fmt: skip
        if texts is not None and reminder.text_to is not None:
            await text_guest(connection, text(reminder, reminder.text_to, site_url), texts)


async def objection(database: Database, reminder_id: UUID) -> str | None:
    """Asked just before the mail goes out, which may be a while after it was written."""
    async with database.acting_as(SERVICE, read_only=True) as connection:
        reminder = await store.reminder(connection, reminder_id)
    return None if reminder is None else _objection(reminder)


def _objection(reminder: store.Reminder) -> str | None:
    return why_not(reminder.status, reminder.expires_at, reminder.refused, now())


def letter(reminder: store.Reminder, site_url: str) -> Email:
    name = " ".join((reminder.recipient_name or "").split())
    return Email(
        id=reminder.id,
        recipient=reminder.recipient_email,
        # A header is one line, whatever the template is called.
        subject=" ".join(SUBJECT.format(template_name=reminder.template_name).split()),
        body=BODY.format(
            name=f" {name}" if name else "",
            company_name=reminder.company_name,
            template_name=reminder.template_name,
            link=signing_link(site_url, reminder.session_id),
            expires_at=reminder.expires_at,
        ),
        action="Review and sign",
        sender_name=" ".join(reminder.company_name.split()),
        unsubscribe_url=f"{site_url}{ADDRESS}/{reminder.id}",
    )


def text(reminder: store.Reminder, recipient: str, site_url: str) -> GuestText:
    words = TEXT.format(link=signing_link(site_url, reminder.session_id))
    return GuestText(
        # Made from the reminder's, so that it is written once however often somebody tries.
        id=uuid5(reminder.id, "as a text message"),
        recipient=recipient,
        body=from_sender(reminder.company_name, words),
        company_id=reminder.company_id,
        session_id=reminder.session_id,
        kind="reminder",
    )
