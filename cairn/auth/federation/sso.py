"""Signs users in through the SAML identity provider of their company."""

import logging
from uuid import UUID, uuid4

from cairn.auth import store
from cairn.auth.callback_urls import with_error
from cairn.auth.context import AuthContext
from cairn.auth.errors import (
    SamlDisabled,
    SamlResponseInvalid,
    SsoDomainNotFound,
    SsoProviderNotFound,
    SsoProviderOrDomainRequired,
)
from cairn.auth.federation.accounts import NewAccount
from cairn.auth.federation.callback import claim_flow, complete_sign_in
from cairn.auth.federation.profile import Profile, from_assertion
from cairn.auth.federation.saml import ExpectedResponse, login_url, service_provider_metadata, verify_response
from cairn.auth.federation.saml.xml import SamlError
from cairn.auth.model import Caller, Challenge, OAuthFlow, SsoProvider
from cairn.db import Connection
from cairn.kit import Problem, frozen_dataclass, now

log = logging.getLogger(__name__)

# The `amr` claim contains this name.
SAML_METHOD = "sso/saml"


@frozen_dataclass
class SsoRequest:
    redirect_to: str
    provider_id: str = ""
    domain: str = ""
    challenge: Challenge | None = None


def check_saml_enabled(context: AuthContext) -> None:
    if not context.settings.saml:
        raise SamlDisabled


async def start_sso(context: AuthContext, request: SsoRequest) -> str:
    """Returns the URL of the provider's sign-in page. `finish_sso` finds the flow again by the relay state."""
    check_saml_enabled(context)
    moment, challenge = now(), request.challenge
    async with context.transaction() as conn:
        provider = await _find_provider(conn, request)
        flow = OAuthFlow(
            id=uuid4(),
            provider=provider.name,
            referrer=request.redirect_to,
            authentication_method=SAML_METHOD,
            auth_code=uuid4(),
            created_at=moment,
            code_challenge=challenge.value if challenge else None,
            code_challenge_method=challenge.method if challenge else None,
            sso_provider_id=provider.id,
        )
        await store.add_oauth_flow(conn, flow)
    return login_url(
        provider.sso_url,
        entity_id=entity_id(context),
        acs_url=acs_url(context),
        request_id=_request_id(flow),
        relay_state=str(flow.id),
        now=moment,
    )


async def finish_sso(context: AuthContext, response: str, relay_state: str, caller: Caller) -> str:
    """Returns the URL to redirect to. A response is accepted only once, and only for a request that we sent."""
    flow = await claim_flow(context, relay_state, SAML_METHOD)
    assert flow.sso_provider_id is not None
    try:
        async with context.transaction(read_only=True) as conn:
            provider = await store.sso_provider(conn, flow.sso_provider_id)
        if provider is None:
            raise SsoProviderNotFound
        profile = _verified_profile(context, provider, flow, response)
        return await complete_sign_in(context, flow, profile, NewAccount(company_id=provider.company_id), caller=caller)
    except Problem as problem:
        log.info("sign-in with %s refused: %s (%s)", flow.provider, problem.code, problem)
        return with_error(flow.referrer, problem)


def our_saml_metadata(context: AuthContext) -> bytes:
    check_saml_enabled(context)
    return service_provider_metadata(entity_id(context), acs_url(context))


def entity_id(context: AuthContext) -> str:
    return f"{context.settings.issuer}/sso/saml/metadata"


def acs_url(context: AuthContext) -> str:
    return f"{context.settings.issuer}/sso/saml/acs"


async def _find_provider(conn: Connection, request: SsoRequest) -> SsoProvider:
    if bool(request.provider_id) == bool(request.domain):
        raise SsoProviderOrDomainRequired
    if request.domain:
        provider = await store.sso_provider_for_domain(conn, request.domain.strip().lower())
        if provider is None:
            raise SsoDomainNotFound
        return provider
    try:
        provider = await store.sso_provider(conn, UUID(request.provider_id))
    except ValueError as error:
        raise SsoProviderNotFound from error
    if provider is None:
        raise SsoProviderNotFound
    return provider


def _verified_profile(context: AuthContext, provider: SsoProvider, flow: OAuthFlow, response: str) -> Profile:
    expected = ExpectedResponse(
        entity_id=provider.entity_id,
        certificates=provider.certificates,
        audience=entity_id(context),
        recipient=acs_url(context),
        request_id=_request_id(flow),
    )
    try:
        return from_assertion(provider, verify_response(response, expected, now()))
    except SamlError as error:
        raise SamlResponseInvalid(reason=str(error)) from error


def _request_id(flow: OAuthFlow) -> str:
    """An XML id must not start with a digit, so the id of the flow gets a prefix."""
    return f"id-{flow.id}"
