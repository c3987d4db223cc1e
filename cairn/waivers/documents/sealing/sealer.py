"""Applies the seal with pyHanko."""

import io
from typing import Any

from asn1crypto import cms, x509
from cryptography.hazmat.primitives import serialization
from cryptography.x509 import Certificate
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import signers
from pyhanko.sign.fields import MDPPerm, SigSeedSubFilter
from pyhanko.sign.timestamps import HTTPTimeStamper

from cairn.waivers.documents.seal_keys import PrivateKey, sign_bytes
from cairn.waivers.documents.sealing.signature_template import SignatureTemplate

_FIELD = "CairnSeal"
_REASON = "Sealed by the service: any later change to this document can be detected"
# Bytes reserved for the signature. Without them pyHanko signs twice, once only to find out the length. A timestamp
# includes the certificates of its authority and needs more.
_RESERVED_BYTES = 4096
_RESERVED_BYTES_WITH_TIMESTAMP = 16384


class Sealer:
    def __init__(self, signer: signers.Signer, timestamp_url: str | None) -> None:
        self._signer = signer
        self._timestamper = HTTPTimeStamper(timestamp_url) if timestamp_url else None
        self._reserved_bytes = _RESERVED_BYTES_WITH_TIMESTAMP if timestamp_url else _RESERVED_BYTES

    async def apply(self, pdf: bytes) -> bytes:
        metadata = signers.PdfSignatureMetadata(
            field_name=_FIELD,
            md_algorithm="sha256",
            subfilter=SigSeedSubFilter.PADES,
            reason=_REASON,
            name="Cairn",
            certify=True,
            docmdp_permissions=MDPPerm.NO_CHANGES,
        )
        signed_pdf = await signers.PdfSigner(metadata, self._signer, timestamper=self._timestamper).async_sign_pdf(
            IncrementalPdfFileWriter(io.BytesIO(pdf)), bytes_reserved=self._reserved_bytes
        )
        return bytes(signed_pdf.getvalue())


class KeySigner(signers.Signer):
    """Signs with a key that is already loaded. pyHanko's own signer parses its key again for every signature."""

    def __init__(self, key: PrivateKey, certificate: Certificate) -> None:
        der = certificate.public_bytes(serialization.Encoding.DER)
        super().__init__(signing_cert=x509.Certificate.load(der))
        self._key = key

    # pyHanko passes `dry_run` only when it has to find out the signature's length, which is reserved beforehand here.
    async def async_sign_raw(self, data: bytes, digest_algorithm: str, dry_run: bool = False) -> bytes:  # noqa: ARG002 - see above
        if digest_algorithm != "sha256":
            raise ValueError(f"the seal is made with SHA-256, not {digest_algorithm}")
        return self.sign_bytes(data)

    def sign_bytes(self, data: bytes) -> bytes:
        return sign_bytes(self._key, data)


class TemplateSigner(KeySigner):
    """Lets pyHanko build the first signature and derives all later ones from it; see `SignatureTemplate`."""

    def __init__(self, key: PrivateKey, certificate: Certificate) -> None:
        super().__init__(key, certificate)
        self._template: SignatureTemplate | None = None

    async def async_sign(self, data_digest: bytes, digest_algorithm: str, *args: Any, **kwargs: Any) -> cms.ContentInfo:
        if self._template is not None:
            return self._template.sign(data_digest, self.sign_bytes)
        signature = await super().async_sign(data_digest, digest_algorithm, *args, **kwargs)
        # A signature with a timestamp cannot be a template, because every timestamp is different.
        if kwargs.get("timestamper") is None:
            self._template = SignatureTemplate(signature, data_digest)
        return signature
