"""Asking for another email or phone: the old one holds until the new one was proven."""

from cairn.auth import limits, store
from cairn.auth.context import AuthContext
from cairn.auth.email_links.one_time import Purpose
from cairn.auth.email_links.send import mail, text
from cairn.auth.errors import EmailExists, PhoneExists, PhoneSignupDisabled
from cairn.auth.model import EmailLinkRequest, Person
from cairn.db import Connection
from cairn.kit import now

CURRENT: Purpose = "email_change_current"
NEW: Purpose = "email_change_new"


async def may_ask_for(context: AuthContext, person: Person, email: str | None, phone: str | None) -> None:
    """Before anything is written: whether the address is free, and whether one was asked for just now."""
    if phone and not context.settings.external_phone_enabled:
        raise PhoneSignupDisabled
    async with context.transaction(read_only=True) as conn:
        if email and await store.person_by_email(conn, email):
            raise EmailExists
        if phone and await store.person_by_phone(conn, phone):
            raise PhoneExists
    if email and not context.settings.mailer_autoconfirm:
        await limits.mail_to(context, "email_change", person.email or email)
    if phone and not context.settings.sms_autoconfirm:
        await limits.text_to(context, "phone_change", phone)


async def ask_for_email(
    context: AuthContext, conn: Connection, person: Person, email: str, ask: EmailLinkRequest
) -> None:
    if context.settings.mailer_autoconfirm:
        await store.move_to_email(conn, person.id, email, now(), confirmed=True)
        return
    await store.ask_for_email(conn, person.id, email, who_confirms(context, person))
    await mail_both(context, conn, await store.person_by_id(conn, person.id) or person, ask)


def who_confirms(context: AuthContext, person: Person) -> list[Purpose]:
    """An old address that was never confirmed, perhaps mistyped, has no say."""
    both = context.settings.mailer_secure_email_change_enabled and person.email and person.email_confirmed_at
    return [CURRENT, NEW] if both else [NEW]


async def mail_both(context: AuthContext, conn: Connection, person: Person, ask: EmailLinkRequest) -> None:
    """To whichever of the two has not confirmed yet."""
    if CURRENT in person.email_change_awaits and person.email:
        await mail(context, conn, person, CURRENT, to=person.email, ask=ask)
    if NEW in person.email_change_awaits and person.new_email:
        await mail(context, conn, person, NEW, to=person.new_email, ask=ask)


async def ask_for_phone(
    context: AuthContext, conn: Connection, person: Person, phone: str, ask: EmailLinkRequest, *, channel: str
) -> None:
    if context.settings.sms_autoconfirm:
        await store.move_to_phone(conn, person.id, phone, now(), confirmed=True)
        return
    await store.ask_for_phone(conn, person.id, phone)
    await text(context, conn, person, "phone_change", to=phone, channel=channel, ask=ask)
