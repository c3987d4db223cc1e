"""Encrypts blobs in pieces, so that a range of a large file can be read without decrypting all of it.

A sealed blob is a salt followed by pieces of 64 KiB, each encrypted with AES-256-GCM under a key derived for this blob.
The nonce contains the number of the piece and marks the last one, so decryption fails if pieces were swapped, dropped
or taken from another blob.
"""

import contextlib
from collections.abc import AsyncIterator, Sequence
from os import urandom
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

PIECE_BYTES = 64 * 1024
TAG_BYTES = 16
SALT_BYTES = 16


class DecryptionFailed(Exception):
    """The stored bytes are not the bytes that were written."""


class BlobCipher:
    """Encrypts with the first of the keys. Blobs that were encrypted with one of the others can be decrypted too."""

    def __init__(self, master_keys: Sequence[bytes]) -> None:
        self._master_keys = master_keys

    def ciphers_for(self, version: UUID, salt: bytes) -> list[AESGCM]:
        return [_cipher(key, version, salt) for key in self._master_keys]

    async def encrypt(self, version: UUID, source: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        salt = urandom(SALT_BYTES)
        cipher = _cipher(self._master_keys[0], version, salt)
        yield salt
        number, buffer = 0, bytearray()
        async for chunk in source:
            buffer += chunk
            # The current piece is held back, because only the end of the source shows which piece is the last.
            while len(buffer) > PIECE_BYTES:
                yield cipher.encrypt(nonce(number, is_last=False), bytes(buffer[:PIECE_BYTES]), None)
                del buffer[:PIECE_BYTES]
                number += 1
        yield cipher.encrypt(nonce(number, is_last=True), bytes(buffer), None)


def _cipher(master_key: bytes, version: UUID, salt: bytes) -> AESGCM:
    return AESGCM(HKDF(SHA256(), 32, salt=salt, info=b"cairn storage " + version.bytes).derive(master_key))


async def decrypt_pieces(
    ciphers: Sequence[AESGCM], source: AsyncIterator[bytes], *, first: int, last: int, size: int
) -> AsyncIterator[bytes]:
    """Decrypts the pieces from `first` to `last` of a blob with `size` bytes of plaintext."""
    number, buffer = first, bytearray()
    async for chunk in source:
        buffer += chunk
        while number <= last:
            length = _encrypted_length(number, size)
            if len(buffer) < length:
                break
            yield _decrypt_piece(ciphers, number, bytes(buffer[:length]), is_last=number == last_piece_of(size))
            del buffer[:length]
            number += 1
    if number <= last:
        raise DecryptionFailed


def _encrypted_length(number: int, size: int) -> int:
    return TAG_BYTES + min(PIECE_BYTES, size - number * PIECE_BYTES)


def _decrypt_piece(ciphers: Sequence[AESGCM], number: int, piece: bytes, *, is_last: bool) -> bytes:
    for cipher in ciphers:
        with contextlib.suppress(InvalidTag):
            return cipher.decrypt(nonce(number, is_last=is_last), piece, None)
    raise DecryptionFailed


def nonce(number: int, *, is_last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([is_last])


def last_piece_of(size: int) -> int:
    return max(0, (size - 1) // PIECE_BYTES)


def piece_range(start: int, end: int) -> tuple[int, int]:
    """Returns the first and the last piece of the plaintext range from `start` to `end` (exclusive)."""
    return start // PIECE_BYTES, max(start, end - 1) // PIECE_BYTES


def encrypted_range(first: int, last: int, size: int) -> tuple[int, int]:
    """Returns the byte range of these pieces within the sealed blob."""
    piece_bytes = PIECE_BYTES + TAG_BYTES
    start = SALT_BYTES + first * piece_bytes
    end = SALT_BYTES + last * piece_bytes + _encrypted_length(last, size)
    return start, end
