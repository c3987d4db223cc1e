"""Validates object keys and bucket names. Blobs are stored under random names, so a key never becomes a path."""

import unicodedata

from cairn.storage.errors import InvalidBucketName, InvalidKey

_MAX_KEY_BYTES = 1024
_MAX_BUCKET_LENGTH = 100
# Normalizing a long text with many accents takes minutes, in which no other request is handled. So a text with more
# characters than this is refused before it is normalized. In a bucket name, each character may be followed by a few
# accents, which are characters of their own.
_MAX_TYPED_KEY_LENGTH = _MAX_KEY_BYTES
_MAX_TYPED_BUCKET_LENGTH = 4 * _MAX_BUCKET_LENGTH
_FORBIDDEN_SEGMENTS = frozenset({"", ".", ".."})
# These are control characters, halves of surrogate pairs, and line and paragraph separators.
_INVISIBLE_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})


def valid_key(text: str) -> str:
    """Returns the key with normalized accents, so that a name typed on macOS is found from Windows."""
    if len(text) > _MAX_TYPED_KEY_LENGTH:
        raise InvalidKey(key=text)
    key = unicodedata.normalize("NFC", text)
    if not _is_plain(key) or len(key.encode(errors="replace")) > _MAX_KEY_BYTES:
        raise InvalidKey(key=text)
    return key


def valid_bucket_name(text: str) -> str:
    if len(text) > _MAX_TYPED_BUCKET_LENGTH:
        raise InvalidBucketName
    name = unicodedata.normalize("NFC", text)
    if not _is_plain(name) or "/" in name or len(name) > _MAX_BUCKET_LENGTH or name != name.strip():
        raise InvalidBucketName
    return name


def _is_plain(name: str) -> bool:
    if not _FORBIDDEN_SEGMENTS.isdisjoint(name.split("/")):
        return False
    return not any(unicodedata.category(character) in _INVISIBLE_CATEGORIES for character in name)
