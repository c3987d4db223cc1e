"""Opens the seal, and stores in the data folder the certificates of all seals that were ever used."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

from cryptography.x509 import Certificate, load_pem_x509_certificate

from cairn.kit import replace_file
from cairn.waivers.documents.errors import SealUnusable
from cairn.waivers.documents.seal_keys import PrivateKey, from_pem, from_pkcs12
from cairn.waivers.documents.sealing.certificate_key import CertificateKey
from cairn.waivers.documents.sealing.seal import Seal, fingerprint_of, pem_of
from cairn.waivers.documents.settings import DocumentSettings

log = logging.getLogger(__name__)

_CERTIFICATES = "*.crt"


def load_seal(data_folder: Path, settings: DocumentSettings) -> Seal:
    """Loads the seal. Raises SealUnusable if that is impossible."""
    seal = open_seal(data_folder, settings)
    seal.load()
    return seal


def open_seal(data_folder: Path, settings: DocumentSettings, certificate_key: CertificateKey | None = None) -> Seal:
    """Returns a seal that is loaded when it is first used. If that fails, the next use tries again."""

    def load() -> tuple[PrivateKey, Certificate]:
        if settings.seal_pkcs12 is None:
            key, certificate = _load_pem(settings)
        else:
            key, certificate = _load_pkcs12(settings, settings.seal_pkcs12)
        _store_certificate(data_folder, certificate)
        return key, certificate

    return Seal(load, settings.timestamp_url, certificate_key)


def store_certificates(data_folder: Path, settings: DocumentSettings) -> None:
    """Stores the certificates of the settings, so that a new data folder trusts the documents of earlier seals too."""
    _store_certificate(data_folder, _load_pem(settings)[1])
    for pem in settings.retired_certificates:
        _store_certificate(data_folder, load_pem_x509_certificate(pem.encode()))


def known_certificates(data_folder: Path) -> Sequence[Certificate]:
    """Returns the certificates of every seal that this data folder has used. Other files are ignored."""
    certificates = []
    for file in sorted((data_folder / "seal").glob(_CERTIFICATES)):
        try:
            certificates.append(load_pem_x509_certificate(file.read_bytes()))
        except (OSError, ValueError) as error:
            log.warning("%s contains no certificate that can be read and is ignored: %s", file, error)
    return certificates


def read_seal_files(data_folder: Path) -> dict[str, bytes]:
    """Returns the certificates of the data folder by file name, for a backup."""
    return {
        file.name: file.read_bytes() for file in sorted((data_folder / "seal").glob(_CERTIFICATES)) if file.is_file()
    }


def write_seal_files(data_folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        replace_file(_seal_folder(data_folder) / name, content)


def _load_pkcs12(settings: DocumentSettings, file: Path) -> tuple[PrivateKey, Certificate]:
    password = settings.seal_password.get_secret_value() if settings.seal_password else None
    try:
        return from_pkcs12(file.read_bytes(), password)
    except OSError as error:
        raise SealUnusable(reason=f"{file} cannot be read") from error


def _load_pem(settings: DocumentSettings) -> tuple[PrivateKey, Certificate]:
    return from_pem(settings.seal_key.get_secret_value().encode())


def _store_certificate(data_folder: Path, certificate: Certificate) -> None:
    file = _seal_folder(data_folder) / f"{fingerprint_of(certificate)}.crt"
    if not file.exists() or file.read_bytes() != pem_of(certificate):
        replace_file(file, pem_of(certificate))


def _seal_folder(data_folder: Path) -> Path:
    folder = data_folder / "seal"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder
