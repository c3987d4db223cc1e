"""Where documents lie: put there once, encrypted, and never replaced."""

import os
import secrets
from pathlib import Path
from typing import Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from cairn.waivers.documents.errors import DocumentDamaged

_NONCE_BYTES = 12


class Shelf(Protocol):
    def put(self, path: str, document: bytes) -> bytes:
        """What lies at the path from now on: these bytes, or those that were put there before."""

    def get(self, path: str) -> bytes | None: ...


class FolderShelf:
    """Files in a folder, each sealed with AES-GCM under its own path, so that two cannot change places."""

    def __init__(self, folder: Path, key: bytes) -> None:
        self._folder = folder
        self._cipher = AESGCM(key)

    def put(self, path: str, document: bytes) -> bytes:
        file = self._folder / path
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        nonce = secrets.token_bytes(_NONCE_BYTES)
        if not write_once(file, nonce + self._cipher.encrypt(nonce, document, path.encode())):
            kept = self.get(path)
            assert kept is not None, "nothing is ever taken off the shelf"
            return kept
        return document

    def get(self, path: str) -> bytes | None:
        try:
            stored = (self._folder / path).read_bytes()
        except FileNotFoundError:
            return None
        try:
            return self._cipher.decrypt(stored[:_NONCE_BYTES], stored[_NONCE_BYTES:], path.encode())
        except InvalidTag as wrong:
            raise DocumentDamaged(path=path, reason="it cannot be decrypted") from wrong


def write_once(path: Path, content: bytes) -> bool:
    """Whole or not at all, and safe on the disk; false when something was there before. A hard link decides races."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, path)
    except FileExistsError:
        return False
    finally:
        draft.unlink()
    return True
