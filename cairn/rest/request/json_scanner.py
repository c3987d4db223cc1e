"""The outline of a large json body, found without reading its values into memory."""

import json
import re
from dataclasses import dataclass

# Strings whole, so that what stands inside them opens and closes nothing. Nothing is ever given back: the quantifiers
# are possessive, since a string may be megabytes long.
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\],:]', re.DOTALL)
_START = re.compile(rb"\s*+(\[?)\s*+(\{)")
_BLANK = re.compile(rb"\s*+")
_DEEPER, _SHALLOWER = frozenset(b"{["), frozenset(b"}]")


@dataclass(frozen=True, slots=True)
class JsonOutline:
    is_object: bool
    keys: tuple[str, ...]
    """Of the object, or of the first in the list."""

    more: bool
    """Whether the list goes on after its first object."""


def scan_json(body: bytes | bytearray) -> JsonOutline | None:
    """None for what has no outline of this kind, or is broken: a full reading will say what it is."""
    start = _START.match(body)
    if start is None:
        return None
    found = _first_object(body, start.start(2))
    # Without keys, rows are counted, and for that they have to be read.
    if found is None or not found[0]:
        return None
    keys, end = found
    after = _BLANK.match(body, end)
    rest = body[after.end() : after.end() + 1] if after else b""
    if not start[1]:
        return JsonOutline(True, keys, False) if not rest else None
    return JsonOutline(False, keys, rest == b",") if rest in (b",", b"]") else None


def _first_object(body: bytes | bytearray, start: int) -> tuple[tuple[str, ...], int] | None:
    """Its keys, and where it ends."""
    depth, names, expects_name = 0, dict[str, None](), False
    for token in _TOKEN.finditer(body, start):
        mark = body[token.start()]
        if mark in _DEEPER:
            depth += 1
            expects_name = depth == 1
        elif mark in _SHALLOWER:
            depth -= 1
            if depth == 0:
                return tuple(names), token.end()
        elif depth == 1 and mark == ord(","):
            expects_name = True
        elif depth == 1 and mark == ord('"') and expects_name:
            name = _name(token[0])
            if name is None:
                return None
            names[name], expects_name = None, False
    return None


def _name(token: bytes) -> str | None:
    try:
        return str(json.loads(token))
    except ValueError:
        return None
