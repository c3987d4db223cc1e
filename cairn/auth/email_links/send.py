"""Sends a one-time link or code. The token and the queued message are written in the same transaction."""

from uuid import UUID, uuid4

from cairn.auth import email_limits, store
from cairn.auth.context import AuthContext
from cairn.auth.email_links.emails import account_name, compose_email, compose_password_notice, compose_text_message
from cairn.auth.email_links.one_time_token import Purpose, build_link, issue_token
from cairn.auth.model import EmailLinkRequest, User
from cairn.db import Connection
from cairn.kit import now
from cairn.messaging import add_email, add_text_message

# These columns of auth.users record when a message for the purpose was last sent.
SENT_AT_COLUMNS: dict[Purpose, store.SentAtColumn] = {
    "signup": "confirmation_sent_at",
    "invite": "invited_at",
    "magiclink": "recovery_sent_at",
    "recovery": "recovery_sent_at",
    "email_change_current": "email_change_sent_at",
    "email_change_new": "email_change_sent_at",
    "phone_signup": "confirmation_sent_at",
    "sms": "confirmation_sent_at",
    "phone_change": "phone_change_sent_at",
    "reauthentication": "reauthentication_sent_at",
}


async def send_email(
    context: AuthContext,
    conn: Connection,
    user: User,
    purpose: Purpose,
    *,
    to: str,
    link_request: EmailLinkRequest,
    by_owner: bool = False,
    by_operator: bool = False,
) -> None:
    """Queues the email. If too many emails were sent, nothing is sent, and earlier links stay valid.

    With `by_owner`, the caller is signed in to the account. With `by_operator`, the email is always sent.
    """
    # Every transaction locks the user before the limits, so that two transactions cannot deadlock.
    await store.lock_user(conn, user.id)
    if not by_operator and not await email_limits.take_email_of_mailbox(
        context, conn, user, to, link_request.caller, by_owner=by_owner
    ):
        await store.add_audit_entry(conn, f"{purpose}_not_sent", user.id, link_request.caller)
        return
    token = await issue_token(context, conn, user, purpose, to=to, link_request=link_request)
    verify_link = (
        build_link(context.settings, purpose, token.token_hash, link_request.redirect_to)
        if purpose != "reauthentication"
        else None
    )
    new_address = user.new_email or ""
    email = compose_email(purpose, to, token.code, verify_link, account=account_name(user), new_address=new_address)
    await add_email(conn, email, company_id=None, secret=True)
    await email_limits.count_email_of_server(context, conn, user, to)
    await store.record_sent_at(conn, user.id, SENT_AT_COLUMNS[purpose], now())
    await store.add_audit_entry(conn, f"{purpose}_sent", user.id, link_request.caller)


async def send_password_notice(conn: Connection, user: User) -> None:
    """Queues the email about a new password, if the address is confirmed.

    It has a limit of its own. Otherwise a thief could use up the emails to the owner before changing the password.
    """
    if user.email is None or user.email_confirmed_at is None:
        return
    if await email_limits.may_send_password_notice(conn, user.email):
        await add_email(conn, compose_password_notice(user.email), company_id=None, secret=True)


async def send_text(
    context: AuthContext,
    conn: Connection,
    user: User,
    purpose: Purpose,
    *,
    to: str,
    channel: str,
    link_request: EmailLinkRequest,
) -> UUID:
    token = await issue_token(context, conn, user, purpose, to=to, link_request=link_request)
    message_id = uuid4()
    await add_text_message(conn, message_id, to, compose_text_message(token.code), channel=channel)
    await store.record_sent_at(conn, user.id, SENT_AT_COLUMNS[purpose], now())
    await store.add_audit_entry(conn, f"{purpose}_sent", user.id, link_request.caller)
    return message_id
