"""Reads the public keys of other issuers."""

from collections.abc import Mapping
from typing import Any

from joserfc.errors import JoseError
from joserfc.jwk import ECKey, RSAKey

MIN_RSA_BITS = 2048


def import_public_key(jwk: Mapping[str, Any]) -> ECKey | RSAKey:
    """Returns a key for ES256 or RS256, or raises ValueError."""
    if not isinstance(jwk.get("kid"), str) or not jwk["kid"]:
        raise ValueError("each key needs a `kid`")
    kinds: dict[str, type[ECKey] | type[RSAKey]] = {"EC": ECKey, "RSA": RSAKey}
    kind = kinds.get(str(jwk.get("kty")))
    try:
        key = kind.import_key(dict(jwk)) if kind else None
    except (JoseError, ValueError, TypeError, KeyError):
        key = None
    if key is None or key.is_private:
        raise ValueError("must be public keys in JWK")
    if isinstance(key, ECKey) and key.curve_name != "P-256":
        raise ValueError("the curve of an EC key must be P-256")
    if isinstance(key, RSAKey) and key.public_key.key_size < MIN_RSA_BITS:
        raise ValueError(f"an RSA key must have at least {MIN_RSA_BITS} bits")
    return key
