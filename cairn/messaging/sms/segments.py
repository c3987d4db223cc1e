"""Shortens text messages, because gateways charge per segment.

A segment has 160 characters of the GSM 03.38 alphabet. If a message contains any other character, only 70 fit.
"""

import re
import unicodedata
from math import ceil

# These two sets are the GSM 03.38 alphabet. Each character of the second set takes the space of two.
_BASIC = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
_EXTENDED = frozenset("^{}\\[~]|€")
_MAX_SEGMENTS = 2
_MAX_NAME_LENGTH = 40
# Phones turn anything that looks like a web or email address into a link, even inside a company name.
_INSIDE_ADDRESS = re.compile(r"[./:@]+(?=\S)")


def count_segments(text: str) -> int:
    if all(character in _BASIC or character in _EXTENDED for character in text):
        return _segments_for(sum(1 if character in _BASIC else 2 for character in text), single=160, concatenated=153)
    return _segments_for(len(text.encode("utf-16-le")) // 2, single=70, concatenated=67)


def _segments_for(length: int, *, single: int, concatenated: int) -> int:
    return 1 if length <= single else ceil(length / concatenated)


def with_sender_name(name: str, text: str) -> str:
    """Puts the name before the text. The name is shortened so that the message fits into two segments."""
    name = plain_name(name)
    while name and count_segments(f"{name}: {text}") > _MAX_SEGMENTS:
        name = name[:-1].rstrip()
    return f"{name}: {text}" if name else text[:1].upper() + text[1:]


def plain_name(name: str) -> str:
    """Returns the name in one line and without links. GSM characters replace others where possible."""
    printable = "".join(character if character.isprintable() else " " for character in name)
    one_line = " ".join(_INSIDE_ADDRESS.sub(" ", printable).split())
    return "".join(map(_gsm_character, one_line))[:_MAX_NAME_LENGTH].strip()


def _gsm_character(character: str) -> str:
    """Replaces, for example, `í` by `i`. A single character outside GSM 03.38 can double the cost of the message."""
    if character in _BASIC or character in _EXTENDED:
        return character
    base = unicodedata.normalize("NFKD", character)[0]
    return base if base in _BASIC else character
