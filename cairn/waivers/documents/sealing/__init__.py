"""Loads the keys and certificates of this deployment's seal, and signs documents with it (PAdES)."""

from cairn.waivers.documents.seal_keys import is_signed_by
from cairn.waivers.documents.sealing.certificate_key import CertificateKey
from cairn.waivers.documents.sealing.key_store import (
    known_certificates,
    load_seal,
    open_seal,
    read_seal_files,
    store_certificates,
    write_seal_files,
)
from cairn.waivers.documents.sealing.seal import Seal, fingerprint_of, pem_of

__all__ = [
    "CertificateKey",
    "Seal",
    "fingerprint_of",
    "is_signed_by",
    "known_certificates",
    "load_seal",
    "open_seal",
    "pem_of",
    "read_seal_files",
    "store_certificates",
    "write_seal_files",
]
