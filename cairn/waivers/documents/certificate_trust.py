"""Decides which of the certificates that the database lists are trusted.

Servers that share a database list their certificates there, so that each of them knows the seals of the others. Someone
who can change the database can list a certificate as well, but cannot compute its MAC.
"""

from collections.abc import Sequence
from pathlib import Path

from cryptography.x509 import Certificate, load_pem_x509_certificate

from cairn.db import SERVICE, Connection, Database
from cairn.waivers.documents import store
from cairn.waivers.documents.context import DocumentContext
from cairn.waivers.documents.sealing import CertificateKey, fingerprint_of, known_certificates, pem_of


async def save_own_certificates(database: Database, documents: DocumentContext) -> None:
    """Saves the certificates of the data folder in the database. Those that were saved without a MAC get one."""
    async with database.acting_as(SERVICE) as connection:
        for certificate in known_certificates(documents.data_folder):
            fingerprint = fingerprint_of(certificate)
            mac = documents.certificate_key.mac(fingerprint)
            await store.save_certificate(connection, fingerprint, pem_of(certificate).decode(), mac)


async def trusted_certificates(connection: Connection, data_folder: Path, key: CertificateKey) -> Sequence[Certificate]:
    """Returns the certificates of this data folder and those that other servers listed in the database."""
    trusted = {fingerprint_of(certificate): certificate for certificate in known_certificates(data_folder)}
    for listed in await store.listed_certificates(connection):
        certificate = _parse(listed.pem)
        # The fingerprint is computed again, because the stored one may be that of another certificate.
        if certificate is not None and key.is_right(fingerprint_of(certificate), listed.mac):
            trusted.setdefault(fingerprint_of(certificate), certificate)
    return list(trusted.values())


async def untrusted_certificates(connection: Connection, trusted: Sequence[Certificate]) -> list[str]:
    """Returns a sentence for each listed certificate that is not one of the trusted ones."""
    fingerprints = {fingerprint_of(certificate) for certificate in trusted}
    findings = []
    for listed in await store.listed_certificates(connection):
        certificate = _parse(listed.pem)
        if certificate is None:
            findings.append(f"Certificate {listed.fingerprint!a}: the database lists it, but it cannot be read.")
        elif fingerprint_of(certificate) not in fingerprints:
            findings.append(
                f"Certificate {fingerprint_of(certificate)}: the database lists it, but it is not trusted. No server "
                "with the secrets of this deployment listed it, and the folder seal does not contain it."
            )
    return findings


def _parse(pem: str) -> Certificate | None:
    try:
        return load_pem_x509_certificate(pem.encode())
    except ValueError:
        return None
