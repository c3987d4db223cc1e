"""Notifies the company of a signed waiver: in its notifications, and by email to the people who chose that."""

from dataclasses import replace
from uuid import UUID, uuid5

from cairn.accounts import EmailRecipient, signing_email_recipients
from cairn.db import SERVICE, Connection, Database
from cairn.messaging import Email, add_email, add_notification, without_links
from cairn.waivers import store
from cairn.waivers.store import SignedWaiver

TITLE = "New Waiver Signed"
_MESSAGE = "{signer_name} has signed a waiver: {template_name}"
_BODY = """\
{message}

{link}

You get this email because you chose to be notified of every signed waiver. You can change that in your profile:
{profile_link}
"""


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
            title=TITLE,
            message=notification_message(waiver),
            data={"waiver_id": str(waiver.id), "session_id": str(waiver.session_id)},
        )
        # The emails are queued in the same transaction as the notification, so either both exist or neither does.
        if is_new:
            await _queue_emails(connection, waiver, site_url)


def notification_message(waiver: SignedWaiver) -> str:
    return _MESSAGE.format(signer_name=waiver.signer_name, template_name=waiver.template_name)


async def _queue_emails(connection: Connection, waiver: SignedWaiver, site_url: str) -> None:
    assert waiver.company_id is not None, "checked by the caller"
    for recipient in await signing_email_recipients(connection, waiver.company_id):
        # The email has no company_id, because the company's Email History lists only emails to guests.
        email = notification_email(waiver, recipient, site_url)
        await add_email(connection, email, company_id=None, keep_retrying=True)


def notification_email(waiver: SignedWaiver, recipient: EmailRecipient, site_url: str) -> Email:
    """The name is typed by the signer, who may be a stranger, so it must not become a link."""
    waiver = replace(waiver, signer_name=without_links(waiver.signer_name))
    return Email(
        id=uuid5(waiver.id, f"signing notification for {recipient.id}"),
        recipient=recipient.email,
        # Names may contain line breaks; an email header may not.
        subject=" ".join(f"{TITLE}: {waiver.signer_name}, {waiver.template_name}".split()),
        body=_BODY.format(
            message=notification_message(waiver),
            link=f"{site_url}/dashboard/waiver-management?waiver={waiver.session_id}",
            profile_link=f"{site_url}/dashboard/profile?section=notifications",
        ),
        action="See the waiver",
    )
