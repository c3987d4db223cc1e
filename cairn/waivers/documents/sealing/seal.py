"""The service's seal is a PAdES signature over the whole document, made with a key that is loaded once."""

from functools import cached_property
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509 import Certificate

from cairn.waivers.documents.sealing.keys import PrivateKey

if TYPE_CHECKING:
    from cairn.waivers.documents.sealing.sealer import Sealer


class Seal:
    def __init__(self, key: PrivateKey, certificate: Certificate, timestamp_url: str | None = None) -> None:
        self.certificate = certificate
        self._key = key
        self._timestamp_url = timestamp_url

    @property
    def is_timestamped(self) -> bool:
        return self._timestamp_url is not None

    @property
    def certificate_pem(self) -> bytes:
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    @property
    def fingerprint(self) -> str:
        return self.certificate.fingerprint(hashes.SHA256()).hex()

    async def apply(self, pdf: bytes) -> bytes:
        """Append the seal to the PDF as an incremental update, which does not change the rendered bytes."""
        return await self._sealer.apply(pdf)

    @cached_property
    def _sealer(self) -> "Sealer":
        # Only the worker seals, and pyHanko would take an eighth of an idle server's memory.
        from cairn.waivers.documents.sealing.sealer import Sealer, TemplateSigner  # noqa: PLC0415 - see above

        return Sealer(TemplateSigner(self._key, self.certificate), self._timestamp_url)
