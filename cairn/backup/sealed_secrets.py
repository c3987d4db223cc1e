"""Encrypts the secrets of a backup with a key that scrypt derives from the passphrase (AES-256-GCM)."""

import base64
import json
from os import urandom

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from cairn.backup.errors import PassphraseWrong
from cairn.generated_secrets import Bundle
from cairn.kit import frozen_dataclass

_MAGIC = b"cairn secrets 1\n"
_SALT_BYTES, _NONCE_BYTES, _KEY_BYTES = 16, 12, 32
# These take 128 MB of memory and about half a second for each guess.
_SCRYPT_N, _SCRYPT_R, _SCRYPT_P = 2**17, 8, 1


@frozen_dataclass
class BackupSecrets:
    """What a backup must not contain in plain text, and the hash that shows whether the rest of it was changed."""

    settings: Bundle
    """The content of `secrets.json`."""

    seal_files: dict[str, bytes]
    manifest_sha256: str

    def encrypted(self, passphrase: str) -> bytes:
        seal_files = {name: base64.b64encode(content).decode() for name, content in self.seal_files.items()}
        plaintext = json.dumps(
            {"settings": self.settings, "seal_files": seal_files, "manifest_sha256": self.manifest_sha256}
        )
        salt, nonce = urandom(_SALT_BYTES), urandom(_NONCE_BYTES)
        ciphertext = AESGCM(_key(passphrase, salt)).encrypt(nonce, plaintext.encode(), _MAGIC)
        return _MAGIC + salt + nonce + ciphertext


def decrypt_secrets(content: bytes, passphrase: str) -> BackupSecrets:
    if not content.startswith(_MAGIC):
        raise PassphraseWrong
    body = content.removeprefix(_MAGIC)
    salt, nonce, ciphertext = body[:_SALT_BYTES], body[_SALT_BYTES:][:_NONCE_BYTES], body[_SALT_BYTES + _NONCE_BYTES :]
    try:
        plaintext = json.loads(AESGCM(_key(passphrase, salt)).decrypt(nonce, ciphertext, _MAGIC))
    except (InvalidTag, ValueError) as error:
        raise PassphraseWrong from error
    seal_files = {name: base64.b64decode(content) for name, content in plaintext["seal_files"].items()}
    return BackupSecrets(plaintext["settings"], seal_files, plaintext["manifest_sha256"])


def _key(passphrase: str, salt: bytes) -> bytes:
    return Scrypt(salt, _KEY_BYTES, _SCRYPT_N, _SCRYPT_R, _SCRYPT_P).derive(passphrase.encode())
