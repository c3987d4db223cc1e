"""Notifies the company of a signed waiver: in its notifications, and by email to the people who chose that."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID, uuid5

from cairn.accounts import EmailRecipient, signing_email_recipients
from cairn.db import SERVICE, Connection, Database
from cairn.limits import Limit, take
from cairn.messaging import Email, add_email, add_notification, neutral_name, without_links
from cairn.translations import text
from cairn.waivers import store
from cairn.waivers.store import SignedWaiver

TITLE = text("New Waiver Signed")
_SUBJECT = text("New Waiver Signed: {signer_name}, {template_name}")
_MESSAGE = text("{signer_name} has signed a waiver: {template_name}")
_BODY = text("""\
{message}

{link}

You get this email because you chose to be notified of every signed waiver. You can change that in your profile:
{profile_link}
""")
_SEE_WAIVER = text("See the waiver")
_SEE_WAIVERS = text("See the waivers")
_A_GUEST = text("A guest")
HOUR = timedelta(hours=1)
# A stranger can sign a public template many times, and must not fill the mailboxes and the screens of the company.
# This is the limit of emails to each person, and of pushes to each company.
MAX_PER_HOUR = 20
SUMMARY_TITLE = text("More Waivers Signed")
_SUMMARY = text("""\
Many waivers were signed within a short time. We send at most {limit} emails an hour about single
waivers, so you did not get an email about each one. All of them are listed here:""")


async def notify_company(database: Database, waiver_id: UUID, site_url: str) -> None:
    """A waiver signed on a sample template may have no company; then there is no one to notify."""
    async with database.acting_as(SERVICE) as connection:
        waiver = await store.signed_waiver(connection, waiver_id)
        if waiver.company_id is None:
            return
        is_new = await add_notification(
            connection,
            company_id=waiver.company_id,
            about=waiver.id,
            title=str(TITLE),
            message=notification_message(waiver),
            data={"waiver_id": str(waiver.id), "session_id": str(waiver.session_id)},
        )
        # The emails are queued in the same transaction as the notification, so either both exist or neither does.
        if is_new:
            await _queue_emails(connection, waiver, site_url)


def notification_message(waiver: SignedWaiver) -> str:
    return _MESSAGE.format(signer_name=waiver.signer_name, template_name=waiver.template_name)


def with_neutral_name(waiver: SignedWaiver) -> SignedWaiver:
    """The name is typed by the signer, who may be a stranger, so it must be neither a message nor a link."""
    return replace(waiver, signer_name=without_links(neutral_name(waiver.signer_name, str(_A_GUEST))))


async def _queue_emails(connection: Connection, waiver: SignedWaiver, site_url: str) -> None:
    assert waiver.company_id is not None, "checked by the caller"
    for recipient in await signing_email_recipients(connection, waiver.company_id):
        email = await _next_email(connection, waiver, recipient, site_url)
        if email is not None:
            # The email has no company_id, because the company's Email History lists only emails to guests.
            await add_email(connection, email, company_id=None, about=waiver.id, keep_retrying=True)


async def _next_email(
    connection: Connection, waiver: SignedWaiver, recipient: EmailRecipient, site_url: str
) -> Email | None:
    """Returns the email about the waiver. After too many of these, returns one summary an hour, and otherwise None."""
    limit = Limit(f"emails about signatures to {recipient.id}", MAX_PER_HOUR, HOUR)
    if await take(connection, limit) is None:
        return notification_email(waiver, recipient, site_url)
    if await take(connection, Limit(f"summaries of signatures to {recipient.id}", 1, HOUR)) is None:
        return summary_email(waiver, recipient, site_url)
    return None


def notification_email(waiver: SignedWaiver, recipient: EmailRecipient, site_url: str) -> Email:
    waiver = with_neutral_name(waiver)
    return Email(
        id=uuid5(waiver.id, f"signing notification for {recipient.id}"),
        recipient=recipient.email,
        # Names may contain line breaks; an email header may not.
        subject=" ".join(_SUBJECT.format(signer_name=waiver.signer_name, template_name=waiver.template_name).split()),
        body=_body(notification_message(waiver), f"/{waiver.session_id}", site_url),
        action=str(_SEE_WAIVER),
    )


def summary_email(waiver: SignedWaiver, recipient: EmailRecipient, site_url: str) -> Email:
    """The waiver is the first one that gets no email of its own."""
    return Email(
        id=uuid5(waiver.id, f"summary of signatures for {recipient.id}"),
        recipient=recipient.email,
        subject=str(SUMMARY_TITLE),
        body=_body(_SUMMARY.format(limit=MAX_PER_HOUR), "", site_url),
        action=str(_SEE_WAIVERS),
    )


def _body(message: str, path: str, site_url: str) -> str:
    """`path` leads from Waiver Management to one waiver, or is empty for all of them."""
    return _BODY.format(
        message=message,
        link=f"{site_url}/dashboard/waiver-management{path}",
        profile_link=f"{site_url}/dashboard/profile?section=notifications",
    )
