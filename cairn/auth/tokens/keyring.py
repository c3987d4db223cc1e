"""Signs and verifies access tokens, and derives the two project keys."""

import contextlib
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cached_property, partial
from typing import Any
from uuid import UUID

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, GuestProtocol, OctKey, RSAKey

from cairn.auth.errors import BadClaims, BadToken, SubjectInvalid
from cairn.auth.public_keys import import_public_key
from cairn.auth.settings import AuthSettings
from cairn.auth.tokens.token_cache import TokenCache
from cairn.db import Principal
from cairn.kit import now

# The signing key signs access tokens with the first algorithm, the shared secret signs project keys with the second.
ASYMMETRIC_ALGORITHM = "ES256"
SYMMETRIC_ALGORITHM = "HS256"
# Keys of other issuers may also use this one.
RSA_ALGORITHM = "RS256"
ACCEPTED_ALGORITHMS = [ASYMMETRIC_ALGORITHM, SYMMETRIC_ALGORITHM, RSA_ALGORITHM]
# Other machines that issue tokens with the shared secret may have a clock that is slightly ahead.
CLOCK_SKEW_SECONDS = 30
MAX_CACHED_TOKENS = 4096
MAX_CACHED_CHARACTERS = 8_000_000
"""An ordinary token has fewer than a thousand characters of claims, so they all fit."""

# These times are fixed, so that a secret always yields the same two project keys.
PROJECT_KEYS_ISSUED_AT = int(datetime(2026, 1, 1, tzinfo=UTC).timestamp())
PROJECT_KEYS_EXPIRE_AT = int(datetime(2100, 1, 1, tzinfo=UTC).timestamp())


class Keyring:
    def __init__(self, settings: AuthSettings) -> None:
        self._settings = settings
        secrets = (settings.jwt_secret.get_secret_value(), *settings.retired_jwt_values)
        # The current secret is the first one.
        self._shared_secrets = [OctKey.import_key(secret) for secret in secrets]
        self._signing_key = ECKey.import_key(settings.signing_key.get_secret_value())
        self._kid = self._signing_key.thumbprint()
        retired_keys = [ECKey.import_key(pem) for pem in settings.retired_keys]
        # The last of two keys with the same id wins, so that no other issuer can replace our own keys.
        self._accepted_keys: dict[str, ECKey | RSAKey] = {
            **{str(key["kid"]): import_public_key(key) for key in settings.verification_keys},
            **{key.thumbprint(): key for key in (self._signing_key, *retired_keys)},
        }
        self._cache = TokenCache(MAX_CACHED_TOKENS, MAX_CACHED_CHARACTERS)

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
        claims = {"iss": "cairn", "role": role, "iat": PROJECT_KEYS_ISSUED_AT, "exp": PROJECT_KEYS_EXPIRE_AT}
        return jwt.encode({"alg": SYMMETRIC_ALGORITHM}, claims, self._shared_secrets[0])

    def access_token(self, claims: Mapping[str, Any], issued_at: datetime) -> str:
        """Adds issuer, audience, role and times to the claims about the user (`sub`, `session_id`, `email`, ...)."""
        issued_seconds = int(issued_at.timestamp())
        lifetime_seconds = int(self._settings.access_token_lifetime.total_seconds())
        all_claims = {
            "iss": self._settings.issuer,
            "aud": "authenticated",
            "role": "authenticated",
            "iat": issued_seconds,
            "exp": issued_seconds + lifetime_seconds,
            **claims,
        }
        return jwt.encode({"alg": ASYMMETRIC_ALGORITHM, "kid": self._kid}, all_claims, self._signing_key)

    def jwks(self) -> dict[str, Any]:
        """Returns the public keys that verify access tokens. The shared secret is not one of them."""
        own_first = sorted(self._accepted_keys.items(), key=lambda item: item[0] != self._kid)
        return {"keys": [_public_jwk(kid, key) for kid, key in own_first]}

    def principal(self, token: str) -> Principal:
        """Verifies a token and returns its principal.

        Verified tokens are cached, but the times in the claims are checked on every call.
        """
        principal = self._cache.get(token)
        if principal is None:
            principal = _principal(self._verified_claims(token))
            self._cache.put(token, principal)
        _check_times(principal.claims, now().timestamp())
        return principal

    def claims(self, token: str) -> dict[str, Any]:
        """Returns the claims of a valid token, even if its role is not a database role. The token is not cached."""
        claims = self._verified_claims(token)
        _check_types(claims)
        _check_times(claims, now().timestamp())
        return claims

    def _verified_claims(self, token: str) -> dict[str, Any]:
        part_count = token.count(".") + 1
        if part_count != 3:
            raise BadToken(f"Expected 3 parts in JWT; got {part_count}")
        for secret in self._shared_secrets:
            with contextlib.suppress(JoseError, ValueError, TypeError):
                key_for = partial(self._key_for, shared_secret=secret)
                return jwt.decode(token, key_for, algorithms=ACCEPTED_ALGORITHMS).claims
        raise BadToken("JWT cryptographic operation failed")

    def _key_for(self, token: GuestProtocol, shared_secret: OctKey) -> OctKey | ECKey | RSAKey:
        """Chooses the key by the algorithm first, because a public key must never be used as a shared secret."""
        header = token.headers()
        if header.get("alg") == SYMMETRIC_ALGORITHM:
            return shared_secret
        key = self._accepted_keys.get(str(header.get("kid")))
        if key is not None and header.get("alg") == _algorithm_of(key):
            return key
        raise BadToken("No suitable key or wrong key type")


def new_signing_key() -> str:
    """Returns a new private key in PEM."""
    return ECKey.generate_key("P-256").as_pem(private=True).decode()


def public_signing_key(private_pem: str) -> str:
    return ECKey.import_key(private_pem).as_pem(private=False).decode()


def _algorithm_of(key: ECKey | RSAKey) -> str:
    return RSA_ALGORITHM if isinstance(key, RSAKey) else ASYMMETRIC_ALGORITHM


def _public_jwk(kid: str, key: ECKey | RSAKey) -> dict[str, Any]:
    return {
        **key.as_dict(private=False),
        "kid": kid,
        "alg": _algorithm_of(key),
        "use": "sig",
        "key_ops": ["verify"],
    }


def _check_types(claims: Mapping[str, Any]) -> None:
    for name in ("exp", "nbf", "iat"):
        if not isinstance(claims.get(name, 0), int | float):
            raise BadClaims(f"The JWT '{name}' claim must be a number")


def _principal(claims: dict[str, Any]) -> Principal:
    _check_types(claims)
    if claims.get("sub") is not None and not _is_uuid(claims["sub"]):
        raise SubjectInvalid("The JWT 'sub' claim must be a UUID")
    # A token without a role is anonymous, as in the REST service.
    role = claims.get("role", "anon")
    try:
        return Principal(role, claims).compact()
    except (ValueError, TypeError) as error:
        raise BadClaims(f'role "{role}" does not exist') from error


def _is_uuid(subject: object) -> bool:
    """Accepts only the hyphenated form. Python also parses forms that Postgres rejects."""
    try:
        return isinstance(subject, str) and str(UUID(subject)) == subject.lower()
    except ValueError:
        return False


def _check_times(claims: Mapping[str, Any], now_seconds: float) -> None:
    if claims.get("exp", now_seconds + 1) <= now_seconds:
        raise BadClaims("JWT expired")
    if claims.get("nbf", 0) > now_seconds + CLOCK_SKEW_SECONDS:
        raise BadClaims("JWT not yet valid")
    if claims.get("iat", 0) > now_seconds + CLOCK_SKEW_SECONDS:
        raise BadClaims("JWT issued at future")
