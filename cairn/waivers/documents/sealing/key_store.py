"""Stores the seal's private key, and the certificates of all seals ever used, in the data folder."""

from collections.abc import Sequence
from pathlib import Path

from cryptography.x509 import Certificate, load_pem_x509_certificate

from cairn.kit import now, write_once
from cairn.waivers.documents.errors import SealUnusable
from cairn.waivers.documents.sealing.keys import PrivateKey, from_pem, from_pkcs12, generate_key_and_certificate
from cairn.waivers.documents.sealing.seal import Seal
from cairn.waivers.documents.settings import DocumentSettings

_GENERATED_KEY = "own.pem"
_CERTIFICATES = "*.crt"


def load_seal(data_folder: Path, settings: DocumentSettings) -> Seal:
    """Load the configured seal, or generate one on first use. Its certificate is stored for later verification."""
    if settings.seal_pkcs12:
        key, certificate = _load_configured(settings, settings.seal_pkcs12)
    else:
        key, certificate = _load_or_generate(data_folder)
    seal = Seal(key, certificate, settings.timestamp_url)
    _read_or_create(_seal_folder(data_folder) / f"{seal.fingerprint}.crt", seal.certificate_pem)
    return seal


def known_certificates(data_folder: Path) -> Sequence[Certificate]:
    """Returns the certificates of every seal that this data folder has used."""
    return [load_pem_x509_certificate(file.read_bytes()) for file in sorted((data_folder / "seal").glob(_CERTIFICATES))]


def _load_configured(settings: DocumentSettings, file: Path) -> tuple[PrivateKey, Certificate]:
    password = settings.seal_password.get_secret_value() if settings.seal_password else None
    try:
        return from_pkcs12(file.read_bytes(), password)
    except OSError as error:
        raise SealUnusable(reason=f"{file} cannot be read") from error


def _load_or_generate(data_folder: Path) -> tuple[PrivateKey, Certificate]:
    key_pem, certificate_pem = generate_key_and_certificate(now())
    # Key and certificate share one file, so that two processes that start together cannot store parts of both pairs.
    return from_pem(_read_or_create(_seal_folder(data_folder) / _GENERATED_KEY, key_pem + certificate_pem))


def _seal_folder(data_folder: Path) -> Path:
    folder = data_folder / "seal"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def _read_or_create(path: Path, content: bytes) -> bytes:
    if not path.exists():
        write_once(path, content)
    return path.read_bytes()
