"""The `filter` of a subscription: `column=op.value`, several joined by commas.

Only eq, neq and in, and only on types whose text is unambiguous: what is not understood is refused, never ignored.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any
from uuid import UUID

from cairn.realtime.errors import FilterUnreadable

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Condition:
    column: str
    values: frozenset[object]
    wanted: bool
    read: Callable[[str], object]

    def holds(self, row: Row) -> bool:
        value = row.get(self.column)
        # As in SQL: nothing is equal to null, and nothing is different from it.
        return value is not None and (self.read(_as_text(value)) in self.values) is self.wanted


def conditions(text: str, types: Mapping[str, str]) -> tuple[Condition, ...]:
    """`types` are the columns of the table and their Postgres types."""
    try:
        return tuple(_condition(part, types) for part in _split(text))
    except ValueError as unreadable:
        raise FilterUnreadable(filter=text, why=str(unreadable)) from unreadable


def _condition(part: str, types: Mapping[str, str]) -> Condition:
    column, equals, rest = part.partition("=")
    operator, dot, value = rest.partition(".")
    if not equals or not dot:
        raise ValueError("expected column=operator.value")
    if column not in types:
        raise ValueError(f"there is no column {column}")
    read = _READERS.get(types[column])
    if read is None:
        raise ValueError(f"columns of type {types[column]} cannot be filtered")
    if operator == "in":
        if not (value.startswith("(") and value.endswith(")")):
            raise ValueError("expected in.(a,b)")
        values = [_unquoted(each) for each in _split(value[1:-1])]
    elif operator in ("eq", "neq"):
        values = [_unquoted(value)]
    else:
        raise ValueError(f"the operator {operator} is not supported")
    return Condition(column, frozenset(map(read, values)), operator != "neq", read)


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


def _as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _number(text: str) -> Decimal:
    try:
        number = Decimal(text)
    except InvalidOperation as not_one:
        raise ValueError(f"{text} is not a number") from not_one
    if not number.is_finite():
        raise ValueError(f"{text} is not a finite number")
    return number


def _truth(text: str) -> bool:
    if text not in ("true", "t", "false", "f"):
        raise ValueError(f"{text} is not true or false")
    return text.startswith("t")


_READERS: dict[str, Callable[[str], object]] = {
    **dict.fromkeys(("text", "varchar", "bpchar", "name"), str),
    **dict.fromkeys(("int2", "int4", "int8", "numeric"), _number),
    "bool": _truth,
    "uuid": UUID,
}
