"""Encryption at rest, in pieces, so that a part of a large file can be read without the rest.

A sealed blob is a salt and then pieces of 64 KiB, each AES-256-GCM under a key of this blob's own. A nonce counts the
pieces and marks the last one: pieces can be neither swapped, dropped nor taken from another blob without being noticed.
"""

from collections.abc import AsyncIterator
from os import urandom
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

PIECE = 64 * 1024
TAG = 16
SALT = 16


class DecryptionFailed(Exception):
    """What lies on the blob_store is not what was put there."""


class BlobCipher:
    def __init__(self, master_key: bytes) -> None:
        self._master_key = master_key

    def cipher(self, version: UUID, salt: bytes) -> AESGCM:
        derived = HKDF(SHA256(), 32, salt=salt, info=b"cairn storage " + version.bytes)
        return AESGCM(derived.derive(self._master_key))

    async def sealed(self, version: UUID, source: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        salt = urandom(SALT)
        cipher = self.cipher(version, salt)
        yield salt
        number, waiting = 0, bytearray()
        async for chunk in source:
            waiting += chunk
            # One piece is always held back: only at the end is it known which one was the last.
            while len(waiting) > PIECE:
                yield cipher.encrypt(nonce(number, last=False), bytes(waiting[:PIECE]), None)
                del waiting[:PIECE]
                number += 1
        yield cipher.encrypt(nonce(number, last=True), bytes(waiting), None)


async def opened(
    cipher: AESGCM, source: AsyncIterator[bytes], *, first: int, final: int, size: int
) -> AsyncIterator[bytes]:
    """The plain text of the pieces from `first` to `final` of a blob of this plain size."""
    last = last_piece(size)
    number, waiting = first, bytearray()
    async for chunk in source:
        waiting += chunk
        while number <= final and len(waiting) >= (length := _length(number, size)):
            yield _opened(cipher, number, bytes(waiting[:length]), last=number == last)
            del waiting[:length]
            number += 1
    if number <= final:
        raise DecryptionFailed


def _length(number: int, size: int) -> int:
    return TAG + min(PIECE, size - number * PIECE)


def _opened(cipher: AESGCM, number: int, piece: bytes, *, last: bool) -> bytes:
    try:
        return cipher.decrypt(nonce(number, last=last), piece, None)
    except InvalidTag as changed:
        raise DecryptionFailed from changed


def nonce(number: int, *, last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([last])


def last_piece(size: int) -> int:
    return max(0, (size - 1) // PIECE)


def pieces(start: int, end: int) -> tuple[int, int]:
    """The first and the final piece that hold the plain bytes from `start` up to `end`."""
    return start // PIECE, max(start, end - 1) // PIECE


def sealed_range(first: int, final: int, size: int) -> tuple[int, int]:
    """Where those pieces lie in the sealed blob."""
    return SALT + first * (PIECE + TAG), SALT + final * (PIECE + TAG) + _length(final, size)
