"""How objects and buckets may be called. Bytes are filed under names of our own, so a key never becomes a path."""

import unicodedata

from cairn.storage.errors import InvalidBucketName, InvalidKey

_LONGEST_KEY = 1024
_LONGEST_BUCKET = 100
_POINTS_ELSEWHERE = frozenset({"", ".", ".."})
# Control characters, halves of surrogate pairs, line and paragraph separators.
_INVISIBLE = frozenset({"Cc", "Cs", "Zl", "Zp"})


def object_key(asked: str) -> str:
    """In one spelling per accent, so that what was typed on a Mac is found from Windows."""
    key = unicodedata.normalize("NFC", asked)
    if not _is_plain(key) or len(key.encode(errors="replace")) > _LONGEST_KEY:
        raise InvalidKey(key=asked)
    return key


def bucket_name(asked: str) -> str:
    name = unicodedata.normalize("NFC", asked)
    if not _is_plain(name) or "/" in name or len(name) > _LONGEST_BUCKET or name != name.strip():
        raise InvalidBucketName
    return name


def _is_plain(name: str) -> bool:
    if not _POINTS_ELSEWHERE.isdisjoint(name.split("/")):
        return False
    return not any(unicodedata.category(character) in _INVISIBLE for character in name)
