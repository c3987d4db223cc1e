"""Scans a large JSON body for the keys of its first object, without decoding its values."""

import json
import re

from cairn.kit import frozen_dataclass

# Strings are matched whole, so that brackets inside them are skipped. The quantifiers are possessive to rule out
# backtracking, since a string may be megabytes long.
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\],:]', re.DOTALL)
_START = re.compile(rb"\s*+(\[?)\s*+(\{)")
_WHITESPACE = re.compile(rb"\s*+")
_OPENING, _CLOSING = frozenset(b"{["), frozenset(b"}]")


@frozen_dataclass
class JsonOutline:
    is_object: bool
    keys: tuple[str, ...]
    """The keys of the object, or of the first object in the list."""

    has_more: bool
    """True if the list has more than one element."""


def scan_json(body: bytes | bytearray) -> JsonOutline | None:
    """Returns None if the body is malformed, or is neither an object nor a list of objects. Then it must be decoded."""
    start = _START.match(body)
    if start is None:
        return None
    first_object = _first_object(body, start.start(2))
    # Rows without keys have to be counted, so the whole body must be decoded.
    if first_object is None or not first_object[0]:
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
    for token in _TOKEN.finditer(body, start):
        mark = body[token.start()]
        if mark in _OPENING:
            depth += 1
            expects_key = depth == 1
        elif mark in _CLOSING:
            depth -= 1
            if depth == 0:
                return tuple(keys), token.end()
        elif depth == 1 and mark == ord(","):
            expects_key = True
        elif depth == 1 and mark == ord('"') and expects_key:
            key = _decode_key(token[0])
            if key is None:
                return None
            keys[key], expects_key = None, False
    return None


def _decode_key(token: bytes) -> str | None:
    try:
        return str(json.loads(token))
    except ValueError:
        return None
