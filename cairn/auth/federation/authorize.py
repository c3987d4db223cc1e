import secrets
from collections.abc import Mapping
from dataclasses import field
from uuid import UUID, uuid4

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import ManualLinkingDisabled, ProviderNotEnabled, ProviderNotFound
from cairn.auth.federation.accounts import user_who_may_link
from cairn.auth.model import Challenge, OAuthFlow
from cairn.auth.openid import OpenIdProvider
from cairn.db import Principal
from cairn.kit import frozen_dataclass, now

SUPPORTED_PROVIDERS = frozenset({"google"})
# Error messages contain at most this much of an unknown provider name.
MAX_PROVIDER_NAME_LENGTH = 60


@frozen_dataclass
class AuthorizeRequest:
    provider: str
    redirect_to: str
    challenge: Challenge | None = None
    scopes: str = ""
    role: str | None = None
    extra_parameters: Mapping[str, str] = field(default_factory=dict)


async def authorize(context: AuthContext, request: AuthorizeRequest, linking_user_id: UUID | None = None) -> str:
    """Stores the flow that the callback will look up, and returns the URL of the provider's sign-in page."""
    provider = find_provider(context, request.provider)
    challenge = request.challenge
    flow = OAuthFlow(
        id=uuid4(),
        provider=provider.name,
        referrer=request.redirect_to,
        authentication_method="oauth",
        auth_code=uuid4(),
        created_at=now(),
        code_challenge=challenge.value if challenge else None,
        code_challenge_method=challenge.method if challenge else None,
        nonce=secrets.token_urlsafe(24),
        provider_verifier=secrets.token_urlsafe(48),
        role=request.role,
        linking_user_id=linking_user_id,
    )
    async with context.transaction() as conn:
        await store.add_oauth_flow(conn, flow)
    return await provider.authorization_url(
        redirect_uri=callback_url(context),
        flow_id=str(flow.id),
        nonce=flow.nonce or "",
        verifier=flow.provider_verifier or "",
        scopes=request.scopes,
        extra_parameters=request.extra_parameters,
    )


async def authorize_linking(context: AuthContext, principal: Principal, request: AuthorizeRequest) -> str:
    if not context.settings.manual_linking:
        raise ManualLinkingDisabled
    async with context.transaction(read_only=True) as conn:
        user = await user_who_may_link(conn, principal)
    return await authorize(context, request, linking_user_id=user.id)


def find_provider(context: AuthContext, name: str) -> OpenIdProvider:
    if name not in SUPPORTED_PROVIDERS:
        raise ProviderNotFound(name=name[:MAX_PROVIDER_NAME_LENGTH])
    provider = context.providers.get(name)
    if provider is None:
        raise ProviderNotEnabled
    return provider


def callback_url(context: AuthContext) -> str:
    return f"{context.settings.issuer}/callback"
