"""Sends somebody the means to prove an address: a row for the token and a row for the letter, in one transaction."""

from uuid import UUID, uuid4

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.email_links.emails import letter, text_message
from cairn.auth.email_links.one_time import Purpose, issue, link
from cairn.auth.model import EmailLinkRequest, Person
from cairn.auth.store.addresses import Sent
from cairn.db import Connection
from cairn.kit import now
from cairn.messaging import add_email, add_text_message

SENT: dict[Purpose, Sent] = {
    "signup": "confirmation_sent_at",
    "invite": "invited_at",
    "magiclink": "recovery_sent_at",
    "recovery": "recovery_sent_at",
    "email_change_current": "email_change_sent_at",
    "email_change_new": "email_change_sent_at",
    "sms": "confirmation_sent_at",
    "phone_change": "phone_change_sent_at",
    "reauthentication": "reauthentication_sent_at",
}


async def send_email(
    context: AuthContext, conn: Connection, person: Person, purpose: Purpose, *, to: str, link_request: EmailLinkRequest
) -> None:
    issued = await issue(context, conn, person, purpose, to=to, link_request=link_request)
    opens = (
        link(context.settings, purpose, issued.token_hash, link_request.redirect_to)
        if purpose != "reauthentication"
        else None
    )
    written = letter(purpose, to, issued.code, opens, new=person.new_email or "")
    await add_email(conn, written, company_id=None, secret=True)
    await store.record_sent(conn, person.id, SENT[purpose], now())
    await store.add_audit_entry(conn, f"{purpose}_sent", person.id, link_request.caller)


async def send_text(
    context: AuthContext,
    conn: Connection,
    person: Person,
    purpose: Purpose,
    *,
    to: str,
    channel: str,
    link_request: EmailLinkRequest,
) -> UUID:
    issued = await issue(context, conn, person, purpose, to=to, link_request=link_request)
    message_id = uuid4()
    await add_text_message(conn, message_id, to, text_message(issued.code), channel=channel)
    await store.record_sent(conn, person.id, SENT[purpose], now())
    await store.add_audit_entry(conn, f"{purpose}_sent", person.id, link_request.caller)
    return message_id
