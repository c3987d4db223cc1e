"""Identifies this server to push services by a key pair (VAPID, RFC 8292). Browsers subscribe with the public key."""

import base64
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from joserfc import jwt
from joserfc.jwk import ECKey

from cairn.messaging.push.encryption import uncompressed_point

# RFC 8292 allows at most 24 hours.
_TOKEN_LIFETIME = timedelta(hours=12)


def new_push_key() -> str:
    key = ec.generate_private_key(ec.SECP256R1())
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


class Vapid:
    def __init__(self, pem: str, contact: str) -> None:
        key = load_pem_private_key(pem.encode(), None)
        assert isinstance(key, ec.EllipticCurvePrivateKey), "the push key must be an elliptic curve key"
        self.public_key = base64.urlsafe_b64encode(uncompressed_point(key.public_key())).rstrip(b"=").decode()
        self._signing_key = ECKey.import_key(pem)
        self._contact = contact

    def authorization(self, endpoint: str, now: datetime) -> str:
        claims = {"aud": origin(endpoint), "exp": int((now + _TOKEN_LIFETIME).timestamp()), "sub": self._contact}
        return f"vapid t={jwt.encode({'typ': 'JWT', 'alg': 'ES256'}, claims, self._signing_key)}, k={self.public_key}"


def origin(endpoint: str) -> str:
    """Returns scheme, host and port. Raises ValueError if the endpoint is not a URL."""
    parts = urlsplit(endpoint)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname}{port}"
