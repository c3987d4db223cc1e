"""Seals with pyHanko."""

import io
from typing import Any

from asn1crypto import cms, x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.x509 import Certificate
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import signers
from pyhanko.sign.fields import MDPPerm, SigSeedSubFilter
from pyhanko.sign.timestamps import HTTPTimeStamper

from cairn.waivers.documents.keys import PrivateKey
from cairn.waivers.documents.mould import Mould

FIELD = "CairnSeal"
REASON = "Sealed by the service: any later change to this document can be detected"
# Room for the signature itself; pyHanko would otherwise sign twice to find out. A timestamp brings certificates along.
_RESERVED_BYTES = 4096
_RESERVED_WITH_TIMESTAMP = 16384


class Sealer:
    def __init__(self, key: PrivateKey, certificate: Certificate, timestamp_url: str | None) -> None:
        self._timestamper = HTTPTimeStamper(timestamp_url) if timestamp_url else None
        self._reserved = _RESERVED_WITH_TIMESTAMP if timestamp_url else _RESERVED_BYTES
        self._signer = _Signer(key, certificate)

    async def sealed(self, pdf: bytes) -> bytes:
        metadata = signers.PdfSignatureMetadata(
            field_name=FIELD,
            md_algorithm="sha256",
            subfilter=SigSeedSubFilter.PADES,
            reason=REASON,
            name="Cairn",
            certify=True,
            docmdp_permissions=MDPPerm.NO_CHANGES,
        )
        signed = await signers.PdfSigner(metadata, self._signer, timestamper=self._timestamper).async_sign_pdf(
            IncrementalPdfFileWriter(io.BytesIO(pdf)), bytes_reserved=self._reserved
        )
        return bytes(signed.getvalue())


class _Signer(signers.Signer):
    """pyHanko's own signer reads its key anew for every signature, which costs as much as the rest together."""

    def __init__(self, key: PrivateKey, certificate: Certificate) -> None:
        der = certificate.public_bytes(serialization.Encoding.DER)
        super().__init__(signing_cert=x509.Certificate.load(der))
        self._key = key
        self._mould: Mould | None = None

    async def async_sign(
        self, data_digest: bytes, digest_algorithm: str, *options: Any, **more: Any
    ) -> cms.ContentInfo:
        if self._mould is not None:
            return self._mould.cast(data_digest, self._sign)
        built = await super().async_sign(data_digest, digest_algorithm, *options, **more)
        # A timestamp is different every time.
        if more.get("timestamper") is None:
            self._mould = Mould(built, data_digest)
        return built

    # `dry_run` is pyHanko's: it never asks for one, because the room is reserved beforehand.
    async def async_sign_raw(self, data: bytes, digest_algorithm: str, dry_run: bool = False) -> bytes:  # noqa: ARG002
        if digest_algorithm != "sha256":
            raise ValueError(f"the seal is made with SHA-256, not {digest_algorithm}")
        return self._sign(data)

    def _sign(self, data: bytes) -> bytes:
        if isinstance(self._key, rsa.RSAPrivateKey):
            return self._key.sign(data, PKCS1v15(), hashes.SHA256())
        return self._key.sign(data, ec.ECDSA(hashes.SHA256()))
