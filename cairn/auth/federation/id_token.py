import hmac
from dataclasses import dataclass, field, replace
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
from cairn.auth.federation.arrive import Becoming, arrive, link
from cairn.auth.federation.profile import from_claims
from cairn.auth.model import Caller, Grant
from cairn.auth.openid import OpenIdProvider
from cairn.auth.sessions import open_session, signed_in
from cairn.db import Principal
from cairn.kit import now


@dataclass(frozen=True, slots=True)
class Proof:
    """An id token that an app got from the provider by itself."""

    provider: str
    id_token: str = field(repr=False)
    nonce: str | None = field(default=None, repr=False)
    access_token: str | None = field(default=None, repr=False)


async def sign_in_with_id_token(
    context: AuthContext, proof: Proof, caller: Caller, linking: Principal | None = None
) -> Grant:
    """Signature, issuer, audience, times and nonce are checked; who it names arrives as from the provider's page."""
    if linking is not None and not context.settings.manual_linking:
        raise ManualLinkingDisabled
    provider = _provider(context, proof)
    profile = from_claims(provider.name, await _claims(provider, proof))
    moment = now()
    async with context.transaction() as conn:
        if linking is None:
            person = await arrive(conn, context.settings, profile, becomes=Becoming(), caller=caller, now=moment)
        else:
            person = await link(conn, (await signed_in(conn, linking)).person, profile, caller, moment)
        granted = await open_session(
            context, conn, person, method="oauth", caller=caller, now=moment, provider=provider.name
        )
    return replace(granted, provider_token=proof.access_token)


def _provider(context: AuthContext, proof: Proof) -> OpenIdProvider:
    """By its name or by its issuer, as apps do either."""
    if not proof.provider or not proof.id_token:
        raise IdTokenIncomplete
    for provider in context.providers.values():
        if proof.provider in (provider.name, provider.issuer):
            return provider
    raise IssuerNotEnabled(issuer=proof.provider[:100])


async def _claims(provider: OpenIdProvider, proof: Proof) -> dict[str, Any]:
    try:
        claims = await provider.verify_id_token(proof.id_token)
    except ProviderResponseInvalid as untrusted:
        raise BadIdToken from untrusted
    said = claims.get("nonce")
    if bool(said) != bool(proof.nonce):
        raise NonceMissing
    if proof.nonce and not hmac.compare_digest(sha256(proof.nonce.encode()).hexdigest().encode(), str(said).encode()):
        raise NonceMismatch
    return claims
