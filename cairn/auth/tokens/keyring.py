"""Signs and verifies access tokens, and derives the two project keys."""

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
# Other machines that issue tokens with the shared secret may have a clock that is slightly ahead.
CLOCK_SKEW_SECONDS = 30

# Fixed, so that a secret always yields the same two keys.
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
        self._cache = TokenCache(4096)

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
        """`claims` identify the user (`sub`, `session_id`, `email`, ...); issuer, audience, role, times are added."""
        issued = int(issued_at.timestamp())
        lifetime = int(self._settings.access_token_lifetime.total_seconds())
        all_claims = {
            "iss": self._settings.issuer,
            "aud": "authenticated",
            "role": "authenticated",
            "iat": issued,
            "exp": issued + lifetime,
            **claims,
        }
        return jwt.encode({"alg": SIGNING, "kid": self._kid}, all_claims, self._signing)

    def jwks(self) -> dict[str, Any]:
        """The public keys that verify access tokens, without the shared secret."""
        return {"keys": [_public(kid, key) for kid, key in self._accepted.items()]}

    def principal(self, token: str) -> Principal:
        """The principal of a token; raises `BadToken`. Verified tokens are cached, but expiry is checked every time."""
        principal = self._cache.get(token)
        if principal is None:
            principal = _principal(self._verified_claims(token))
            self._cache.put(token, principal)
        _check_times(principal.claims, now().timestamp())
        return principal

    def claims(self, token: str) -> dict[str, Any]:
        """The claims of a valid token, also when its role is not a database role. Rarely needed, so not cached."""
        claims = self._verified_claims(token)
        _check_types(claims)
        _check_times(claims, now().timestamp())
        return claims

    def _verified_claims(self, token: str) -> dict[str, Any]:
        parts = token.count(".") + 1
        if parts != 3:
            raise BadToken(f"Expected 3 parts in JWT; got {parts}")
        try:
            return jwt.decode(token, self._key_for, algorithms=[SIGNING, SHARED]).claims
        except (JoseError, ValueError, TypeError) as error:
            raise BadToken("JWT cryptographic operation failed") from error

    def _key_for(self, token: GuestProtocol) -> OctKey | ECKey:
        """Chooses by algorithm first: a public key must never be used as a shared secret."""
        header = token.headers()
        if header.get("alg") == SHARED:
            return self._secret
        key = self._accepted.get(str(header.get("kid")))
        if header.get("alg") == SIGNING and key is not None:
            return key
        raise BadToken("No suitable key or wrong key type")


def new_signing_key() -> str:
    """A private key in PEM, for a new deployment."""
    return ECKey.generate_key("P-256").as_pem(private=True).decode()


def _public(kid: str, key: ECKey) -> dict[str, Any]:
    return {**key.as_dict(private=False), "kid": kid, "alg": SIGNING, "use": "sig", "key_ops": ["verify"]}


def _check_types(claims: Mapping[str, Any]) -> None:
    for name in ("exp", "nbf", "iat"):
        if not isinstance(claims.get(name, 0), int | float):
            raise BadClaims(f"The JWT '{name}' claim must be a number")


def _principal(claims: dict[str, Any]) -> Principal:
    _check_types(claims)
    if claims.get("sub") is not None and not _is_uuid(claims["sub"]):
        raise SubjectInvalid("The JWT 'sub' claim must be a UUID")
    # As in the data service, a token without a role is anonymous.
    role = claims.get("role", "anon")
    try:
        return Principal(role, claims)
    except (ValueError, TypeError) as error:
        raise BadClaims(f'role "{role}" does not exist') from error


def _is_uuid(subject: object) -> bool:
    """Accepts only the hyphenated form; Python also parses forms that Postgres rejects."""
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
