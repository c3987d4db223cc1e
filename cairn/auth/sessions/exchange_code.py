from dataclasses import replace
from uuid import UUID

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import ExchangeIncomplete, FlowExpired, FlowNotFound, SignInBanned
from cairn.auth.model import Caller, Grant, check_verifier
from cairn.auth.sessions.grant import open_session
from cairn.kit import now


async def exchange_code(context: AuthContext, auth_code: str, code_verifier: str, caller: Caller) -> Grant:
    """Exchanges a code for a session.

    A code can be used once, within five minutes, and only by the browser that started the sign-in.
    """
    if not auth_code or not code_verifier:
        raise ExchangeIncomplete
    moment = now()
    async with context.transaction() as conn:
        flow = await store.flow_by_code(conn, _parse_code(auth_code))
        if flow is None or flow.user_id is None:
            raise FlowNotFound
        if flow.has_expired(moment):
            raise FlowExpired
        check_verifier(flow, code_verifier)
        user = await store.user_by_id(conn, flow.user_id)
        if user is None:
            raise FlowNotFound
        if user.is_banned(moment):
            raise SignInBanned
        await store.remove_flow(conn, flow.id)
        # Every other authentication method is a link in an email.
        by_provider = flow.authentication_method in ("oauth", "sso/saml")
        if not by_provider:
            await store.add_audit_entry(conn, "login", user.id, caller, method=f"pkce {flow.authentication_method}")
        grant = await open_session(
            context,
            conn,
            user,
            method=flow.authentication_method if by_provider else "otp",
            caller=caller,
            now=moment,
            provider=flow.provider if by_provider else None,
        )
    secret_box = context.secret_box("provider tokens")
    return replace(
        grant,
        provider_token=flow.provider_token and secret_box.decrypt(flow.provider_token),
        provider_refresh_token=flow.provider_refresh_token and secret_box.decrypt(flow.provider_refresh_token),
    )


def _parse_code(auth_code: str) -> UUID:
    try:
        return UUID(auth_code)
    except ValueError as error:
        raise FlowNotFound from error
