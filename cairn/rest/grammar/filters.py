"""Filters: `column=[not.]operator.value`, and the trees of `and` and `or`."""

import re
from typing import Literal, NamedTuple

from cairn.rest.grammar.cursor import TextCursor
from cairn.rest.grammar.model import Comparison, Condition, Field, Logic

PLAIN = ("neq", "isdistinct", "cs", "cd", "ov", "sl", "sr", "nxr", "nxl", "adj")
QUANTIFIED = ("eq", "gte", "gt", "lte", "lt", "like", "ilike", "match", "imatch")
FULL_TEXT = ("fts", "plfts", "phfts", "wfts")
OPERATORS = frozenset((*PLAIN, *QUANTIFIED, *FULL_TEXT, "in", "is"))
IS_VALUES = ("null", "not_null", "true", "false", "unknown")

_OPERATOR = re.compile(r"([a-z]+)(?:\((any|all|[\w ]+)\))?\.")
_BARE_VALUE = re.compile(r"[^,)]*")
_BRACED_VALUE = re.compile(r'\{(?:"(?:\\.|[^"\\])*"|[^{}"])*\}')
_QUOTED_VALUE = re.compile(r'"(?:\\.|[^"\\])*"(?=[,)])')


class Operation(NamedTuple):
    operator: str
    negated: bool
    quantifier: Literal["", "any", "all"]
    config: str | None


def parse_filter(field: Field, text: str) -> Comparison:
    cursor = TextCursor("filter", text)
    operation = _operation(cursor)
    if operation.operator == "in":
        value: str | tuple[str, ...] = _list(cursor)
        cursor.finish()
    elif operation.operator == "is":
        value = _is_value(cursor, cursor.position, cursor.rest())
    else:
        value = cursor.rest()
    return Comparison(field, operation.operator, value, operation.negated, operation.quantifier, operation.config)


def parse_logic(operator: Literal["and", "or"], text: str, *, negated: bool = False) -> Logic:
    cursor = TextCursor("logic tree", text)
    parts = _parts(cursor)
    cursor.finish()
    return Logic(operator, parts, negated)


def _parts(cursor: TextCursor) -> tuple[Condition, ...]:
    cursor.expect("(")
    cursor.enter()
    parts = [_part(cursor)]
    while cursor.take(","):
        parts.append(_part(cursor))
    cursor.expect(")")
    cursor.leave()
    return tuple(parts)


def _part(cursor: TextCursor) -> Condition:
    while cursor.take(" "):
        pass
    start = cursor.position
    negated = cursor.take("not.")
    for operator in ("and", "or"):
        if cursor.take(operator + "("):
            cursor.position -= 1
            return Logic("and" if operator == "and" else "or", _parts(cursor), negated)
    if negated and _is_operation(cursor):
        # A column may be called "not".
        cursor.position, negated = start, False
    field = cursor.field()
    cursor.expect(".")
    operation = _operation(cursor)
    negated = negated != operation.negated
    if operation.operator == "in":
        value: str | tuple[str, ...] = _list(cursor)
    elif operation.operator == "is":
        value = _is_value(cursor, cursor.position, _enclosed_value(cursor))
    else:
        value = _enclosed_value(cursor)
    return Comparison(field, operation.operator, value, negated, operation.quantifier, operation.config)


def _is_operation(cursor: TextCursor) -> bool:
    found = _OPERATOR.match(cursor.text, cursor.position)
    return cursor.sees("not.") or (found is not None and found[1] in OPERATORS)


def _operation(cursor: TextCursor) -> Operation:
    negated = cursor.take("not.")
    start = cursor.position
    found = cursor.match(_OPERATOR)
    if found is None or found[1] not in OPERATORS:
        cursor.position = start
        cursor.fail("operator (eq, gt, ...)" if negated else '"not" or operator (eq, gt, ...)')
    operator, argument = found[1], found[2]
    if argument is None:
        return Operation(operator, negated, "", None)
    if operator in FULL_TEXT:
        return Operation(operator, negated, "", argument)
    if operator not in QUANTIFIED or argument not in ("any", "all"):
        cursor.position = start + len(operator)
        cursor.fail('"."')
    return Operation(operator, negated, "any" if argument == "any" else "all", None)


def _is_value(cursor: TextCursor, start: int, text: str) -> str:
    value = text.lower()
    if value not in IS_VALUES:
        cursor.position = start
        cursor.fail(f"isVal: ({', '.join(IS_VALUES)})")
    return value


def _list(cursor: TextCursor) -> tuple[str, ...]:
    cursor.expect("(")
    if cursor.take(")"):
        return ()
    elements = [_element(cursor)]
    while cursor.take(","):
        elements.append(_element(cursor))
    cursor.expect(")")
    return tuple(elements)


def _element(cursor: TextCursor) -> str:
    """Quotes are special only if they enclose the whole element; elsewhere they are ordinary characters."""
    if _QUOTED_VALUE.match(cursor.text, cursor.position):
        return cursor.quoted()
    found = cursor.match(_BARE_VALUE)
    return found[0] if found else ""


def _enclosed_value(cursor: TextCursor) -> str:
    """A value inside a logic tree ends at a comma or parenthesis, unless it is quoted or in braces."""
    found = cursor.match(_BRACED_VALUE)
    return found[0] if found else _element(cursor)
