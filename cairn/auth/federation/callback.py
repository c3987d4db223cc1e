"""The way back: the provider sends the browser here, and we send it on to where it came from."""

import logging
from dataclasses import dataclass, replace
from uuid import UUID

from cairn.auth import store
from cairn.auth.callback_urls import with_error, with_query, with_session
from cairn.auth.context import AuthContext
from cairn.auth.errors import BadState, CallbackIncomplete, ProviderRejected, UserNotFound
from cairn.auth.federation.arrive import Becoming, arrive, link
from cairn.auth.federation.authorize import callback_address, provider_named
from cairn.auth.federation.profile import Profile, from_claims
from cairn.auth.model import Caller, OAuthFlow, Person
from cairn.auth.openid import ProviderSignIn
from cairn.auth.sessions import open_session
from cairn.db import Connection
from cairn.kit import Problem, now

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the browser brought from the provider."""

    state: str
    code: str
    error: str
    error_description: str


async def callback(context: AuthContext, answer: Answer, caller: Caller) -> str:
    """Where the browser goes next. A refusal travels along: there is nobody here to read it."""
    flow = await expected(context, answer.state, "oauth")
    try:
        arrival = await _arrival(context, flow, answer)
        profile = from_claims(flow.provider, arrival.claims)
        return await let_in(context, flow, profile, Becoming(flow.role or "company"), caller=caller, arrival=arrival)
    except Problem as problem:
        log.info("sign-in with %s refused: %s (%s)", flow.provider, problem.code, problem)
        return with_error(flow.referrer, problem)


async def expected(context: AuthContext, state: str, method: str) -> OAuthFlow:
    """One answer to one departure; raises `BadState` for anything else."""
    try:
        flow_id = UUID(state)
    except ValueError as malformed:
        raise BadState from malformed
    async with context.transaction() as conn:
        flow = await store.claim_flow(conn, flow_id, method, now())
    if flow is None:
        raise BadState
    return flow


async def let_in(
    context: AuthContext,
    flow: OAuthFlow,
    profile: Profile,
    becomes: Becoming,
    *,
    caller: Caller,
    arrival: ProviderSignIn | None = None,
) -> str:
    """With a code in the PKCE form, with the session itself in the implicit one."""
    token, refresh_token = (arrival.access_token, arrival.refresh_token) if arrival else (None, None)
    moment = now()
    async with context.transaction() as conn:
        person = await _person(context, conn, flow, profile, becomes, caller=caller)
        if flow.code_challenge is not None:
            sealed = [part and context.secret_box("provider tokens").encrypt(part) for part in (token, refresh_token)]
            await store.prepare_exchange(conn, flow.id, person.id, *sealed)
            return with_query(flow.referrer, {"code": str(flow.auth_code)})
        await store.remove_flow(conn, flow.id)
        granted = await open_session(
            context,
            conn,
            person,
            method=flow.authentication_method,
            caller=caller,
            now=moment,
            provider=flow.provider,
        )
    return with_session(flow.referrer, replace(granted, provider_token=token, provider_refresh_token=refresh_token))


async def _arrival(context: AuthContext, flow: OAuthFlow, answer: Answer) -> ProviderSignIn:
    if answer.error:
        raise ProviderRejected(reason=(answer.error_description or answer.error)[:200])
    if not answer.code:
        raise CallbackIncomplete
    return await provider_named(context, flow.provider).exchange_code(
        answer.code,
        redirect_uri=callback_address(context),
        nonce=flow.nonce or "",
        verifier=flow.provider_verifier or "",
    )


async def _person(
    context: AuthContext, conn: Connection, flow: OAuthFlow, profile: Profile, becomes: Becoming, *, caller: Caller
) -> Person:
    if flow.linking_user_id is None:
        return await arrive(conn, context.settings, profile, becomes=becomes, caller=caller, now=now())
    person = await store.person_by_id(conn, flow.linking_user_id)
    if person is None or person.deleted_at is not None:
        raise UserNotFound
    return await link(conn, person, profile, caller, now())
