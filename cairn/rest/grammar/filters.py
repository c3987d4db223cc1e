"""Filters: `column=[not.]operator.value`, and the trees of `and` and `or`."""

import re
from typing import Literal, NamedTuple

from cairn.rest.grammar.reader import Reader
from cairn.rest.grammar.words import Comparison, Condition, Field, Logic

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
    reader = Reader("filter", text)
    operation = _operation(reader)
    if operation.operator == "in":
        value: str | tuple[str, ...] = _list(reader)
        reader.finish()
    elif operation.operator == "is":
        value = _is_value(reader, reader.at, reader.rest())
    else:
        value = reader.rest()
    return Comparison(field, operation.operator, value, operation.negated, operation.quantifier, operation.config)


def parse_logic(word: Literal["and", "or"], text: str, *, negated: bool = False) -> Logic:
    reader = Reader("logic tree", text)
    parts = _parts(reader)
    reader.finish()
    return Logic(word, parts, negated)


def _parts(reader: Reader) -> tuple[Condition, ...]:
    reader.expect("(")
    reader.deeper()
    parts = [_part(reader)]
    while reader.take(","):
        parts.append(_part(reader))
    reader.expect(")")
    reader.shallower()
    return tuple(parts)


def _part(reader: Reader) -> Condition:
    while reader.take(" "):
        pass
    start = reader.at
    negated = reader.take("not.")
    for word in ("and", "or"):
        if reader.take(word + "("):
            reader.at -= 1
            return Logic("and" if word == "and" else "or", _parts(reader), negated)
    if negated and _is_operation(reader):
        # There are columns called "not".
        reader.at, negated = start, False
    field = reader.field()
    reader.expect(".")
    operation = _operation(reader)
    negated = negated != operation.negated
    if operation.operator == "in":
        value: str | tuple[str, ...] = _list(reader)
    elif operation.operator == "is":
        value = _is_value(reader, reader.at, _enclosed_value(reader))
    else:
        value = _enclosed_value(reader)
    return Comparison(field, operation.operator, value, negated, operation.quantifier, operation.config)


def _is_operation(reader: Reader) -> bool:
    found = _OPERATOR.match(reader.text, reader.at)
    return reader.sees("not.") or (found is not None and found[1] in OPERATORS)


def _operation(reader: Reader) -> Operation:
    negated = reader.take("not.")
    start = reader.at
    found = reader.match(_OPERATOR)
    if found is None or found[1] not in OPERATORS:
        reader.at = start
        reader.fail("operator (eq, gt, ...)" if negated else '"not" or operator (eq, gt, ...)')
    operator, argument = found[1], found[2]
    if argument is None:
        return Operation(operator, negated, "", None)
    if operator in FULL_TEXT:
        return Operation(operator, negated, "", argument)
    if operator not in QUANTIFIED or argument not in ("any", "all"):
        reader.at = start + len(operator)
        reader.fail('"."')
    return Operation(operator, negated, "any" if argument == "any" else "all", None)


def _is_value(reader: Reader, start: int, text: str) -> str:
    value = text.lower()
    if value not in IS_VALUES:
        reader.at = start
        reader.fail(f"isVal: ({', '.join(IS_VALUES)})")
    return value


def _list(reader: Reader) -> tuple[str, ...]:
    reader.expect("(")
    if reader.take(")"):
        return ()
    elements = [_element(reader)]
    while reader.take(","):
        elements.append(_element(reader))
    reader.expect(")")
    return tuple(elements)


def _element(reader: Reader) -> str:
    """Quotes count only when they enclose the whole element; one in the middle is a character like any other."""
    if _QUOTED_VALUE.match(reader.text, reader.at):
        return reader.quoted()
    found = reader.match(_BARE_VALUE)
    return found[0] if found else ""


def _enclosed_value(reader: Reader) -> str:
    """A value inside a tree ends at a comma or a parenthesis, unless quotes or braces hold it together."""
    found = reader.match(_BRACED_VALUE)
    return found[0] if found else _element(reader)
