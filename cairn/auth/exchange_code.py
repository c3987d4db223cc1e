from dataclasses import replace
from uuid import UUID

from cairn.auth import store
from cairn.auth.desk import Desk
from cairn.auth.errors import SignInBanned
from cairn.auth.errors_by_provider import ExchangeIncomplete, FlowExpired, FlowNotFound
from cairn.auth.grant import Grant, open_session
from cairn.auth.journey import check_verifier
from cairn.auth.model import Caller
from cairn.kit import now


async def exchange_code(desk: Desk, auth_code: str, code_verifier: str, caller: Caller) -> Grant:
    """A code works once, for five minutes, and only for the browser that began the sign-in."""
    if not auth_code or not code_verifier:
        raise ExchangeIncomplete
    moment = now()
    async with desk.transaction() as conn:
        journey = await store.journey_by_code(conn, _uuid(auth_code))
        if journey is None or journey.user_id is None:
            raise FlowNotFound
        if journey.has_expired(moment):
            raise FlowExpired
        check_verifier(journey, code_verifier)
        person = await store.person_by_id(conn, journey.user_id)
        if person is None:
            raise FlowNotFound
        if person.is_banned(moment):
            raise SignInBanned
        await store.remove_journey(conn, journey.id)
        # Any other way to a code is a link in a mail.
        elsewhere = journey.authentication_method in ("oauth", "sso/saml")
        if not elsewhere:
            await store.note(conn, "login", person.id, caller, method=f"pkce {journey.authentication_method}")
        granted = await open_session(
            desk,
            conn,
            person,
            method=journey.authentication_method if elsewhere else "otp",
            caller=caller,
            now=moment,
            provider=journey.provider if elsewhere else None,
        )
    seal = desk.seal("provider tokens")
    return replace(
        granted,
        provider_token=journey.provider_token and seal.open(journey.provider_token),
        provider_refresh_token=journey.provider_refresh_token and seal.open(journey.provider_refresh_token),
    )


def _uuid(auth_code: str) -> UUID:
    try:
        return UUID(auth_code)
    except ValueError as malformed:
        raise FlowNotFound from malformed
