"""The `filter` of a subscription: `column=operator.value`, several joined by commas, each perhaps negated by `not.`

Postgres itself decides what passes, so comparison, patterns and types mean here what they mean in a query. What is not
understood is refused, never ignored.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from cairn.db import literal
from cairn.realtime.errors import InvalidFilter
from cairn.realtime.table import Column, Table

_COMPARED = {"eq": "=", "neq": "<>", "lt": "<", "lte": "<=", "gt": ">", "gte": ">=", "isdistinct": "is distinct from"}
_PATTERNS = {"like": "like", "ilike": "ilike", "match": "~", "imatch": "~*"}
_STATES = {"null": "null", "not_null": "not null", "true": "true", "false": "false", "unknown": "unknown"}
_BACKREFERENCE = re.compile(r"\\[1-9]")


@dataclass(frozen=True, slots=True)
class Filter:
    """`sql` is true of a row named `shown` that passes; `trial` can be tried without any row."""

    sql: str
    trial: str
    columns: frozenset[str]


def parse_filter(text: str, table: Table) -> Filter:
    try:
        conditions = [_condition(part, table) for part in _split(text)]
    except ValueError as unreadable:
        raise InvalidFilter(filter=text, why=str(unreadable)) from unreadable
    return Filter(
        sql=" and ".join(sql for _, sql, _ in conditions),
        trial=" and ".join(trial for _, _, trial in conditions),
        columns=frozenset(column for column, _, _ in conditions),
    )


def _condition(part: str, table: Table) -> tuple[str, str, str]:
    name, equals, rest = part.partition("=")
    negated = rest.startswith("not.")
    operator, dot, value = rest.removeprefix("not.").partition(".")
    if not equals or not dot:
        raise ValueError("expected column=operator.value")
    column = table.by_name.get(name)
    if column is None:
        raise ValueError(f"there is no column {name}")
    sql, trial = _compared(column, operator, value)
    return (name, f"not ({sql})", f"not ({trial})") if negated else (name, f"({sql})", f"({trial})")


def _compared(column: Column, operator: str, value: str) -> tuple[str, str]:
    subject, nothing = f"shown.{column.sql}", f"null::{column.type_sql}"
    if operator in _PATTERNS:
        pattern = _unquoted(value)
        if operator.endswith("match") and _BACKREFERENCE.search(pattern):
            raise ValueError("patterns that refer back to themselves are not supported")
        # Tried on a text, because a comparison with null would not even look at the pattern.
        right = f"{_PATTERNS[operator]} {literal(pattern)}"
        return f"{subject}::text {right}", f"''::text {right}"
    right = _right_side(column, operator, value)
    return f"{subject} {right}", f"{nothing} {right}"


def _right_side(column: Column, operator: str, value: str) -> str:
    if operator in _COMPARED:
        return f"{_COMPARED[operator]} {literal(_unquoted(value))}::{column.type_sql}"
    if operator == "is":
        if value.lower() not in _STATES:
            raise ValueError(f"is takes one of {', '.join(_STATES)}")
        return f"is {_STATES[value.lower()]}"
    if operator == "in":
        if not (value.startswith("(") and value.endswith(")")):
            raise ValueError("expected in.(a,b)")
        values = ", ".join(literal(_unquoted(each)) for each in _split(value[1:-1]))
        return f"= any (array[{values}]::{column.type_sql}[])"
    raise ValueError(f"there is no operator {operator}")


def _split(text: str) -> Iterator[str]:
    """At commas, but not inside quotes or brackets."""
    piece, quoted, depth, escaped = "", False, 0, False
    for character in text:
        if escaped:
            escaped = False
        elif quoted and character == "\\":
            escaped = True
        elif character == '"':
            quoted = not quoted
        elif not quoted and character in "()":
            depth += 1 if character == "(" else -1
        elif not quoted and depth == 0 and character == ",":
            yield piece
            piece = ""
            continue
        piece += character
    if quoted or depth:
        raise ValueError("a quote or bracket is not closed")
    yield piece


def _unquoted(value: str) -> str:
    if len(value) < 2 or not (value.startswith('"') and value.endswith('"')):
        return value
    kept, escaped = "", False
    for character in value[1:-1]:
        escaped = character == "\\" and not escaped
        kept += "" if escaped else character
    return kept
