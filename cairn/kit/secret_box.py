"""Encrypts secrets with AES-GCM before they are stored, so that a copy of the database reveals none of them."""

import base64
import contextlib
import os
from collections.abc import Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

_NONCE_BYTES = 12


class DecryptionFailed(Exception):
    """The text was encrypted under another key or for another purpose, or it was altered."""


class SecretBox:
    """Derives a key for one purpose from the secret. Text encrypted for one purpose cannot be read for another.

    Text that was encrypted with one of `retired_secrets` can still be decrypted.
    """

    def __init__(self, secret: str, purpose: str, retired_secrets: Sequence[str] = ()) -> None:
        self._key = _derive(secret, purpose)
        self._retired_keys = [_derive(retired, purpose) for retired in retired_secrets]

    def encrypt(self, text: str) -> str:
        nonce = os.urandom(_NONCE_BYTES)
        return base64.b64encode(nonce + self._key.encrypt(nonce, text.encode(), None)).decode()

    def decrypt(self, encrypted: str) -> str:
        try:
            raw = base64.b64decode(encrypted, validate=True)
        except ValueError as error:
            raise DecryptionFailed from error
        for key in (self._key, *self._retired_keys):
            with contextlib.suppress(InvalidTag, ValueError):
                return key.decrypt(raw[:_NONCE_BYTES], raw[_NONCE_BYTES:], None).decode()
        raise DecryptionFailed


def _derive(secret: str, purpose: str) -> AESGCM:
    return AESGCM(HKDF(SHA256(), length=32, salt=None, info=purpose.encode()).derive(secret.encode()))
