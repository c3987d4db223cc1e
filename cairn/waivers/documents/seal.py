"""The service's seal: a PAdES signature over the whole document, made with a key loaded once."""

from functools import cached_property
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509 import Certificate

from cairn.waivers.documents.keys import PrivateKey

if TYPE_CHECKING:
    from cairn.waivers.documents.sealer import Sealer


class Seal:
    def __init__(self, key: PrivateKey, certificate: Certificate, timestamp_url: str | None = None) -> None:
        self.certificate = certificate
        self._key = key
        self._timestamp_url = timestamp_url

    @property
    def timestamped(self) -> bool:
        return self._timestamp_url is not None

    @property
    def certificate_pem(self) -> bytes:
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    @property
    def fingerprint(self) -> str:
        return self.certificate.fingerprint(hashes.SHA256()).hex()

    async def sealed(self, pdf: bytes) -> bytes:
        """The document with the seal appended; what was rendered stays in it byte for byte."""
        return await self._sealer.sealed(pdf)

    @cached_property
    def _sealer(self) -> "Sealer":
        # Only the worker seals, and pyHanko would be an eighth of an idle server's memory.
        from cairn.waivers.documents.sealer import Sealer  # noqa: PLC0415 - see above

        return Sealer(self._key, self.certificate, self._timestamp_url)
