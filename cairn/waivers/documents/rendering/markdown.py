"""Parses the small subset of Markdown that waivers use, exactly like the signing page (`markdown.ts` in web/app).

There is no HTML and there are no links, so text can only ever become text. Unrecognised markup is kept as written,
because that is what the guest signs. A test compares the two parsers.
"""

import re
from dataclasses import dataclass, field
from typing import Literal

SpanKind = Literal["text", "strong", "emphasis", "break"]
BlockKind = Literal["heading", "paragraph", "bullets", "numbers", "rule"]


@dataclass(frozen=True, slots=True)
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
    kind: BlockKind
    number: int
    items: list[list[str]] = field(default_factory=list)


def parse_markdown(markdown: str) -> list[Block]:
    drafts: list[_Draft] = []
    last: _Draft | None = None
    for line in (text.strip() for text in re.split(r"\r\n?|\n", markdown)):
        if not line:
            last = None
            continue
        started = _start_block(line)
        if started is not None and last is not None and _continues(last, started):
            last.items += started.items
        elif started is None and last is not None:
            last.items[-1].append(line)
        else:
            last = started or _Draft("paragraph", 1, [[line]])
            drafts.append(last)
        if last.kind in ("heading", "rule"):
            last = None
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


def _continues(before: _Draft, started: _Draft) -> bool:
    """A number out of sequence starts a new list, so that every item shows the number its author gave it."""
    if before.kind != started.kind:
        return False
    return before.kind == "bullets" or before.number + len(before.items) == started.number


def _parse_lines(lines: list[str]) -> list[Span]:
    spans: list[Span] = []
    for line in lines:
        if spans:
            spans.append(Span("break", "\n"))
        spans += _parse_spans(line)
    return spans


# In the browser \w matches ASCII only, so the characters are listed here instead of using Python's \w.
_MARKS = re.compile(
    r"\\([\\*_#+-])"
    r"|\*\*(\S|\S.{0,400}?\S)\*\*"
    r"|\*([^\s*]|[^\s*].{0,400}?[^\s*])\*"
    r"|(^|[^A-Za-z0-9_])_([^\s_]|[^\s_].{0,400}?[^\s_])_(?![A-Za-z0-9_])"
)


def _parse_spans(line: str) -> list[Span]:
    spans: list[Span] = []
    rest = line
    while found := _MARKS.search(rest):
        escaped, strong, starred, before, underlined = found.groups()
        plain = rest[: found.start()] + (before or "") + (escaped or "")
        emphasised = starred or underlined
        parsed = [("text", plain), ("strong", strong), ("emphasis", emphasised)]
        spans += [Span(kind, text) for kind, text in parsed if text]  # type: ignore[arg-type] # the three kinds above
        rest = rest[found.end() :]
    return [*spans, Span("text", rest)] if rest else spans
