"""Counts the segments of a text message. Gateways charge per segment, and characters outside GSM 03.38 need more."""

import re
import unicodedata

# The GSM 03.38 alphabet. The characters of the extension table are encoded as two.
_BASIC = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
_EXTENDED = frozenset("^{}\\[~]|€")
_MOST_SEGMENTS = 2
_LONGEST_NAME = 40
# Phones turn anything that looks like an address into a link, even inside a company name.
_INSIDE_ADDRESS = re.compile(r"[./:@]+(?=\S)")


def segments(text: str) -> int:
    if all(character in _BASIC or character in _EXTENDED for character in text):
        return _count(sum(1 if character in _BASIC else 2 for character in text), single=160, concatenated=153)
    return _count(len(text.encode("utf-16-le")) // 2, single=70, concatenated=67)


def _count(length: int, *, single: int, concatenated: int) -> int:
    return 1 if length <= single else -(-length // concatenated)


def with_sender_name(name: str, text: str) -> str:
    """Puts the name before the text, shortened so that the message fits into two segments."""
    name = plain_name(name)
    while name and segments(f"{name}: {text}") > _MOST_SEGMENTS:
        name = name[:-1].rstrip()
    return f"{name}: {text}" if name else text[:1].upper() + text[1:]


def plain_name(name: str) -> str:
    """One line, without anything that a phone would turn into a link, in GSM characters where possible."""
    printable = "".join(character if character.isprintable() else " " for character in name)
    one_line = " ".join(_INSIDE_ADDRESS.sub(" ", printable).split())
    return "".join(map(_gsm_character, one_line))[:_LONGEST_NAME].strip()


def _gsm_character(character: str) -> str:
    """Replaces `í` by `i`, because one character outside GSM 03.38 can double the cost of the message."""
    if character in _BASIC or character in _EXTENDED:
        return character
    base = unicodedata.normalize("NFKD", character)[0]
    return base if base in _BASIC else character
