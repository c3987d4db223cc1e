"""Removes characters that spoil a document or an email. `cairn.clean_text` in SQL removes the same, and says why."""

import re

_RARE_LINE_BREAKS = re.compile("[\x0b\x0c\x85\u2028\u2029]")
_UNUSABLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufeff\ufff9-\ufffb"
    + "".join(chr(plane * 0x10000 + last) for plane in range(17) for last in (0xFFFE, 0xFFFF))
    + "]"
)


def clean_text(text: str) -> str:
    return _UNUSABLE.sub("", _RARE_LINE_BREAKS.sub("\n", text))
