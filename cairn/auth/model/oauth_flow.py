"""Defines a sign-in in progress and the rules of PKCE (RFC 7636), which protect it."""

import hmac
import re
from base64 import urlsafe_b64encode
from dataclasses import field
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID

from cairn.auth.errors import BadCodeVerifier, ChallengeIncomplete, ChallengeInvalid, ChallengeMethodUnknown
from cairn.kit import frozen_dataclass

OAUTH_FLOW_LIFETIME = timedelta(minutes=5)
CHALLENGE_FORMAT = re.compile(r"[A-Za-z0-9._~-]{43,128}")


@frozen_dataclass
class OAuthFlow:
    """A sign-in in progress with OAuth, with SAML, or with an email link that uses PKCE."""

    id: UUID
    provider: str
    # The URL of the application, to which the browser is redirected after the sign-in.
    referrer: str
    authentication_method: str
    auth_code: UUID
    created_at: datetime
    user_id: UUID | None = None
    # The PKCE challenge of the application. It is None in the implicit flow.
    code_challenge: str | None = None
    code_challenge_method: str | None = None
    nonce: str | None = field(default=None, repr=False)
    # The PKCE verifier with which we exchange the code of the provider.
    provider_verifier: str | None = field(default=None, repr=False)
    provider_token: str | None = field(default=None, repr=False)
    provider_refresh_token: str | None = field(default=None, repr=False)
    # The role of the account that a first sign-in creates: company or customer.
    role: str | None = None
    # The signed-in user to whom the identity will be linked, if this is not a sign-in.
    linking_user_id: UUID | None = None
    sso_provider_id: UUID | None = None
    auth_code_issued_at: datetime | None = None

    def has_expired(self, now: datetime) -> bool:
        return now - (self.auth_code_issued_at or self.created_at) > OAUTH_FLOW_LIFETIME


@frozen_dataclass
class Challenge:
    """The hash of a secret that only the browser that started the sign-in knows.

    With the method `plain`, it is the secret itself.
    """

    value: str
    method: str


def parse_challenge(value: str | None, method: str | None) -> Challenge | None:
    """Returns None for the implicit flow, which has no challenge."""
    if not value and not method:
        return None
    if not value or not method:
        raise ChallengeIncomplete
    if not CHALLENGE_FORMAT.fullmatch(value):
        raise ChallengeInvalid
    if method.lower() not in ("s256", "plain"):
        raise ChallengeMethodUnknown
    return Challenge(value, method.lower())


def check_verifier(flow: OAuthFlow, verifier: str) -> None:
    expected = verifier if flow.code_challenge_method == "plain" else s256(verifier)
    if not hmac.compare_digest((flow.code_challenge or "").encode(), expected.encode()):
        raise BadCodeVerifier


def s256(verifier: str) -> str:
    """Returns the challenge for a verifier, by the method S256 of PKCE."""
    return urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=").decode()
