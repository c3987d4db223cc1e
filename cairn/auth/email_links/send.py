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
    with_code: bool = False,
) -> None:
    """Queues the email. If too many emails were sent, nothing is sent, and earlier links stay valid.

    With `by_owner`, the caller is signed in to the account. With `by_operator`, the email is always sent.
    With `with_code`, the email has a code beside the link, because the caller requested one.
    """
    # Every transaction locks the user before the limits, so that two transactions cannot deadlock.
    await store.lock_user(conn, user.id)
    if not by_operator and not await email_limits.count_email_of_mailbox(
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
    # A code that no screen asks for would only puzzle the reader.
    has_code = with_code or verify_link is None or context.settings.mailer_codes
    email = compose_email(
        purpose,
        to,
        token.code if has_code else None,
        verify_link,
        name=_reader_name(user, to),
        account=account_name(user),
        new_address=new_address,
    )
    await add_email(conn, email, company_id=None, secret=True)
    await email_limits.count_email_of_server(context, conn, user, to)
    await store.record_sent_at(conn, user.id, SENT_AT_COLUMNS[purpose], now())
    await store.add_audit_entry(conn, f"{purpose}_sent", user.id, link_request.caller)


def _reader_name(user: User, to: str) -> str:
    """Returns the name with which the email greets its reader.

    Anyone can sign up with the address of a stranger and a name that is really a message, so only the owner of a
    confirmed address is greeted by name.
    """
    name = user.user_metadata.get("name")
    is_owner = user.email_confirmed_at is not None and user.email == to
    # The name of an account whose user entered none is the first part of its address.
    return name if is_owner and isinstance(name, str) and name != to.partition("@")[0] else ""


async def send_password_notice(conn: Connection, user: User) -> None:
    """Queues the email about a new password, if the address is confirmed.

    It has a limit of its own. Otherwise a thief could use up the emails to the owner before changing the password.
    """
    if user.email is None or user.email_confirmed_at is None:
        return
    if await email_limits.count_password_notice(conn, user.email):
        email = compose_password_notice(user.email, _reader_name(user, user.email))
        await add_email(conn, email, company_id=None, secret=True)


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
