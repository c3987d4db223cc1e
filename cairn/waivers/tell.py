"""Telling the company that a waiver was signed: under the notifier, and by mail to those who asked for it."""

from uuid import UUID, uuid5

from cairn.accounts import Reader, told_by_email
from cairn.db import SERVICE, Connection, Database
from cairn.messaging import Email, add_email, add_notification
from cairn.waivers import store
from cairn.waivers.store import SignedWaiver

TITLE = "New Waiver Signed"
MESSAGE = "{signer_name} has signed a waiver: {template_name}"
BODY = """\
{message}

{link}

You get this mail because you asked to be told of every signed waiver. You can change that in your profile:
{profile_link}
"""


async def tell_company(database: Database, waiver_id: UUID, site_url: str) -> None:
    """A waiver on a bare sample belongs to nobody, so there is nobody to tell."""
    async with database.acting_as(SERVICE) as connection:
        waiver = await store.signed_waiver(connection, waiver_id)
        if waiver.company_id is None:
            return
        is_news = await add_notification(
            connection,
            company_id=waiver.company_id,
            about=waiver.id,
            title=TITLE,
            message=message(waiver),
            data={"waiver_id": str(waiver.id), "session_id": str(waiver.session_id)},
        )
        # The mails are asked for in the transaction of the notification, so where that is, they are.
        if is_news:
            await _mail(connection, waiver, await told_by_email(connection, waiver.company_id), site_url)


def message(waiver: SignedWaiver) -> str:
    return MESSAGE.format(signer_name=waiver.signer_name, template_name=waiver.template_name)


async def _mail(connection: Connection, waiver: SignedWaiver, readers: list[Reader], site_url: str) -> None:
    for reader in readers:
        # It belongs to the reader and not to the company, whose history holds what guests were sent.
        await add_email(connection, letter(waiver, reader, site_url), company_id=None, patient=True)


def letter(waiver: SignedWaiver, reader: Reader, site_url: str) -> Email:
    words = message(waiver)
    return Email(
        id=uuid5(waiver.id, f"told to {reader.id}"),
        recipient=reader.email,
        # A header is one line, whatever people are called.
        subject=" ".join(f"{TITLE}: {waiver.signer_name}, {waiver.template_name}".split()),
        body=BODY.format(
            message=words,
            link=f"{site_url}/dashboard/waiver-management?waiver={waiver.session_id}",
            profile_link=f"{site_url}/dashboard/profile?section=notifications",
        ),
        action="See the waiver",
    )
