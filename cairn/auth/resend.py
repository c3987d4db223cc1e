from uuid import UUID, uuid4

from cairn.auth import limits, store
from cairn.auth.ask import Ask
from cairn.auth.change_address import mail_both
from cairn.auth.desk import Desk
from cairn.auth.errors_by_mail import PhoneUnsupported
from cairn.auth.even import evenly
from cairn.auth.mail import mail, text
from cairn.auth.one_time import Purpose
from cairn.db import Connection

TYPES = ("signup", "email_change", "sms", "phone_change")


async def resend_mail(desk: Desk, kind: str, email: str, ask: Ask) -> None:
    """What is still to be confirmed is asked for again; where there is nothing, nothing happens, in the same time."""
    await limits.mail_to(desk, kind, email)
    async with evenly(), desk.mailing() as conn:
        await _mail_again(desk, conn, kind, email, ask)


async def _mail_again(desk: Desk, conn: Connection, kind: str, email: str, ask: Ask) -> None:
    person = await store.person_by_email(conn, email)
    if person is None:
        return
    if kind == "email_change" and person.new_email:
        await mail_both(desk, conn, person, ask)
    if kind == "signup" and person.email_confirmed_at is None:
        purpose: Purpose = "invite" if person.invited_at else "signup"
        await mail(desk, conn, person, purpose, to=email, ask=ask)


async def resend_text(desk: Desk, kind: str, phone: str, channel: str, ask: Ask) -> UUID:
    if not desk.settings.external_phone_enabled:
        raise PhoneUnsupported
    await limits.text_to(desk, kind, phone)
    async with evenly(), desk.mailing() as conn:
        if kind == "sms":
            person = await store.person_by_phone(conn, phone)
            if person is not None and person.phone_confirmed_at is None:
                return await text(desk, conn, person, "sms", to=phone, channel=channel, ask=ask)
        for asked in await store.people_changing_to(conn, phone) if kind == "phone_change" else ():
            return await text(desk, conn, asked, "phone_change", to=phone, channel=channel, ask=ask)
    # The id of a message that was never written, as one that was would have.
    return uuid4()
