"""Stores the seal's private key, and the certificates of all seals ever used, in the data folder."""

from collections.abc import Sequence
from pathlib import Path

from cryptography.x509 import Certificate, load_pem_x509_certificate

from cairn.kit import now, write_once
from cairn.waivers.documents.errors import SealUnusable
from cairn.waivers.documents.sealing.keys import PrivateKey, from_pem, from_pkcs12, new_seal
from cairn.waivers.documents.sealing.seal import Seal
from cairn.waivers.documents.settings import DocumentSettings

_GENERATED_KEY = "own.pem"
_CERTIFICATES = "*.crt"


def load_seal(data: Path, settings: DocumentSettings) -> Seal:
    """Load the configured seal or generate one on first use. Its certificate is kept for later verification."""
    key, certificate = _configured(settings, settings.seal_pkcs12) if settings.seal_pkcs12 else _generated(data)
    seal = Seal(key, certificate, settings.timestamp_url)
    _read_or_create(_folder(data) / f"{seal.fingerprint}.crt", seal.certificate_pem)
    return seal


def known_certificates(data: Path) -> Sequence[Certificate]:
    """The certificates of every seal this data folder has used."""
    return [load_pem_x509_certificate(file.read_bytes()) for file in sorted((data / "seal").glob(_CERTIFICATES))]


def _configured(settings: DocumentSettings, file: Path) -> tuple[PrivateKey, Certificate]:
    password = settings.seal_password.get_secret_value() if settings.seal_password else None
    try:
        return from_pkcs12(file.read_bytes(), password)
    except OSError as error:
        raise SealUnusable(reason=f"{file} cannot be read") from error


def _generated(data: Path) -> tuple[PrivateKey, Certificate]:
    private, certificate = new_seal(now())
    # Key and certificate share one file, so that two processes starting together cannot mix key and certificate.
    return from_pem(_read_or_create(_folder(data) / _GENERATED_KEY, private + certificate))


def _folder(data: Path) -> Path:
    folder = data / "seal"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def _read_or_create(path: Path, content: bytes) -> bytes:
    if not path.exists():
        write_once(path, content)
    return path.read_bytes()
