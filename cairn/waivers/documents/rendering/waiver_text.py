"""Prepares a waiver's text for the template: parses Markdown, fills placeholders and detects the writing direction."""

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from cairn.waivers.documents.record import SignedRecord
from cairn.waivers.documents.rendering.markdown import Block, parse_markdown

_PLACEHOLDER = re.compile(r"\[(PARTICIPANT|COMPANY) NAME\]")


def signed_text_blocks(record: SignedRecord) -> list[dict[str, Any]]:
    """Markdown is parsed before names are filled in, as on the signing page, so a name is never taken for markup."""
    names = {"PARTICIPANT": record.signer_name, "COMPANY": record.company_name}
    if fill_placeholders(record.template_content, names) != record.content:
        # The record was signed before company names were stored with it. The stored text is the one that counts.
        return text_blocks(record.content, lambda text: text)
    return text_blocks(record.template_content, lambda text: fill_placeholders(text, names))


def fill_placeholders(text: str, names: dict[str, str]) -> str:
    return _PLACEHOLDER.sub(lambda placeholder: names[placeholder[1]], text)


def text_blocks(markdown: str, fill: Callable[[str], str]) -> list[dict[str, Any]]:
    return [_block_data(block, fill) for block in parse_markdown(markdown)]


def _block_data(block: Block, fill: Callable[[str], str]) -> dict[str, Any]:
    items = [[{"kind": span.kind, "text": fill(span.text)} for span in item] for item in block.items]
    dirs = [text_direction("".join(span["text"] for span in item)) for item in items]
    return {"kind": block.kind, "number": block.number, "items": items, "dirs": dirs}


def text_direction(text: str) -> str:
    """Returns the direction of the first character that has one, like `dir=auto` in a browser."""
    directions = (unicodedata.bidirectional(character) for character in text)
    first = next((kind for kind in directions if kind in ("L", "R", "AL")), "L")
    return "ltr" if first == "L" else "rtl"


def cjk_fonts(text: str) -> list[str]:
    """Chinese, Japanese and Korean draw the same character differently. Kana or hangul reveal the language."""
    names = [unicodedata.name(character, "") for character in set(text) if ord(character) > 0x1000]
    has_kana = any(name.startswith(("HIRAGANA", "KATAKANA")) for name in names)
    has_hangul = any(name.startswith("HANGUL") for name in names)
    first = "SC"
    if has_hangul:
        first = "KR"
    if has_kana:
        first = "JP"
    return [f"Noto Sans CJK {region}" for region in dict.fromkeys([first, "SC", "JP", "KR"])]
