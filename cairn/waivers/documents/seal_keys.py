"""Generates and loads the private key and certificate of a seal."""

from datetime import timedelta
from typing import TypeAlias

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
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

from cairn.kit import now
from cairn.waivers.documents.errors import SealUnusable

PrivateKey: TypeAlias = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey

_LIFETIME = timedelta(days=365 * 30)
# A verifier's clock may be a little behind ours.
_CLOCK_TOLERANCE = timedelta(minutes=5)


def new_seal_key() -> str:
    """Returns a new private key and its self-signed certificate in PEM."""
    created_at = now()
    key = ec.generate_private_key(ec.SECP256R1())
    name = Name([NameAttribute(NameOID.COMMON_NAME, "Cairn document seal")])
    certificate = (
        CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(random_serial_number())
        .not_valid_before(created_at - _CLOCK_TOLERANCE)
        .not_valid_after(created_at + _LIFETIME)
        .add_extension(BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_SEALING_ONLY, critical=True)
        .sign(key, hashes.SHA256())
    )
    key_pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return (key_pem + certificate.public_bytes(serialization.Encoding.PEM)).decode()


_SEALING_ONLY = KeyUsage(
    digital_signature=True, content_commitment=True, key_encipherment=False, data_encipherment=False,
    key_agreement=False, key_cert_sign=False, crl_sign=False, encipher_only=False, decipher_only=False,
)  # fmt: skip


def sign_bytes(key: PrivateKey, data: bytes) -> bytes:
    """Signs with SHA-256. The signature of an EC key is DER, that of an RSA key is PKCS #1 v1.5."""
    if isinstance(key, rsa.RSAPrivateKey):
        return key.sign(data, PKCS1v15(), hashes.SHA256())
    return key.sign(data, ec.ECDSA(hashes.SHA256()))


def is_signed_by(certificate: Certificate, signature: bytes, data: bytes) -> bool:
    """Returns True if `sign_bytes` made the signature with the key of this certificate."""
    key = certificate.public_key()
    try:
        if isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(signature, data, ec.ECDSA(hashes.SHA256()))
        elif isinstance(key, rsa.RSAPublicKey):
            key.verify(signature, data, PKCS1v15(), hashes.SHA256())
        else:
            return False
    except InvalidSignature:
        return False
    return True


def from_pkcs12(file: bytes, password: str | None) -> tuple[PrivateKey, Certificate]:
    try:
        key, certificate, _ = pkcs12.load_key_and_certificates(file, password.encode() if password else None)
    except ValueError as error:
        raise SealUnusable(reason="the PKCS#12 file cannot be opened with this password") from error
    if certificate is None or not isinstance(key, ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey):
        raise SealUnusable(reason="the PKCS#12 file must hold an EC or RSA key and its certificate")
    return key, certificate


def from_pem(key_and_certificate: bytes) -> tuple[PrivateKey, Certificate]:
    """Raises ValueError if there is no usable key and certificate."""
    try:
        key = serialization.load_pem_private_key(key_and_certificate, None)
    except (TypeError, UnsupportedAlgorithm) as error:
        raise ValueError("not an unencrypted key") from error
    if not isinstance(key, ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey):
        raise ValueError("not an EC or RSA key")
    return key, load_pem_x509_certificate(key_and_certificate)
