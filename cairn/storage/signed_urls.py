"""Signs URLs with which anyone may download or upload one object until the URL expires."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

from cairn.kit import frozen_dataclass
from cairn.storage.errors import InvalidJwt, InvalidSignature, WrongScope
from cairn.storage.model import ObjectPath

_ALGORITHM = "HS256"
Scope = Literal["download", "upload"]


@frozen_dataclass
class SignedUrlClaims:
    expires_at: int
    """Unix time in seconds."""
    owner: UUID | None = None
    upsert: bool = False
    transform: Mapping[str, Any] | None = None


class UrlSigner:
    def __init__(self, secret: str) -> None:
        # The key is derived, so that the token of a signed URL can never be used as an access token.
        derived_key = HKDF(SHA256(), 32, salt=None, info=b"cairn storage links").derive(secret.encode())
        self._key = OctKey.import_key(derived_key)

    def sign(self, path: ObjectPath, scope: Scope, *, at: datetime, lifetime: timedelta, **extra_claims: object) -> str:
        claims = {
            "url": str(path),
            "scope": scope,
            "iat": int(at.timestamp()),
            "exp": int((at + lifetime).timestamp()),
            **{name: value for name, value in extra_claims.items() if value is not None},
        }
        return jwt.encode({"alg": _ALGORITHM}, claims, self._key)

    def verify(self, token: str, path: ObjectPath, scope: Scope, *, at: datetime) -> SignedUrlClaims:
        claims = self._decode(token)
        if claims.get("exp", 0) <= at.timestamp():
            raise InvalidJwt(reason='"exp" claim timestamp check failed')
        if claims.get("url") != str(path):
            raise InvalidSignature
        if claims.get("scope", "download") != scope:
            raise WrongScope(scope=scope)
        owner = claims.get("owner")
        return SignedUrlClaims(
            claims["exp"],
            owner=UUID(owner) if owner else None,
            upsert=claims.get("upsert") is True,
            transform=claims.get("transformations"),
        )

    def _decode(self, token: str) -> dict[str, Any]:
        try:
            return jwt.decode(token, self._key, algorithms=[_ALGORITHM]).claims
        except (JoseError, ValueError, TypeError) as error:
            reason = "signature verification failed" if token.count(".") == 2 else "jwt malformed"
            raise InvalidJwt(reason=reason) from error
