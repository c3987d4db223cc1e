"""Prepares a waiver's text for typst: parses Markdown, fills placeholders and detects the writing direction."""

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from cairn.waivers.documents.record import SignedRecord
from cairn.waivers.documents.rendering.markdown import Block, parse_markdown

# These lengths are in characters, and a line break counts as a whole line. The maximum is a third of a page of Latin
# text. It is that low because Chinese characters are twice as wide.
_LINE_LENGTH = 80
_MAX_LENGTH_BEFORE_SIGNATURE = 1200
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


def without_title(blocks: list[dict[str, Any]], title: str) -> list[dict[str, Any]]:
    """Leaves out a first heading that only repeats the title, because the document prints the title above the text."""
    if not blocks or blocks[0]["kind"] != "heading":
        return blocks
    heading = "".join(span["text"] for span in blocks[0]["items"][0])
    return blocks[1:] if heading == title else blocks


def _block_data(block: Block, fill: Callable[[str], str]) -> dict[str, Any]:
    items = [[{"kind": span.kind, "text": fill(span.text)} for span in item] for item in block.items]
    dirs = [text_direction("".join(span["text"] for span in item)) for item in items]
    return {"kind": block.kind, "number": block.number, "items": items, "dirs": dirs, "is_long": _is_long(items)}


def _is_long(items: list[list[dict[str, str]]]) -> bool:
    """Returns True if a paragraph may leave no space for a signature on its page."""
    line_lengths = (_LINE_LENGTH if span["kind"] == "break" else len(span["text"]) for item in items for span in item)
    return sum(line_lengths) > _MAX_LENGTH_BEFORE_SIGNATURE


def text_direction(text: str) -> str:
    """Returns the direction of the first character that has one, like `dir=auto` in a browser."""
    directions = (unicodedata.bidirectional(character) for character in text)
    first = next((kind for kind in directions if kind in ("L", "R", "AL")), "L")
    return "ltr" if first == "L" else "rtl"


def heading_data(template_name: str, company_name: str) -> dict[str, str]:
    """Returns what the letterhead and the title of every document print."""
    return {
        "company_name": company_name,
        "company_dir": text_direction(company_name),
        "monogram": _monogram(company_name),
        "template_name": template_name,
        "title_dir": text_direction(template_name),
    }


def _monogram(name: str) -> str:
    """Returns the initial of a name, or an empty text if it has none."""
    return next((character.upper()[0] for character in name if character.isalpha()), "")


def cjk_fonts(text: str) -> list[str]:
    """Returns fonts, the one for the language of the text first. Kana or hangul reveal the language.

    Chinese, Japanese and Korean fonts draw the same character differently.
    """
    names = [unicodedata.name(character, "") for character in set(text) if ord(character) > 0x1000]
    has_kana = any(name.startswith(("HIRAGANA", "KATAKANA")) for name in names)
    has_hangul = any(name.startswith("HANGUL") for name in names)
    first = "SC"
    if has_hangul:
        first = "KR"
    if has_kana:
        first = "JP"
    return [f"Noto Sans CJK {region}" for region in dict.fromkeys([first, "SC", "JP", "KR"])]
