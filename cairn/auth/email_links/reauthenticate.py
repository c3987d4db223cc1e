"""Sends and checks a code which proves that a signed-in user still has access to their email or phone."""

from cairn.auth import email_limits, limits, store
from cairn.auth.context import AuthContext
from cairn.auth.email_links.one_time_token import compute_token_hash, is_fresh, stored_hash
from cairn.auth.email_links.send import send_email, send_text
from cairn.auth.errors import (
    ReauthenticationNeedsAddress,
    ReauthenticationNotValid,
    VerifyEmailFirst,
    VerifyPhoneFirst,
)
from cairn.auth.model import EmailLinkRequest, User
from cairn.auth.sessions import current_user
from cairn.db import Connection, Principal
from cairn.kit import now


async def reauthenticate(context: AuthContext, principal: Principal, link_request: EmailLinkRequest) -> None:
    async with context.transaction(read_only=True) as conn:
        user = (await current_user(conn, principal)).user
    if user.email:
        if user.email_confirmed_at is None:
            raise VerifyEmailFirst
        await email_limits.check_email_limit(
            context, "reauthentication", user.email, link_request.caller, to_new_address=False
        )
        async with context.sending_transaction() as conn:
            await send_email(
                context, conn, user, "reauthentication", to=user.email, link_request=link_request, by_owner=True
            )
    elif user.phone:
        if user.phone_confirmed_at is None:
            raise VerifyPhoneFirst
        await limits.check_text_limit(context, "reauthentication", user.phone, link_request.caller, by_owner=True)
        async with context.sending_transaction() as conn:
            await send_text(
                context, conn, user, "reauthentication", to=user.phone, channel="sms", link_request=link_request
            )
    else:
        raise ReauthenticationNeedsAddress


async def check_nonce(context: AuthContext, user: User, nonce: str) -> None:
    """Raises an error if the code is wrong. A correct code stays valid until `use_nonce` deletes it.

    A wrong code counts for the account, so that strangers cannot use up the limit. Its error is raised after the
    transaction, because a rollback would undo the count.
    """
    guess_limit = limits.nonce_guess_limit(context, user.id)
    await limits.enforce(context, guess_limit)
    async with context.transaction() as conn:
        await store.lock_user(conn, user.id)
        token = await store.try_code(conn, [user.id], ["reauthentication"], [_stored_hash(context, user, nonce)])
        if token is not None and is_fresh(token, now(), context.settings):
            await limits.refund(conn, guess_limit)
            return
    raise ReauthenticationNotValid


async def use_nonce(context: AuthContext, conn: Connection, user: User, nonce: str) -> None:
    """Deletes a code that was checked. Of two requests with the same code, the second one gets an error."""
    if await store.one_time_token(conn, _stored_hash(context, user, nonce), lock=True) is None:
        raise ReauthenticationNotValid
    await store.remove_one_time_tokens(conn, user.id, "reauthentication")


def _stored_hash(context: AuthContext, user: User, nonce: str) -> bytes:
    return stored_hash(compute_token_hash(context.settings, user.id, "reauthentication", _address_of(user), nonce))


def _address_of(user: User) -> str:
    return user.email or user.phone or ""
