"""The little Markdown that waivers need, read exactly as the signing page reads it (`markdown.ts` in web/app).

It knows no HTML and no links, so text can only ever become text; what it does not recognise stays as it was written,
because that is what gets signed. A test holds the two readers against each other.
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


def read(markdown: str) -> list[Block]:
    drafts: list[_Draft] = []
    last: _Draft | None = None
    for line in (text.strip() for text in re.split(r"\r\n?|\n", markdown)):
        if not line:
            last = None
            continue
        begun = _begin(line)
        if begun is not None and last is not None and _continues(last, begun):
            last.items += begun.items
        elif begun is None and last is not None:
            last.items[-1].append(line)
        else:
            last = begun or _Draft("paragraph", 1, [[line]])
            drafts.append(last)
        if last.kind in ("heading", "rule"):
            last = None
    return [Block(draft.kind, draft.number, [_read_lines(item) for item in draft.items]) for draft in drafts]


_HEADING = re.compile(r"(#{1,6})\s+(.+)")
_RULE = re.compile(r"-{3,}|\*{3,}")
_POINT = re.compile(r"[-*+•]\s+(.+)")
_CLAUSE = re.compile(r"([0-9]{1,6})[.)]\s+(.+)")


def _begin(line: str) -> _Draft | None:
    if heading := _HEADING.fullmatch(line):
        return _Draft("heading", len(heading[1]), [[heading[2]]])
    if _RULE.fullmatch(line):
        return _Draft("rule", 0)
    if point := _POINT.fullmatch(line):
        return _Draft("bullets", 0, [[point[1]]])
    clause = _CLAUSE.fullmatch(line)
    return _Draft("numbers", int(clause[1]), [[clause[2]]]) if clause else None


def _continues(before: _Draft, begun: _Draft) -> bool:
    """A number out of order starts a list of its own, so that every item shows the number its author gave it."""
    if before.kind != begun.kind:
        return False
    return before.kind == "bullets" or before.number + len(before.items) == begun.number


def _read_lines(lines: list[str]) -> list[Span]:
    spans: list[Span] = []
    for line in lines:
        if spans:
            spans.append(Span("break", "\n"))
        spans += _read_spans(line)
    return spans


# The browser's word characters are ASCII, so they are spelled out here.
_MARKS = re.compile(
    r"\\([\\*_#+-])"
    r"|\*\*(\S|\S.{0,400}?\S)\*\*"
    r"|\*([^\s*]|[^\s*].{0,400}?[^\s*])\*"
    r"|(^|[^A-Za-z0-9_])_([^\s_]|[^\s_].{0,400}?[^\s_])_(?![A-Za-z0-9_])"
)


def _read_spans(line: str) -> list[Span]:
    spans: list[Span] = []
    rest = line
    while found := _MARKS.search(rest):
        escaped, strong, starred, before, underlined = found.groups()
        plain = rest[: found.start()] + (before or "") + (escaped or "")
        emphasised = starred or underlined
        read_here = [("text", plain), ("strong", strong), ("emphasis", emphasised)]
        spans += [Span(kind, text) for kind, text in read_here if text]  # type: ignore[arg-type] # the three kinds above
        rest = rest[found.end() :]
    return [*spans, Span("text", rest)] if rest else spans
