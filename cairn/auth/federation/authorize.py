import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import ManualLinkingDisabled, ProviderNotEnabled, ProviderNotFound
from cairn.auth.model import Challenge, OAuthFlow
from cairn.auth.openid import OpenIdProvider
from cairn.auth.sessions import signed_in
from cairn.db import Principal
from cairn.kit import now

KNOWN = frozenset({"google"})


@dataclass(frozen=True, slots=True)
class Departure:
    """A sign-in that is about to leave: with whom, where it comes back to, and what was asked along with it."""

    provider: str
    back_to: str
    challenge: Challenge | None = None
    scopes: str = ""
    role: str | None = None
    extra: Mapping[str, str] = field(default_factory=dict)


async def authorize(context: AuthContext, departure: Departure, linking: UUID | None = None) -> str:
    """Where the browser goes. The row that expects it back is written first."""
    provider = provider_named(context, departure.provider)
    moment, asked = now(), departure.challenge
    flow = OAuthFlow(
        id=uuid4(),
        provider=provider.name,
        referrer=departure.back_to,
        authentication_method="oauth",
        auth_code=uuid4(),
        created_at=moment,
        code_challenge=asked.value if asked else None,
        code_challenge_method=asked.method if asked else None,
        nonce=secrets.token_urlsafe(24),
        provider_verifier=secrets.token_urlsafe(48),
        role=departure.role,
        linking_user_id=linking,
    )
    async with context.transaction() as conn:
        await store.add_oauth_flow(conn, flow)
    return await provider.authorization_url(
        redirect_uri=callback_address(context),
        flow_id=str(flow.id),
        nonce=flow.nonce or "",
        verifier=flow.provider_verifier or "",
        scopes=departure.scopes,
        extra=departure.extra,
    )


async def authorize_linking(context: AuthContext, principal: Principal, departure: Departure) -> str:
    if not context.settings.manual_linking:
        raise ManualLinkingDisabled
    async with context.transaction(read_only=True) as conn:
        known = await signed_in(conn, principal)
    return await authorize(context, departure, linking=known.person.id)


def provider_named(context: AuthContext, name: str) -> OpenIdProvider:
    if name not in KNOWN:
        raise ProviderNotFound(name=name[:60])
    provider = context.providers.get(name)
    if provider is None:
        raise ProviderNotEnabled
    return provider


def callback_address(context: AuthContext) -> str:
    return f"{context.settings.issuer}/callback"
