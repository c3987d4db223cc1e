"""Validates object keys and bucket names. Blobs are stored under random names, so a key never becomes a path."""

import unicodedata

from cairn.storage.errors import InvalidBucketName, InvalidKey

_MAX_KEY_BYTES = 1024
_MAX_BUCKET_LENGTH = 100
_FORBIDDEN_SEGMENTS = frozenset({"", ".", ".."})
# These are control characters, halves of surrogate pairs, and line and paragraph separators.
_INVISIBLE_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})


def valid_key(text: str) -> str:
    """Returns the key with normalized accents, so that a name typed on macOS is found from Windows."""
    key = unicodedata.normalize("NFC", text)
    if not _is_plain(key) or len(key.encode(errors="replace")) > _MAX_KEY_BYTES:
        raise InvalidKey(key=text)
    return key


def valid_bucket_name(text: str) -> str:
    name = unicodedata.normalize("NFC", text)
    if not _is_plain(name) or "/" in name or len(name) > _MAX_BUCKET_LENGTH or name != name.strip():
        raise InvalidBucketName
    return name


def _is_plain(name: str) -> bool:
    if not _FORBIDDEN_SEGMENTS.isdisjoint(name.split("/")):
        return False
    return not any(unicodedata.category(character) in _INVISIBLE_CATEGORIES for character in name)
