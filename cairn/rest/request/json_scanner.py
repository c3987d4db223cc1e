"""Scans a large JSON body for the keys of its first object, without decoding its values."""

import json
import re

from cairn.kit import frozen_dataclass
from cairn.rest.errors import InvalidBody

MAX_KEYS = 1600
"""A table of PostgreSQL has no more columns than this, and a function has fewer arguments."""

MAX_TOKENS = 100_000
"""The limit for the strings and punctuation marks of the first object. Scanning this many takes about 0.03 seconds."""

# Strings are matched whole, so that brackets inside them are skipped. The quantifiers are possessive to rule out
# backtracking, since a string may be megabytes long. A string without an end is matched too: otherwise each quote
# inside it would be tried as the start of a string, and each of them to the end of the body.
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+("?)|[{}\[\],:]', re.DOTALL)
_START = re.compile(rb"\s*+(\[?)\s*+(\{)")
_WHITESPACE = re.compile(rb"\s*+")
_TOO_MANY = f"A row of a large body can have at most {MAX_KEYS} keys, and {MAX_TOKENS} strings and punctuation marks"
_OPENING, _CLOSING = frozenset(b"{["), frozenset(b"}]")


@frozen_dataclass
class JsonOutline:
    is_object: bool
    keys: tuple[str, ...]
    """The keys of the object, or of the first object in the list."""

    has_more: bool
    """True if the list has more than one element."""


def scan_json(body: bytes | bytearray) -> JsonOutline | None:
    """Returns None if the body is malformed, or is neither an object nor a list that starts with an object.

    Raises InvalidBody if the first object has too many keys or values.
    """
    start = _START.match(body)
    first_object = _first_object(body, start.start(2)) if start else None
    if start is None or first_object is None:
        return None
    keys, end = first_object
    whitespace = _WHITESPACE.match(body, end)
    next_character = body[whitespace.end() : whitespace.end() + 1] if whitespace else b""
    if not start[1]:
        return JsonOutline(True, keys, False) if not next_character else None
    return JsonOutline(False, keys, next_character == b",") if next_character in (b",", b"]") else None


def _first_object(body: bytes | bytearray, start: int) -> tuple[tuple[str, ...], int] | None:
    """Returns the keys of the object and the position after it."""
    depth, keys, expects_key = 0, dict[str, None](), False
    for number, token in enumerate(_TOKEN.finditer(body, start)):
        mark = body[token.start()]
        if number > MAX_TOKENS or len(keys) > MAX_KEYS:
            raise InvalidBody(reason=_TOO_MANY)
        if mark in _OPENING:
            depth += 1
            expects_key = depth == 1
        elif mark in _CLOSING:
            depth -= 1
            if depth == 0:
                return tuple(keys), token.end()
        elif mark == ord('"') and token.start(1) == token.end(1):
            return None
        elif depth == 1 and mark == ord('"') and expects_key:
            key = _decode_key(token[0])
            if key is None:
                return None
            keys[key], expects_key = None, False
        elif depth == 1 and mark == ord(","):
            expects_key = True
    return None


def _decode_key(token: bytes) -> str | None:
    try:
        return str(json.loads(token))
    except ValueError:
        return None
