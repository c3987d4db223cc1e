"""Parses filters (`column=[not.]operator.value`) and the trees of `and` and `or`."""

import re
from typing import Literal, NamedTuple

from cairn.rest.grammar.cursor import TextCursor
from cairn.rest.grammar.model import Comparison, Condition, Field, Logic

PLAIN_OPERATORS = ("neq", "isdistinct", "cs", "cd", "ov", "sl", "sr", "nxr", "nxl", "adj")
QUANTIFIABLE_OPERATORS = ("eq", "gte", "gt", "lte", "lt", "like", "ilike", "match", "imatch")
FULL_TEXT_OPERATORS = ("fts", "plfts", "phfts", "wfts")
OPERATORS = frozenset((*PLAIN_OPERATORS, *QUANTIFIABLE_OPERATORS, *FULL_TEXT_OPERATORS, "in", "is"))
IS_VALUES = ("null", "not_null", "true", "false", "unknown")

_OPERATOR = re.compile(r"([a-z]+)(?:\((any|all|[\w ]+)\))?\.")
_BARE_VALUE = re.compile(r"[^,)]*")
_BRACED_VALUE = re.compile(r'\{(?:"(?:\\.|[^"\\])*"|[^{}"])*\}')
_SIMPLE_LIST = re.compile(r'([^)"]*)\)')
"""The rest of a list of values without quotes. Its values need not be parsed one by one."""

_QUOTED_VALUE = re.compile(r'"(?:\\.|[^"\\])*"(?=[,)])')


class Operation(NamedTuple):
    operator: str
    negated: bool
    quantifier: Literal["", "any", "all"]
    config: str | None
    """The text search configuration of a full-text operator."""


def parse_filter(field: Field, text: str) -> Comparison:
    cursor = TextCursor("filter", text)
    operation = _parse_operation(cursor)
    if operation.operator == "in":
        value: str | tuple[str, ...] = _parse_list(cursor)
        cursor.finish()
    elif operation.operator == "is":
        start = cursor.position
        value = _parse_is_value(cursor, start, cursor.take_rest())
    else:
        value = cursor.take_rest()
    return Comparison(field, operation.operator, value, operation.negated, operation.quantifier, operation.config)


def parse_logic(operator: Literal["and", "or"], text: str, *, negated: bool = False, condition_count: int = 0) -> Logic:
    """`condition_count` is the number of conditions that the request has before this one."""
    cursor = TextCursor("logic tree", text)
    cursor.count_conditions(condition_count)
    parts = _parse_parts(cursor)
    cursor.finish()
    return Logic(operator, parts, negated)


def _parse_parts(cursor: TextCursor) -> tuple[Condition, ...]:
    cursor.expect("(")
    cursor.enter_level()
    parts = [_parse_part(cursor)]
    while cursor.take(","):
        parts.append(_parse_part(cursor))
    cursor.expect(")")
    cursor.leave_level()
    return tuple(parts)


def _parse_part(cursor: TextCursor) -> Condition:
    while cursor.take(" "):
        pass
    start = cursor.position
    negated = cursor.take("not.")
    for operator in ("and", "or"):
        if cursor.take(operator + "("):
            # `_parse_parts` expects the opening parenthesis.
            cursor.position -= 1
            return Logic("and" if operator == "and" else "or", _parse_parts(cursor), negated)
    if negated and _is_operation(cursor):
        # A column may be called "not".
        cursor.position, negated = start, False
    field = cursor.take_field()
    cursor.expect(".")
    cursor.count_conditions()
    operation = _parse_operation(cursor)
    negated = negated != operation.negated
    if operation.operator == "in":
        value: str | tuple[str, ...] = _parse_list(cursor)
    elif operation.operator == "is":
        start = cursor.position
        value = _parse_is_value(cursor, start, _parse_enclosed_value(cursor))
    else:
        value = _parse_enclosed_value(cursor)
    return Comparison(field, operation.operator, value, negated, operation.quantifier, operation.config)


def _is_operation(cursor: TextCursor) -> bool:
    match = _OPERATOR.match(cursor.text, cursor.position)
    return cursor.next_is("not.") or (match is not None and match[1] in OPERATORS)


def _parse_operation(cursor: TextCursor) -> Operation:
    negated = cursor.take("not.")
    start = cursor.position
    match = cursor.match(_OPERATOR)
    if match is None or match[1] not in OPERATORS:
        cursor.position = start
        cursor.fail("operator (eq, gt, ...)" if negated else '"not" or operator (eq, gt, ...)')
    operator, argument = match[1], match[2]
    if argument is None:
        return Operation(operator, negated, "", None)
    if operator in FULL_TEXT_OPERATORS:
        return Operation(operator, negated, "", argument)
    if operator not in QUANTIFIABLE_OPERATORS or argument not in ("any", "all"):
        cursor.position = start + len(operator)
        cursor.fail('"."')
    return Operation(operator, negated, "any" if argument == "any" else "all", None)


def _parse_is_value(cursor: TextCursor, start: int, text: str) -> str:
    """`text` was taken from the cursor at the position `start`, which an error reports."""
    value = text.lower()
    if value not in IS_VALUES:
        cursor.position = start
        cursor.fail(f"isVal: ({', '.join(IS_VALUES)})")
    return value


def _parse_list(cursor: TextCursor) -> tuple[str, ...]:
    cursor.expect("(")
    if cursor.take(")"):
        return ()
    if simple := cursor.match(_SIMPLE_LIST):
        return tuple(simple[1].split(","))
    elements = [_parse_element(cursor)]
    while cursor.take(","):
        elements.append(_parse_element(cursor))
    cursor.expect(")")
    return tuple(elements)


def _parse_element(cursor: TextCursor) -> str:
    """Quotes are special only if they enclose the whole element. Otherwise they are ordinary characters."""
    if _QUOTED_VALUE.match(cursor.text, cursor.position):
        return cursor.take_quoted()
    match = cursor.match(_BARE_VALUE)
    return match[0] if match else ""


def _parse_enclosed_value(cursor: TextCursor) -> str:
    """A value inside a logic tree ends at a comma or parenthesis, unless it is quoted or in braces."""
    match = cursor.match(_BRACED_VALUE)
    return match[0] if match else _parse_element(cursor)
