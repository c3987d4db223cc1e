"""The service's seal: a PAdES signature over the whole document, made with a key loaded once."""

import io
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from asn1crypto import cms, x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.serialization import pkcs12
from cryptography.x509 import (
    BasicConstraints,
    Certificate,
    CertificateBuilder,
    KeyUsage,
    Name,
    NameAttribute,
    load_pem_x509_certificate,
    random_serial_number,
)
from cryptography.x509.oid import NameOID
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import signers
from pyhanko.sign.fields import MDPPerm, SigSeedSubFilter
from pyhanko.sign.timestamps import TimeStamper

from cairn.waivers.documents.errors import SealUnusable
from cairn.waivers.documents.mould import Mould

PrivateKey: TypeAlias = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey

FIELD = "CairnSeal"
REASON = "Sealed by the service: any later change to this document can be detected"
_LIFETIME = timedelta(days=365 * 30)
# Room for the signature itself; pyHanko would otherwise sign twice to find out. A timestamp brings certificates along.
_RESERVED_BYTES = 4096
_RESERVED_WITH_TIMESTAMP = 16384


class Seal:
    def __init__(self, key: PrivateKey, certificate: Certificate, timestamper: TimeStamper | None = None) -> None:
        self.certificate = certificate
        self.timestamped = timestamper is not None
        self._timestamper = timestamper
        self._reserved = _RESERVED_WITH_TIMESTAMP if timestamper else _RESERVED_BYTES
        self._signer = _Signer(key, certificate)

    @property
    def certificate_pem(self) -> bytes:
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    @property
    def fingerprint(self) -> str:
        return self.certificate.fingerprint(hashes.SHA256()).hex()

    async def sealed(self, pdf: bytes) -> bytes:
        """The document with the seal appended; what was rendered stays in it byte for byte."""
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

    async def async_sign_raw(self, data: bytes, digest_algorithm: str, dry_run: bool = False) -> bytes:  # noqa: ARG002
        if digest_algorithm != "sha256":
            raise ValueError(f"the seal is made with SHA-256, not {digest_algorithm}")
        return self._sign(data)

    def _sign(self, data: bytes) -> bytes:
        if isinstance(self._key, rsa.RSAPrivateKey):
            return self._key.sign(data, PKCS1v15(), hashes.SHA256())
        return self._key.sign(data, ec.ECDSA(hashes.SHA256()))


def new_seal(now: datetime) -> tuple[bytes, bytes]:
    """A fresh key and its self-signed certificate, both in PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = Name([NameAttribute(NameOID.COMMON_NAME, "Cairn document seal")])
    certificate = (
        CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(random_serial_number())
        .not_valid_before(now - timedelta(minutes=5))
        .not_valid_after(now + _LIFETIME)
        .add_extension(BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_SEALING_ONLY, critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return private, certificate.public_bytes(serialization.Encoding.PEM)


_SEALING_ONLY = KeyUsage(
    digital_signature=True, content_commitment=True, key_encipherment=False, data_encipherment=False,
    key_agreement=False, key_cert_sign=False, crl_sign=False, encipher_only=False, decipher_only=False,
)  # fmt: skip


def from_pkcs12(file: bytes, password: str | None) -> tuple[PrivateKey, Certificate]:
    try:
        key, certificate, _ = pkcs12.load_key_and_certificates(file, password.encode() if password else None)
    except ValueError as error:
        raise SealUnusable(reason="the PKCS#12 file cannot be opened with this password") from error
    if certificate is None or not isinstance(key, ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey):
        raise SealUnusable(reason="the PKCS#12 file must hold an EC or RSA key and its certificate")
    return key, certificate


def from_pem(both: bytes) -> tuple[PrivateKey, Certificate]:
    key = serialization.load_pem_private_key(both, None)
    assert isinstance(key, ec.EllipticCurvePrivateKey), "we made this key ourselves"
    return key, load_pem_x509_certificate(both)
