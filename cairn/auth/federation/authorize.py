import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from cairn.auth import store
from cairn.auth.bearer import signed_in
from cairn.auth.desk import Desk
from cairn.auth.errors_by_provider import ManualLinkingDisabled, ProviderNotEnabled, ProviderNotFound
from cairn.auth.journey import Challenge, Journey
from cairn.auth.openid import OpenIdProvider
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


async def authorize(desk: Desk, departure: Departure, linking: UUID | None = None) -> str:
    """Where the browser goes. The row that expects it back is written first."""
    provider = provider_named(desk, departure.provider)
    moment, asked = now(), departure.challenge
    journey = Journey(
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
    async with desk.transaction() as conn:
        await store.add_journey(conn, journey)
    return await provider.address(
        back_to=callback_address(desk),
        journey_id=str(journey.id),
        nonce=journey.nonce or "",
        verifier=journey.provider_verifier or "",
        scopes=departure.scopes,
        extra=departure.extra,
    )


async def authorize_linking(desk: Desk, principal: Principal, departure: Departure) -> str:
    if not desk.settings.manual_linking:
        raise ManualLinkingDisabled
    async with desk.transaction(read_only=True) as conn:
        known = await signed_in(conn, principal)
    return await authorize(desk, departure, linking=known.person.id)


def provider_named(desk: Desk, name: str) -> OpenIdProvider:
    if name not in KNOWN:
        raise ProviderNotFound(name=name[:60])
    provider = desk.providers.get(name)
    if provider is None:
        raise ProviderNotEnabled
    return provider


def callback_address(desk: Desk) -> str:
    return f"{desk.settings.issuer}/callback"
