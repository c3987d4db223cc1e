"""Parses the small subset of Markdown that waivers use, exactly like the signing page (`markdown.ts` in web/app).

HTML and links are not supported, so a text cannot inject anything. Unrecognised markup is kept as written, because that
is what the guest signs. A test compares the two parsers.
"""

import re
from dataclasses import dataclass, field
from typing import Literal

from cairn.kit import frozen_dataclass

SpanKind = Literal["text", "strong", "emphasis", "break"]
BlockKind = Literal["heading", "paragraph", "bullets", "numbers", "rule"]


@frozen_dataclass
class Span:
    kind: SpanKind
    text: str


@dataclass(slots=True)
class Block:
    """`number` is a heading's level or the first number of a list."""

    kind: BlockKind
    number: int
    items: list[list[Span]]


@dataclass(slots=True)
class _Draft:
    """A block whose items are still lines of text."""

    kind: BlockKind
    number: int
    items: list[list[str]] = field(default_factory=list)


def parse_markdown(markdown: str) -> list[Block]:
    drafts: list[_Draft] = []
    last_block: _Draft | None = None
    for line in (text.strip() for text in re.split(r"\r\n?|\n", markdown)):
        if not line:
            last_block = None
            continue
        next_block = _start_block(line)
        if next_block is not None and last_block is not None and _continues(last_block, next_block):
            last_block.items += next_block.items
        elif next_block is None and last_block is not None:
            last_block.items[-1].append(line)
        else:
            last_block = next_block or _Draft("paragraph", 1, [[line]])
            drafts.append(last_block)
        if last_block.kind in ("heading", "rule"):
            last_block = None
    return [Block(draft.kind, draft.number, [_parse_lines(item) for item in draft.items]) for draft in drafts]


_HEADING = re.compile(r"(#{1,6})\s+(.+)")
_RULE = re.compile(r"-{3,}|\*{3,}")
_BULLET = re.compile(r"[-*+•]\s+(.+)")
_NUMBERED = re.compile(r"([0-9]{1,6})[.)]\s+(.+)")


def _start_block(line: str) -> _Draft | None:
    if heading := _HEADING.fullmatch(line):
        return _Draft("heading", len(heading[1]), [[heading[2]]])
    if _RULE.fullmatch(line):
        return _Draft("rule", 0)
    if bullet := _BULLET.fullmatch(line):
        return _Draft("bullets", 0, [[bullet[1]]])
    numbered = _NUMBERED.fullmatch(line)
    return _Draft("numbers", int(numbered[1]), [[numbered[2]]]) if numbered else None


def _continues(last_block: _Draft, next_block: _Draft) -> bool:
    """A number out of sequence starts a new list, so that every item shows the number its author gave it."""
    if last_block.kind != next_block.kind:
        return False
    return last_block.kind == "bullets" or last_block.number + len(last_block.items) == next_block.number


def _parse_lines(lines: list[str]) -> list[Span]:
    spans: list[Span] = []
    for line in lines:
        if spans:
            spans.append(Span("break", "\n"))
        spans += _parse_spans(line)
    return spans


# In the browser \w matches ASCII only, so the characters are listed here instead of using Python's \w.
_INLINE_MARKUP = re.compile(
    r"\\([\\*_#+-])"
    r"|\*\*(\S|\S.{0,400}?\S)\*\*"
    r"|\*([^\s*]|[^\s*].{0,400}?[^\s*])\*"
    r"|(^|[^A-Za-z0-9_])_([^\s_]|[^\s_].{0,400}?[^\s_])_(?![A-Za-z0-9_])"
)


def _parse_spans(line: str) -> list[Span]:
    spans: list[Span] = []
    remaining = line
    while match := _INLINE_MARKUP.search(remaining):
        escaped, strong, starred, before, underlined = match.groups()
        plain = remaining[: match.start()] + (before or "") + (escaped or "")
        emphasised = starred or underlined
        parsed = [("text", plain), ("strong", strong), ("emphasis", emphasised)]
        spans += [Span(kind, text) for kind, text in parsed if text]  # type: ignore[arg-type] # the three kinds above
        remaining = remaining[match.end() :]
    return [*spans, Span("text", remaining)] if remaining else spans
