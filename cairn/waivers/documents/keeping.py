"""The key of the seal and the certificates of all seals, as they lie in the data folder."""

import os
import secrets
from collections.abc import Sequence
from pathlib import Path

from cryptography.x509 import Certificate, load_pem_x509_certificate

from cairn.kit import now
from cairn.waivers.documents.errors import SealUnusable
from cairn.waivers.documents.keys import PrivateKey, from_pem, from_pkcs12, new_seal
from cairn.waivers.documents.seal import Seal
from cairn.waivers.documents.settings import DocumentSettings

_OWN = "own.pem"
_CERTIFICATES = "*.crt"


def load_seal(data: Path, settings: DocumentSettings) -> Seal:
    """The configured one, or our own, made on first use. Its certificate is kept for whoever verifies later."""
    key, certificate = _configured(settings, settings.seal_pkcs12) if settings.seal_pkcs12 else _own(data)
    seal = Seal(key, certificate, settings.timestamp_url)
    _once(_folder(data) / f"{seal.fingerprint}.crt", seal.certificate_pem)
    return seal


def known_certificates(data: Path) -> Sequence[Certificate]:
    """Of every seal this data folder has used."""
    return [load_pem_x509_certificate(file.read_bytes()) for file in sorted((data / "seal").glob(_CERTIFICATES))]


def _configured(settings: DocumentSettings, file: Path) -> tuple[PrivateKey, Certificate]:
    password = settings.seal_password.get_secret_value() if settings.seal_password else None
    try:
        return from_pkcs12(file.read_bytes(), password)
    except OSError as error:
        raise SealUnusable(reason=f"{file} cannot be read") from error


def _own(data: Path) -> tuple[PrivateKey, Certificate]:
    private, certificate = new_seal(now())
    # One file, so that two processes that start at once end up with the same key and its own certificate.
    return from_pem(_once(_folder(data) / _OWN, private + certificate))


def _folder(data: Path) -> Path:
    folder = data / "seal"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def _once(path: Path, content: bytes) -> bytes:
    """What the file holds from now on: the content, unless there was one before."""
    if not path.exists():
        _write_once(path, content)
    return path.read_bytes()


def _write_once(path: Path, content: bytes) -> None:
    """Whole or not at all, and safe on the disk. A hard link decides races."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
