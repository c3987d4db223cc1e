"""Document settings with a new seal key, and a PKCS#12 file with an operator's own key and certificate."""

from datetime import timedelta

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, pkcs12
from cryptography.x509 import CertificateBuilder, Name, NameAttribute
from cryptography.x509.oid import NameOID

from cairn.kit import now
from cairn.waivers import DocumentSettings, new_seal_key


def document_settings(**changes: object) -> DocumentSettings:
    return DocumentSettings.model_validate({"seal_key": new_seal_key(), **changes})


def operator_pkcs12(password: bytes) -> bytes:
    key = rsa.generate_private_key(65537, 2048)
    name = Name([NameAttribute(NameOID.ORGANIZATION_NAME, "Rio Rafting")])
    builder = CertificateBuilder(name, name, key.public_key(), 7, now() - timedelta(days=1), now() + timedelta(days=1))
    certificate = builder.sign(key, hashes.SHA256())
    return pkcs12.serialize_key_and_certificates(b"seal", key, certificate, None, BestAvailableEncryption(password))
