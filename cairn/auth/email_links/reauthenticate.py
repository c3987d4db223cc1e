"""A code that proves that the user of a session also has access to its email or phone."""

from cairn.auth import limits, store
from cairn.auth.context import AuthContext
from cairn.auth.email_links.one_time_token import digest, is_fresh, token_hash
from cairn.auth.email_links.send import send_email, send_text
from cairn.auth.errors import (
    ReauthenticationNeedsAddress,
    ReauthenticationNotValid,
    VerifyEmailFirst,
    VerifyPhoneFirst,
)
from cairn.auth.model import EmailLinkRequest, Person
from cairn.auth.sessions import signed_in
from cairn.db import Connection, Principal
from cairn.kit import now


async def reauthenticate(context: AuthContext, principal: Principal, link_request: EmailLinkRequest) -> None:
    async with context.transaction(read_only=True) as conn:
        person = (await signed_in(conn, principal)).person
    if person.email:
        if person.email_confirmed_at is None:
            raise VerifyEmailFirst
        await limits.check_email_to(context, "reauthentication", person.email)
        async with context.sending_transaction() as conn:
            await send_email(context, conn, person, "reauthentication", to=person.email, link_request=link_request)
    elif person.phone:
        if person.phone_confirmed_at is None:
            raise VerifyPhoneFirst
        await limits.check_text_to(context, "reauthentication", person.phone)
        async with context.sending_transaction() as conn:
            await send_text(
                context, conn, person, "reauthentication", to=person.phone, channel="sms", link_request=link_request
            )
    else:
        raise ReauthenticationNeedsAddress


async def use_nonce(context: AuthContext, conn: Connection, person: Person, nonce: str) -> None:
    """Checks the code and uses it up, so that it permits one change of password."""
    hashed_token = token_hash(
        context.settings, person.id, "reauthentication", person.email or person.phone or "", nonce
    )
    token = await store.one_time_token(conn, [digest(hashed_token)], take=True)
    if token is None or not is_fresh(token, now(), context.settings):
        raise ReauthenticationNotValid
    await store.remove_one_time_token(conn, person.id, "reauthentication")
