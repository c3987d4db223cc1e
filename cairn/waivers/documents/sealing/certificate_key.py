"""Computes the MAC that shows that a server of this deployment listed a certificate in the database."""

import hmac

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

# If one of these texts changes, the certificates of other servers are no longer trusted until those servers restart.
_PURPOSE = b"cairn: certificates of seals"
_LABEL = b"cairn seal certificate 1\n"


class CertificateKey:
    """Derives its key from a secret that all servers of a deployment share and that is not in the database."""

    def __init__(self, secret: str) -> None:
        self._key = HKDF(SHA256(), length=32, salt=None, info=_PURPOSE).derive(secret.encode())

    def mac(self, fingerprint: str) -> bytes:
        return hmac.digest(self._key, _LABEL + fingerprint.encode(), "sha256")

    def is_right(self, fingerprint: str, mac: bytes | None) -> bool:
        return mac is not None and hmac.compare_digest(mac, self.mac(fingerprint))
