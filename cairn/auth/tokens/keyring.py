"""The keys of the house: what signs a token, what proves one, and what the project keys are."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, GuestProtocol, OctKey

from cairn.auth.errors import BadClaims, BadToken, SubjectInvalid
from cairn.auth.settings import AuthSettings
from cairn.auth.tokens.token_cache import TokenCache
from cairn.db import Principal
from cairn.kit import now

SIGNING, SHARED = "ES256", "HS256"
# Clocks of other machines that mint tokens with the shared secret may run a little ahead of ours.
CLOCK_SKEW_SECONDS = 30

# Fixed, so that one secret always prints the same two keys.
KEYS_ISSUED = int(datetime(2026, 1, 1, tzinfo=UTC).timestamp())
KEYS_EXPIRE = int(datetime(2100, 1, 1, tzinfo=UTC).timestamp())


class Keyring:
    def __init__(self, settings: AuthSettings) -> None:
        self._settings = settings
        self._secret = OctKey.import_key(settings.jwt_secret.get_secret_value())
        self._signing = ECKey.import_key(settings.signing_key.get_secret_value())
        self._kid = self._signing.thumbprint()
        retired = [ECKey.import_key(pem) for pem in settings.retired_keys]
        self._accepted = {key.thumbprint(): key for key in (self._signing, *retired)}
        self._seen = TokenCache(4096)

    @cached_property
    def anon_key(self) -> str:
        return self._project_key("anon")

    @cached_property
    def service_key(self) -> str:
        return self._project_key("service_role")

    @cached_property
    def project_keys(self) -> frozenset[str]:
        return frozenset({self.anon_key, self.service_key})

    def _project_key(self, role: str) -> str:
        claims = {"iss": "cairn", "role": role, "iat": KEYS_ISSUED, "exp": KEYS_EXPIRE}
        return jwt.encode({"alg": SHARED}, claims, self._secret)

    def access_token(self, claims: Mapping[str, Any], issued_at: datetime) -> str:
        """`claims` say who (`sub`, `session_id`, `email`, ...); issuer, audience, role and times are added here."""
        issued = int(issued_at.timestamp())
        lifetime = int(self._settings.access_token_lifetime.total_seconds())
        whole = {
            "iss": self._settings.issuer,
            "aud": "authenticated",
            "role": "authenticated",
            "iat": issued,
            "exp": issued + lifetime,
            **claims,
        }
        return jwt.encode({"alg": SIGNING, "kid": self._kid}, whole, self._signing)

    def jwks(self) -> dict[str, Any]:
        """What anyone needs to check our access tokens; the shared secret is never in it."""
        return {"keys": [_public(kid, key) for kid, key in self._accepted.items()]}

    def principal(self, token: str) -> Principal:
        """Who holds this token; raises `BadToken`. Genuine tokens are remembered, their expiry is asked each time."""
        known = self._seen.get(token)
        if known is None:
            known = _principal(self._verified(token))
            self._seen.put(token, known)
        _check_times(known.claims, now().timestamp())
        return known

    def claims(self, token: str) -> dict[str, Any]:
        """What a genuine token says, also when it makes nobody known to the database. Not remembered: rarely asked."""
        said = self._verified(token)
        _check_kinds(said)
        _check_times(said, now().timestamp())
        return said

    def _verified(self, token: str) -> dict[str, Any]:
        parts = token.count(".") + 1
        if parts != 3:
            raise BadToken(f"Expected 3 parts in JWT; got {parts}")
        try:
            return jwt.decode(token, self._key_for, algorithms=[SIGNING, SHARED]).claims
        except (JoseError, ValueError, TypeError) as forged_or_malformed:
            raise BadToken("JWT cryptographic operation failed") from forged_or_malformed

    def _key_for(self, token: GuestProtocol) -> OctKey | ECKey:
        """By algorithm first: a public key must never serve as a shared secret."""
        header = token.headers()
        if header.get("alg") == SHARED:
            return self._secret
        known = self._accepted.get(str(header.get("kid")))
        if header.get("alg") == SIGNING and known is not None:
            return known
        raise BadToken("No suitable key or wrong key type")


def new_signing_key() -> str:
    """A private key in PEM, for an installation that has none yet."""
    return ECKey.generate_key("P-256").as_pem(private=True).decode()


def _public(kid: str, key: ECKey) -> dict[str, Any]:
    return {**key.as_dict(private=False), "kid": kid, "alg": SIGNING, "use": "sig", "key_ops": ["verify"]}


def _check_kinds(claims: Mapping[str, Any]) -> None:
    for moment in ("exp", "nbf", "iat"):
        if not isinstance(claims.get(moment, 0), int | float):
            raise BadClaims(f"The JWT '{moment}' claim must be a number")


def _principal(claims: dict[str, Any]) -> Principal:
    _check_kinds(claims)
    if claims.get("sub") is not None and not _is_uuid(claims["sub"]):
        raise SubjectInvalid("The JWT 'sub' claim must be a UUID")
    # As in the data service: a token that names no role is a stranger's.
    role = claims.get("role", "anon")
    try:
        return Principal(role, claims)
    except (ValueError, TypeError) as unknown:
        raise BadClaims(f'role "{role}" does not exist') from unknown


def _is_uuid(subject: object) -> bool:
    """In the plain form only: Python also reads forms that Postgres would refuse."""
    try:
        return isinstance(subject, str) and str(UUID(subject)) == subject.lower()
    except ValueError:
        return False


def _check_times(claims: Mapping[str, Any], seconds: float) -> None:
    if claims.get("exp", seconds + 1) <= seconds:
        raise BadClaims("JWT expired")
    if claims.get("nbf", 0) > seconds + CLOCK_SKEW_SECONDS:
        raise BadClaims("JWT not yet valid")
    if claims.get("iat", 0) > seconds + CLOCK_SKEW_SECONDS:
        raise BadClaims("JWT issued at future")
