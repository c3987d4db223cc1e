"""Stores the seal's private key, and the certificates of all seals ever used, in the data folder."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

from cryptography.x509 import Certificate, load_pem_x509_certificate

from cairn.kit import now, replace_file, write_once
from cairn.waivers.documents.errors import SealUnusable
from cairn.waivers.documents.sealing.certificate_key import CertificateKey
from cairn.waivers.documents.sealing.keys import PrivateKey, from_pem, from_pkcs12, generate_key_and_certificate
from cairn.waivers.documents.sealing.seal import Seal, fingerprint_of, pem_of
from cairn.waivers.documents.settings import DocumentSettings

log = logging.getLogger(__name__)

_GENERATED_KEY = "own.pem"
_CERTIFICATES = "*.crt"
_UNREADABLE_KEY = (
    "{file} does not contain a readable key and certificate. Restore it from a backup, or move it away to have a new "
    "seal made; documents of the old seal stay valid"
)


def load_seal(data_folder: Path, settings: DocumentSettings) -> Seal:
    """Loads the configured seal, or generates one on first use."""
    seal = open_seal(data_folder, settings)
    seal.load()
    return seal


def open_seal(data_folder: Path, settings: DocumentSettings, certificate_key: CertificateKey | None = None) -> Seal:
    """Returns a seal that is loaded when it is first used. If that fails, the next use tries again."""

    def load() -> tuple[PrivateKey, Certificate]:
        if settings.seal_pkcs12:
            key, certificate = _load_configured(settings, settings.seal_pkcs12)
        else:
            key, certificate = _load_or_generate(data_folder)
        # The certificate is stored for later verification.
        file = _seal_folder(data_folder) / f"{fingerprint_of(certificate)}.crt"
        if _read_or_create(file, pem_of(certificate)) != pem_of(certificate):
            replace_file(file, pem_of(certificate))
        return key, certificate

    return Seal(load, settings.timestamp_url, certificate_key)


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
    """Returns the keys and certificates of the data folder by file name, for a backup. Unfinished drafts are hidden."""
    return {
        file.name: file.read_bytes()
        for file in sorted((data_folder / "seal").glob("*"))
        if file.is_file() and not file.name.startswith(".")
    }


def write_seal_files(data_folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        replace_file(_seal_folder(data_folder) / name, content)


def _load_configured(settings: DocumentSettings, file: Path) -> tuple[PrivateKey, Certificate]:
    password = settings.seal_password.get_secret_value() if settings.seal_password else None
    try:
        return from_pkcs12(file.read_bytes(), password)
    except OSError as error:
        raise SealUnusable(reason=f"{file} cannot be read") from error


def _load_or_generate(data_folder: Path) -> tuple[PrivateKey, Certificate]:
    key_pem, certificate_pem = generate_key_and_certificate(now())
    # Key and certificate share one file, so that two processes that start together cannot store parts of both pairs.
    file = _seal_folder(data_folder) / _GENERATED_KEY
    try:
        return from_pem(_read_or_create(file, key_pem + certificate_pem))
    except (OSError, ValueError) as error:
        raise SealUnusable(reason=_UNREADABLE_KEY.format(file=file)) from error


def _seal_folder(data_folder: Path) -> Path:
    folder = data_folder / "seal"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def _read_or_create(path: Path, content: bytes) -> bytes:
    if not path.exists():
        write_once(path, content)
    return path.read_bytes()
