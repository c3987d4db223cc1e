import hmac
from dataclasses import field, replace
from hashlib import sha256
from typing import Any

from cairn.auth.context import AuthContext
from cairn.auth.errors import (
    BadIdToken,
    IdTokenIncomplete,
    IssuerNotEnabled,
    ManualLinkingDisabled,
    NonceMismatch,
    NonceMissing,
    ProviderResponseInvalid,
)
from cairn.auth.federation.accounts import NewAccount, find_or_create_account, link_identity, user_who_may_link
from cairn.auth.federation.profile import from_claims
from cairn.auth.model import Caller, Grant
from cairn.auth.openid import OpenIdProvider
from cairn.auth.sessions import open_session
from cairn.db import Principal
from cairn.kit import frozen_dataclass, now


@frozen_dataclass
class IdTokenRequest:
    """An ID token that an app received directly from the provider."""

    provider: str
    id_token: str = field(repr=False)
    nonce: str | None = field(default=None, repr=False)
    access_token: str | None = field(default=None, repr=False)


async def sign_in_with_id_token(
    context: AuthContext, request: IdTokenRequest, caller: Caller, link_to: Principal | None = None
) -> Grant:
    """Signs in the user of a valid ID token. With `link_to`, the identity is linked to that signed-in user instead."""
    if link_to is not None and not context.settings.manual_linking:
        raise ManualLinkingDisabled
    provider = _find_provider(context, request)
    profile = from_claims(provider.name, await _verified_claims(provider, request))
    moment = now()
    async with context.transaction() as conn:
        if link_to is None:
            user = await find_or_create_account(
                conn, context.settings, profile, account=NewAccount(), caller=caller, now=moment
            )
        else:
            user = await link_identity(conn, await user_who_may_link(conn, link_to), profile, caller, moment)
        grant = await open_session(
            context, conn, user, method="oauth", caller=caller, now=moment, provider=provider.name
        )
    return replace(grant, provider_token=request.access_token)


# Error messages contain at most this much of an unknown issuer.
MAX_ISSUER_LENGTH = 100


def _find_provider(context: AuthContext, request: IdTokenRequest) -> OpenIdProvider:
    """Finds the provider by its name or by its issuer, because apps send either."""
    if not request.provider or not request.id_token:
        raise IdTokenIncomplete
    for provider in context.providers.values():
        if request.provider in (provider.name, provider.issuer):
            return provider
    raise IssuerNotEnabled(issuer=request.provider[:MAX_ISSUER_LENGTH])


async def _verified_claims(provider: OpenIdProvider, request: IdTokenRequest) -> dict[str, Any]:
    try:
        claims = await provider.verify_id_token(request.id_token)
    except ProviderResponseInvalid as error:
        raise BadIdToken from error
    nonce_claim = claims.get("nonce")
    if bool(nonce_claim) != bool(request.nonce):
        raise NonceMissing
    nonce_hash = sha256((request.nonce or "").encode()).hexdigest()
    if request.nonce and not hmac.compare_digest(nonce_hash.encode(), str(nonce_claim).encode()):
        raise NonceMismatch
    return claims
