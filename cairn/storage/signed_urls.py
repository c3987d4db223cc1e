"""Signed addresses: whoever holds one may do one thing with one object until a certain moment."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

from cairn.storage.errors import InvalidJwt, InvalidSignature, WrongScope
from cairn.storage.model import ObjectPath

_ALGORITHM = "HS256"
Scope = Literal["download", "upload"]


@dataclass(frozen=True, slots=True)
class SignedUrlClaims:
    expires: int
    owner: UUID | None = None
    upsert: bool = False
    transform: Mapping[str, Any] | None = None


class UrlSigner:
    def __init__(self, secret: str) -> None:
        # A key of their own: an address that was handed out can never pass for a token of ours.
        derived = HKDF(SHA256(), 32, salt=None, info=b"cairn storage links").derive(secret.encode())
        self._key = OctKey.import_key(derived)

    def sign(self, place: ObjectPath, scope: Scope, *, at: datetime, lifetime: timedelta, **more: object) -> str:
        claims = {
            "url": str(place),
            "scope": scope,
            "iat": int(at.timestamp()),
            "exp": int((at + lifetime).timestamp()),
            **{name: value for name, value in more.items() if value is not None},
        }
        return jwt.encode({"alg": _ALGORITHM}, claims, self._key)

    def read(self, token: str, place: ObjectPath, scope: Scope, *, at: datetime) -> SignedUrlClaims:
        claims = self._claims(token)
        if claims.get("exp", 0) <= at.timestamp():
            raise InvalidJwt(reason='"exp" claim timestamp check failed')
        if claims.get("url") != str(place):
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

    def _claims(self, token: str) -> dict[str, Any]:
        try:
            return jwt.decode(token, self._key, algorithms=[_ALGORITHM]).claims
        except (JoseError, ValueError, TypeError) as forged:
            raise InvalidJwt(
                reason="signature verification failed" if token.count(".") == 2 else "jwt malformed"
            ) from forged
