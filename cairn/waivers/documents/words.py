"""The waiver's words, ready for the page: read as Markdown, filled in, and each with its direction."""

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from cairn.waivers.documents.markdown import Block, read
from cairn.waivers.documents.record import Record

_BLANK = re.compile(r"\[(PARTICIPANT|COMPANY) NAME\]")


def filled_blocks(record: Record) -> list[dict[str, Any]]:
    """Markdown first, names after, as on the page: a guest called `**` stays a guest."""
    names = {"PARTICIPANT": record.signer_name, "COMPANY": record.company_name}
    if fill(record.template_content, names) != record.content:
        # Signed before the company's name was kept with the record; the stored words are what counts.
        return blocks_of(record.content, lambda text: text)
    return blocks_of(record.template_content, lambda text: fill(text, names))


def fill(text: str, names: dict[str, str]) -> str:
    return _BLANK.sub(lambda blank: names[blank[1]], text)


def blocks_of(markdown: str, filled: Callable[[str], str]) -> list[dict[str, Any]]:
    return [_block(block, filled) for block in read(markdown)]


def _block(block: Block, filled: Callable[[str], str]) -> dict[str, Any]:
    items = [[{"kind": span.kind, "text": filled(span.text)} for span in item] for item in block.items]
    dirs = [direction("".join(span["text"] for span in item)) for item in items]
    return {"kind": block.kind, "number": block.number, "items": items, "dirs": dirs}


def direction(text: str) -> str:
    """As a browser's `dir=auto`: that of the first character that has one."""
    strong = (unicodedata.bidirectional(letter) for letter in text)
    first = next((kind for kind in strong if kind in ("L", "R", "AL")), "L")
    return "ltr" if first == "L" else "rtl"


def cjk_faces(text: str) -> list[str]:
    """Chinese, Japanese and Korean draw the same character differently; kana and hangul tell which is meant."""
    names = [unicodedata.name(letter, "") for letter in set(text) if ord(letter) > 0x1000]
    kana = any(name.startswith(("HIRAGANA", "KATAKANA")) for name in names)
    hangul = any(name.startswith("HANGUL") for name in names)
    first = "JP" if kana else "KR" if hangul else "SC"
    return [f"Noto Sans CJK {face}" for face in dict.fromkeys([first, "SC", "JP", "KR"])]
