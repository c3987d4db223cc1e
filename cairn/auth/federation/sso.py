"""Signing in through a company's own identity provider."""

import logging
from dataclasses import dataclass
from uuid import UUID, uuid4

from cairn.auth import store
from cairn.auth.callback_urls import with_error
from cairn.auth.context import AuthContext
from cairn.auth.errors import (
    SamlDisabled,
    SamlResponseInvalid,
    SsoDomainNotFound,
    SsoProviderNotFound,
    SsoProviderOrDomain,
)
from cairn.auth.federation.arrive import Becoming
from cairn.auth.federation.callback import expected, let_in
from cairn.auth.federation.profile import Profile, from_assertion
from cairn.auth.federation.saml import Expected, believed, login_address, own_metadata
from cairn.auth.federation.saml.xml import Unreadable
from cairn.auth.model import Caller, Challenge, OAuthFlow, SsoProvider
from cairn.db import Connection
from cairn.kit import Problem, now

log = logging.getLogger(__name__)

# As tokens name it in their `amr`.
SAML = "sso/saml"


@dataclass(frozen=True, slots=True)
class SsoDeparture:
    back_to: str
    provider_id: str = ""
    domain: str = ""
    challenge: Challenge | None = None


async def begin_sso(context: AuthContext, departure: SsoDeparture) -> str:
    """Where the browser goes. The row that expects it back is written first."""
    if not context.settings.saml:
        raise SamlDisabled
    moment, asked = now(), departure.challenge
    async with context.transaction() as conn:
        provider = await _provider(conn, departure)
        flow = OAuthFlow(
            id=uuid4(),
            provider=provider.name,
            referrer=departure.back_to,
            authentication_method=SAML,
            auth_code=uuid4(),
            created_at=moment,
            code_challenge=asked.value if asked else None,
            code_challenge_method=asked.method if asked else None,
            sso_provider_id=provider.id,
        )
        await store.add_oauth_flow(conn, flow)
    return login_address(
        provider.sso_url,
        entity_id=entity_id(context),
        acs_url=acs_url(context),
        request_id=_request_id(flow),
        relay_state=str(flow.id),
        now=moment,
    )


async def finish_sso(context: AuthContext, response: str, relay_state: str, caller: Caller) -> str:
    """Where the browser goes next; only answers to questions of ours are heard, so none counts twice."""
    if not context.settings.saml:
        raise SamlDisabled
    flow = await expected(context, relay_state, SAML)
    assert flow.sso_provider_id is not None
    try:
        async with context.transaction(read_only=True) as conn:
            provider = await store.sso_provider(conn, flow.sso_provider_id)
        if provider is None:
            raise SsoProviderNotFound
        profile = _believed(context, provider, flow, response)
        return await let_in(context, flow, profile, Becoming(company_id=provider.company_id), caller=caller)
    except Problem as problem:
        log.info("sign-in with %s refused: %s (%s)", flow.provider, problem.code, problem)
        return with_error(flow.referrer, problem)


def metadata(context: AuthContext) -> bytes:
    if not context.settings.saml:
        raise SamlDisabled
    return own_metadata(entity_id(context), acs_url(context))


def entity_id(context: AuthContext) -> str:
    return f"{context.settings.issuer}/sso/saml/metadata"


def acs_url(context: AuthContext) -> str:
    return f"{context.settings.issuer}/sso/saml/acs"


async def _provider(conn: Connection, departure: SsoDeparture) -> SsoProvider:
    if bool(departure.provider_id) == bool(departure.domain):
        raise SsoProviderOrDomain
    if departure.domain:
        provider = await store.sso_provider_for(conn, departure.domain.strip().lower())
        if provider is None:
            raise SsoDomainNotFound
        return provider
    try:
        provider = await store.sso_provider(conn, UUID(departure.provider_id))
    except ValueError as malformed:
        raise SsoProviderNotFound from malformed
    if provider is None:
        raise SsoProviderNotFound
    return provider


def _believed(context: AuthContext, provider: SsoProvider, flow: OAuthFlow, response: str) -> Profile:
    question = Expected(
        entity_id=provider.entity_id,
        certificates=provider.certificates,
        audience=entity_id(context),
        recipient=acs_url(context),
        request_id=_request_id(flow),
    )
    try:
        return from_assertion(provider, believed(response, question, now()))
    except Unreadable as untrusted:
        raise SamlResponseInvalid(reason=str(untrusted)) from untrusted


def _request_id(flow: OAuthFlow) -> str:
    """An XML id may not begin with a digit."""
    return f"id-{flow.id}"
