"""Parses the `filter` of a subscription: `column=operator.value` or `column=not.operator.value`, joined by commas.

Postgres evaluates the filters, so comparisons, patterns and types behave as in a query. A filter that cannot be parsed
is an error; it is never ignored.
"""

from collections.abc import Iterator

from cairn.db import literal
from cairn.kit import frozen_dataclass, has_backreference
from cairn.realtime.errors import InvalidFilter
from cairn.realtime.table import Table

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
"""A filter with a hundred ids is shorter. Filters are parsed character by character, while everyone else waits."""

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
    """A condition that was parsed, but whose column was not looked up yet.

    `type_suffix` follows the name of the column's type in SQL. If it is None, the right side needs no type.
    """

    column: str
    is_negated: bool
    right_side: str
    type_suffix: str | None
    is_pattern: bool
    is_regex: bool


@frozen_dataclass
class ParsedFilter:
    """A filter whose text was parsed. The text may be long, so it is parsed once and not once for each table."""

    text: str
    conditions: tuple[_Condition, ...]

    def on(self, table: Table) -> Filter:
        try:
            comparisons = [_comparison(condition, table) for condition in self.conditions]
        except ValueError as error:
            raise InvalidFilter(filter=self.text, reason=str(error)) from error
        return Filter(
            sql=" and ".join(sql for sql, _ in comparisons),
            check_sql=", ".join(check_sql for _, check_sql in comparisons),
            columns=frozenset(condition.column for condition in self.conditions),
            regex_count=sum(condition.is_regex for condition in self.conditions),
        )


def parse_filter(text: str) -> ParsedFilter:
    if len(text) > MAX_FILTER_CHARACTERS:
        raise InvalidFilter(filter=f"{text[:100]}…", reason=f"it is longer than {MAX_FILTER_CHARACTERS} characters")
    try:
        parts = list(_split(text))
        if len(parts) > MAX_CONDITIONS:
            raise ValueError(f"there are more than {MAX_CONDITIONS} conditions")
        return ParsedFilter(text, tuple(_parse_condition(part) for part in parts))
    except ValueError as error:
        raise InvalidFilter(filter=text, reason=str(error)) from error


def _parse_condition(part: str) -> _Condition:
    name, equals, rest = part.partition("=")
    operator, dot, value = rest.removeprefix("not.").partition(".")
    if not equals or not dot:
        raise ValueError("expected column=operator.value")
    right_side, type_suffix = _right_side(operator, value)
    return _Condition(
        column=name,
        is_negated=rest.startswith("not."),
        right_side=right_side,
        type_suffix=type_suffix,
        is_pattern=operator in _PATTERN_OPERATORS,
        is_regex=operator in _REGULAR_EXPRESSIONS,
    )


def _comparison(condition: _Condition, table: Table) -> tuple[str, str]:
    """Returns the condition on the row, and the condition that validates it without a row."""
    column = table.by_name.get(condition.column)
    if column is None:
        raise ValueError(f"there is no column {condition.column}")
    right_side = condition.right_side
    if condition.type_suffix is not None:
        right_side = f"{right_side}::{column.type_sql}{condition.type_suffix}"
    if condition.is_pattern:
        # The check uses an empty string, because Postgres does not compile the pattern of a comparison with null.
        left_side, checked = f"shown.{column.sql}::text", "''::text"
    else:
        left_side, checked = f"shown.{column.sql}", f"null::{column.type_sql}"
    prefix = "not " if condition.is_negated else ""
    return f"{prefix}({left_side} {right_side})", f"{prefix}({checked} {right_side})"


def _right_side(operator: str, value: str) -> tuple[str, str | None]:
    """Returns the SQL before the type of the column and the SQL after it, which is None if no type is needed."""
    if operator in _PATTERN_OPERATORS:
        pattern = _unquote(value)
        if operator in _REGULAR_EXPRESSIONS and has_backreference(pattern):
            raise ValueError("patterns with backreferences are not supported")
        return f"{_PATTERN_OPERATORS[operator]} {literal(pattern)}", None
    if operator in _COMPARISONS:
        return f"{_COMPARISONS[operator]} {literal(_unquote(value))}", ""
    if operator == "is":
        if value.lower() not in _IS_VALUES:
            raise ValueError(f"is takes one of {', '.join(_IS_VALUES)}")
        return f"is {_IS_VALUES[value.lower()]}", None
    if operator == "in":
        if not (value.startswith("(") and value.endswith(")")):
            raise ValueError("expected in.(a,b)")
        values = ", ".join(literal(_unquote(item)) for item in _split(value[1:-1]))
        return f"= any (array[{values}]", "[])"
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
