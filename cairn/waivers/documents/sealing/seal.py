"""The seal of this deployment: a PAdES signature over a whole document. The key is loaded on first use."""

from collections.abc import Callable
from functools import cache, cached_property
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509 import Certificate

from cairn.waivers.documents.seal_keys import PrivateKey, from_pem, sign_bytes
from cairn.waivers.documents.sealing.certificate_key import CertificateKey

if TYPE_CHECKING:
    from cairn.waivers.documents.sealing.sealer import Sealer


class Seal:
    def __init__(
        self,
        load: Callable[[], tuple[PrivateKey, Certificate]],
        timestamp_url: str | None = None,
        certificate_key: CertificateKey | None = None,
    ) -> None:
        self._load = load
        self._timestamp_url = timestamp_url
        self._certificate_key = certificate_key

    def load(self) -> None:
        """Raises SealUnusable if the key or its certificate cannot be read."""
        _ = self._key_and_certificate

    @property
    def timestamp_url(self) -> str | None:
        """The URL of the configured timestamp authority."""
        return self._timestamp_url

    @property
    def is_timestamped(self) -> bool:
        return self._timestamp_url is not None

    @property
    def certificate(self) -> Certificate:
        return self._key_and_certificate[1]

    @property
    def certificate_pem(self) -> bytes:
        return pem_of(self.certificate)

    @property
    def fingerprint(self) -> str:
        return fingerprint_of(self.certificate)

    @property
    def certificate_mac(self) -> bytes | None:
        """Shows other servers that they can trust the certificate. None for a seal that only this server needs."""
        return None if self._certificate_key is None else self._certificate_key.mac(self.fingerprint)

    def __reduce__(self) -> tuple[object, ...]:
        """Allows a seal to be sent to another process: the one that renders a document also seals it."""
        return _restore_seal, (self._key_and_certificate_pem, self._timestamp_url)

    @cached_property
    def _key_and_certificate_pem(self) -> bytes:
        key, _ = self._key_and_certificate
        key_pem = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        return key_pem + self.certificate_pem

    def sign(self, data: bytes) -> bytes:
        """Returns a signature over data that is not a PDF, such as the text of a head."""
        return sign_bytes(self._key_and_certificate[0], data)

    async def apply(self, pdf: bytes) -> bytes:
        """Appends the seal to the PDF as an incremental update, which does not change the rendered bytes."""
        return await self._sealer.apply(pdf)

    @cached_property
    def _key_and_certificate(self) -> tuple[PrivateKey, Certificate]:
        return self._load()

    @cached_property
    def _sealer(self) -> "Sealer":
        # Only the worker seals, and pyHanko would take an eighth of an idle server's memory.
        from cairn.waivers.documents.sealing.sealer import Sealer, TemplateSigner  # noqa: PLC0415 - see above

        return Sealer(TemplateSigner(*self._key_and_certificate), self._timestamp_url)


@cache
def _restore_seal(key_and_certificate_pem: bytes, timestamp_url: str | None) -> Seal:
    """Returns the same seal every time, because it remembers its first signature; see `SignatureTemplate`."""
    return Seal(lambda: from_pem(key_and_certificate_pem), timestamp_url)


def pem_of(certificate: Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def fingerprint_of(certificate: Certificate) -> str:
    return certificate.fingerprint(hashes.SHA256()).hex()
