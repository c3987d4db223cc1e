"""Handles the callback, to which a provider redirects the browser after the sign-in."""

import logging
from dataclasses import replace
from uuid import UUID

from cairn.auth import store
from cairn.auth.callback_urls import with_error, with_query, with_session
from cairn.auth.context import AuthContext
from cairn.auth.errors import BadState, CallbackIncomplete, ProviderRejected, UserNotFound
from cairn.auth.federation.accounts import NewAccount, find_or_create_account, link_identity
from cairn.auth.federation.authorize import callback_url, find_provider
from cairn.auth.federation.profile import Profile, from_claims
from cairn.auth.model import Caller, OAuthFlow, User
from cairn.auth.openid import ProviderSignIn
from cairn.auth.sessions import open_session
from cairn.db import Connection
from cairn.kit import Problem, frozen_dataclass, now

# The provider's reason for an error is truncated to this length.
MAX_REASON_LENGTH = 200

log = logging.getLogger(__name__)


@frozen_dataclass
class CallbackParameters:
    state: str
    code: str
    error: str
    error_description: str


async def callback(context: AuthContext, parameters: CallbackParameters, caller: Caller) -> str:
    """Returns the URL to redirect to. An error becomes part of this URL, because the application has to show it."""
    flow = await claim_flow(context, parameters.state, "oauth")
    try:
        provider_sign_in = await _exchange_code(context, flow, parameters)
        profile = from_claims(flow.provider, provider_sign_in.claims)
        new_account = NewAccount(flow.role or "company")
        return await complete_sign_in(
            context, flow, profile, new_account, caller=caller, provider_sign_in=provider_sign_in
        )
    except Problem as problem:
        log.info("sign-in with %s refused: %s (%s)", flow.provider, problem.code, problem)
        return with_error(flow.referrer, problem)


async def claim_flow(context: AuthContext, state: str, method: str) -> OAuthFlow:
    """Returns the flow with this state. Raises `BadState` if it is unknown, expired or already completed."""
    try:
        flow_id = UUID(state)
    except ValueError as error:
        raise BadState from error
    async with context.transaction() as conn:
        flow = await store.claim_flow(conn, flow_id, method, now())
    if flow is None:
        raise BadState
    return flow


async def complete_sign_in(
    context: AuthContext,
    flow: OAuthFlow,
    profile: Profile,
    new_account: NewAccount,
    *,
    caller: Caller,
    provider_sign_in: ProviderSignIn | None = None,
) -> str:
    """Returns the URL to redirect to, with a code in the PKCE flow and with the session in the implicit flow."""
    token = provider_sign_in.access_token if provider_sign_in else None
    refresh_token = provider_sign_in.refresh_token if provider_sign_in else None
    moment = now()
    async with context.transaction() as conn:
        user = await _find_user(context, conn, flow, profile, new_account, caller=caller)
        if flow.code_challenge is not None:
            secret_box = context.secret_box("provider tokens")
            encrypted_tokens = [value and secret_box.encrypt(value) for value in (token, refresh_token)]
            if not await store.prepare_exchange(conn, flow.id, user.id, *encrypted_tokens):
                raise BadState
            return with_query(flow.referrer, {"code": str(flow.auth_code)})
        if not await store.remove_flow(conn, flow.id):
            # The account was handed over while this user linked an identity to it.
            raise BadState
        grant = await open_session(
            context,
            conn,
            user,
            method=flow.authentication_method,
            caller=caller,
            now=moment,
            provider=flow.provider,
        )
    return with_session(flow.referrer, replace(grant, provider_token=token, provider_refresh_token=refresh_token))


async def _exchange_code(context: AuthContext, flow: OAuthFlow, parameters: CallbackParameters) -> ProviderSignIn:
    if parameters.error:
        raise ProviderRejected(reason=(parameters.error_description or parameters.error)[:MAX_REASON_LENGTH])
    if not parameters.code:
        raise CallbackIncomplete
    return await find_provider(context, flow.provider).exchange_code(
        parameters.code,
        redirect_uri=callback_url(context),
        nonce=flow.nonce or "",
        verifier=flow.provider_verifier or "",
    )


async def _find_user(
    context: AuthContext,
    conn: Connection,
    flow: OAuthFlow,
    profile: Profile,
    new_account: NewAccount,
    *,
    caller: Caller,
) -> User:
    if flow.linking_user_id is None:
        return await find_or_create_account(
            conn, context.settings, profile, account=new_account, caller=caller, now=now()
        )
    user = await store.user_by_id(conn, flow.linking_user_id)
    if user is None or user.deleted_at is not None:
        raise UserNotFound
    return await link_identity(conn, user, profile, caller, now())
