"""Who is pushing: a key of the house, named by each browser when it subscribes (RFC 8292)."""

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

from cairn.messaging.push.encryption import point

# At most a day is allowed.
_LIFETIME = timedelta(hours=12)


def new_push_key() -> str:
    key = ec.generate_private_key(ec.SECP256R1())
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


class Vapid:
    def __init__(self, pem: str, contact: str) -> None:
        key = load_pem_private_key(pem.encode(), None)
        assert isinstance(key, ec.EllipticCurvePrivateKey), "a key of another kind signs nothing here"
        self.public_key = base64.urlsafe_b64encode(point(key.public_key())).rstrip(b"=").decode()
        self._signing = ECKey.import_key(pem)
        self._contact = contact

    def authorization(self, endpoint: str, now: datetime) -> str:
        claims = {"aud": origin(endpoint), "exp": int((now + _LIFETIME).timestamp()), "sub": self._contact}
        return f"vapid t={jwt.encode({'typ': 'JWT', 'alg': 'ES256'}, claims, self._signing)}, k={self.public_key}"


def origin(endpoint: str) -> str:
    """Raises ValueError for what is no address."""
    parts = urlsplit(endpoint)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname}{port}"
