"""What a text message costs: gateways charge by the segment, and into one fit fewer letters of other alphabets."""

import re
import unicodedata

# GSM 03.38. Those in the second line cost two.
_ONE = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
_TWO = frozenset("^{}\\[~]|€")
_MOST_SEGMENTS = 2
_LONGEST_NAME = 40
# Phones make links of what looks like an address, also when it is somebody's name.
_INSIDE_ADDRESS = re.compile(r"[./:@]+(?=\S)")


def segments(text: str) -> int:
    if all(letter in _ONE or letter in _TWO for letter in text):
        return _parts(sum(1 if letter in _ONE else 2 for letter in text), alone=160, together=153)
    return _parts(len(text.encode("utf-16-le")) // 2, alone=70, together=67)


def _parts(length: int, *, alone: int, together: int) -> int:
    return 1 if length <= alone else -(-length // together)


def with_sender_name(name: str, words: str) -> str:
    """`words` in somebody's name, which is cut where the whole would not fit into two segments."""
    name = plain_name(name)
    while name and segments(f"{name}: {words}") > _MOST_SEGMENTS:
        name = name[:-1].rstrip()
    return f"{name}: {words}" if name else words[:1].upper() + words[1:]


def plain_name(name: str) -> str:
    """One line, without anything a phone would make a link of, in the gateway's alphabet where that can be read."""
    printable = "".join(letter if letter.isprintable() else " " for letter in name)
    words = " ".join(_INSIDE_ADDRESS.sub(" ", printable).split())
    return "".join(map(_plain, words))[:_LONGEST_NAME].strip()


def _plain(letter: str) -> str:
    """`í` as `i`: one such letter would make the message cost twice."""
    if letter in _ONE or letter in _TWO:
        return letter
    base = unicodedata.normalize("NFKD", letter)[0]
    return base if base in _ONE else letter
