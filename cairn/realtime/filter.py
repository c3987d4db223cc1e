"""Parses the `filter` of a subscription: `column=operator.value` or `column=not.operator.value`, joined by commas.

Postgres evaluates the filters, so comparisons, patterns and types behave as in a query. A filter that cannot be parsed
is an error; it is never ignored.
"""

from collections.abc import Iterator

from cairn.db import literal
from cairn.kit import frozen_dataclass, has_backreference
from cairn.realtime.errors import InvalidFilter
from cairn.realtime.table import Column, Table

_COMPARISONS = {
    "eq": "=",
    "neq": "<>",
    "lt": "<",
    "lte": "<=",
    "gt": ">",
    "gte": ">=",
    "isdistinct": "is distinct from",
}
_PATTERN_OPERATORS = {"like": "like", "ilike": "ilike", "match": "~", "imatch": "~*"}
_IS_VALUES = {"null": "null", "not_null": "not null", "true": "true", "false": "false", "unknown": "unknown"}
_REGULAR_EXPRESSIONS = ("match", "imatch")
MAX_FILTER_CHARACTERS = 4000
"""A filter of a hundred ids fits. It is parsed character by character, while everyone else waits."""

MAX_CONDITIONS = 20


@frozen_dataclass
class Filter:
    """`sql` is a condition on a row named `shown`.

    `check_sql` contains the same conditions with constants instead of the columns, so that Postgres can validate them
    without a row. They are separated by commas, because Postgres would skip the conditions after a false one.
    """

    sql: str
    check_sql: str
    columns: frozenset[str]
    # The number of regular expressions, which can take long to compare with a value.
    regex_count: int


@frozen_dataclass
class _Condition:
    column: str
    sql: str
    check_sql: str
    is_regex: bool


def parse_filter(text: str, table: Table) -> Filter:
    if len(text) > MAX_FILTER_CHARACTERS:
        raise InvalidFilter(filter=f"{text[:100]}…", reason=f"it is longer than {MAX_FILTER_CHARACTERS} characters")
    try:
        parts = list(_split(text))
        if len(parts) > MAX_CONDITIONS:
            raise ValueError(f"there are more than {MAX_CONDITIONS} conditions")
        conditions = [_parse_condition(part, table) for part in parts]
    except ValueError as error:
        raise InvalidFilter(filter=text, reason=str(error)) from error
    return Filter(
        sql=" and ".join(condition.sql for condition in conditions),
        check_sql=", ".join(condition.check_sql for condition in conditions),
        columns=frozenset(condition.column for condition in conditions),
        regex_count=sum(condition.is_regex for condition in conditions),
    )


def _parse_condition(part: str, table: Table) -> _Condition:
    name, equals, rest = part.partition("=")
    negated = rest.startswith("not.")
    operator, dot, value = rest.removeprefix("not.").partition(".")
    if not equals or not dot:
        raise ValueError("expected column=operator.value")
    column = table.by_name.get(name)
    if column is None:
        raise ValueError(f"there is no column {name}")
    sql, check_sql = _comparison(column, operator, value)
    prefix = "not " if negated else ""
    return _Condition(name, f"{prefix}({sql})", f"{prefix}({check_sql})", operator in _REGULAR_EXPRESSIONS)


def _comparison(column: Column, operator: str, value: str) -> tuple[str, str]:
    """Returns the condition on the row, and the condition that validates it without a row."""
    left_side, typed_null = f"shown.{column.sql}", f"null::{column.type_sql}"
    if operator in _PATTERN_OPERATORS:
        pattern = _unquote(value)
        if operator in _REGULAR_EXPRESSIONS and has_backreference(pattern):
            raise ValueError("patterns with backreferences are not supported")
        # The check uses an empty string, because Postgres does not compile the pattern of a comparison with null.
        right_side = f"{_PATTERN_OPERATORS[operator]} {literal(pattern)}"
        return f"{left_side}::text {right_side}", f"''::text {right_side}"
    right_side = _right_side(column, operator, value)
    return f"{left_side} {right_side}", f"{typed_null} {right_side}"


def _right_side(column: Column, operator: str, value: str) -> str:
    if operator in _COMPARISONS:
        return f"{_COMPARISONS[operator]} {literal(_unquote(value))}::{column.type_sql}"
    if operator == "is":
        if value.lower() not in _IS_VALUES:
            raise ValueError(f"is takes one of {', '.join(_IS_VALUES)}")
        return f"is {_IS_VALUES[value.lower()]}"
    if operator == "in":
        if not (value.startswith("(") and value.endswith(")")):
            raise ValueError("expected in.(a,b)")
        values = ", ".join(literal(_unquote(item)) for item in _split(value[1:-1]))
        return f"= any (array[{values}]::{column.type_sql}[])"
    raise ValueError(f"there is no operator {operator}")


def _split(text: str) -> Iterator[str]:
    """Splits at commas, but not inside quotes or brackets."""
    part = ""
    depth = 0
    in_quotes = is_escaped = False
    for character in text:
        if is_escaped:
            is_escaped = False
        elif in_quotes and character == "\\":
            is_escaped = True
        elif character == '"':
            in_quotes = not in_quotes
        elif not in_quotes and character in "()":
            depth += 1 if character == "(" else -1
        elif not in_quotes and depth == 0 and character == ",":
            yield part
            part = ""
            continue
        part += character
    if in_quotes or depth:
        raise ValueError("a quote or bracket is not closed")
    yield part


def _unquote(value: str) -> str:
    if len(value) < 2 or not (value.startswith('"') and value.endswith('"')):
        return value
    unquoted, escapes_next = "", False
    for character in value[1:-1]:
        escapes_next = character == "\\" and not escapes_next
        if not escapes_next:
            unquoted += character
    return unquoted
