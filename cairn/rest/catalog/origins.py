"""Finds the table column that each view column comes from, in the rewrite rule that PostgreSQL stores for the view."""

import re
from collections.abc import Iterator

_ORIGIN = re.compile(r":resno (\d+) .*?:resorigtbl (\d+) :resorigcol (\d+)", re.DOTALL)
_TOKEN = re.compile(r"\\.|[{}]", re.DOTALL)


def column_origins(rule: str) -> dict[int, tuple[int, int]]:
    """Maps each column number of the view to a table and a column number. Computed columns have no origin.

    Only the outermost query matters. The rule also contains the target lists of subqueries, nested in more braces.
    """
    origins: dict[int, tuple[int, int]] = {}
    for entry in _outermost_entries(rule):
        match = _ORIGIN.search(entry)
        if match and match[2] != "0":
            origins[int(match[1])] = (int(match[2]), int(match[3]))
    return origins


def _outermost_entries(rule: str) -> Iterator[str]:
    """Yields the text of each target entry of the outermost query, without nested braces.

    The braces of this query have depth 1, and those of its target entries have depth 2.
    """
    depth, piece_start = 0, 0
    pieces: list[str] = []
    for token in _TOKEN.finditer(rule):
        if token[0] == "{":
            if depth == 2:
                pieces.append(rule[piece_start : token.start()])
            depth += 1
            if depth == 2:
                pieces, piece_start = [], token.end()
        elif token[0] == "}":
            depth -= 1
            if depth == 2:
                piece_start = token.end()
            elif depth == 1:
                entry = "".join((*pieces, rule[piece_start : token.start()]))
                if entry.startswith("TARGETENTRY"):
                    yield entry
