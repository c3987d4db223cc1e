"""Parses a whole query string: filters, and reserved parameters such as `select` and `order`."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from cairn.rest.errors import InvalidQuery, RangeNotSatisfiable
from cairn.rest.grammar.cursor import AT_MOST_CONDITIONS, MAX_CONDITIONS, TextCursor
from cairn.rest.grammar.filters import parse_filter, parse_logic
from cairn.rest.grammar.model import Condition, Field, Level, Logic, Ordering, Parameter, Path, Query, Star
from cairn.rest.grammar.order import parse_names, parse_order
from cairn.rest.grammar.select import parse_select

_NUMBER = re.compile(r"-?[0-9]{1,18}")


@dataclass(slots=True)
class _LevelBuilder:
    conditions: list[Condition] = field(default_factory=list)
    order: tuple[Ordering, ...] = ()
    limit: int | None = None
    offset: int | None = None

    def build(self) -> Level:
        return Level(tuple(self.conditions), self.order, self.limit, self.offset)


def parse_query(pairs: Iterable[tuple[str, str]], *, is_call: bool = False) -> Query:
    """`is_call` means that a function is called by GET, so a name may be an argument or a filter. Planning decides."""
    reserved: dict[str, str] = {}
    levels: dict[Path, _LevelBuilder] = {}
    parameters: list[Parameter] = []
    condition_count = 0
    for key, value in pairs:
        if key in ("select", "columns", "on_conflict"):
            reserved[key] = value
        elif is_call and _is_bare_filter(key):
            parameters.append(Parameter(key, value, _condition_or_none(key, value)))
            condition_count += 1
        else:
            condition_count += _add_parameter(levels, key, value, condition_count)
        if condition_count > MAX_CONDITIONS:
            TextCursor("filter", key).fail(AT_MOST_CONDITIONS)
    return Query(
        select=parse_select(reserved["select"]) if "select" in reserved else (Star(),),
        levels={path: level.build() for path, level in levels.items()},
        columns=_parse_names("columns", reserved),
        on_conflict=_parse_names("on_conflict", reserved),
        parameters=tuple(parameters),
    )


def _parse_names(parameter: str, reserved: Mapping[str, str]) -> tuple[str, ...] | None:
    text = reserved.get(parameter)
    return parse_names(f"{parameter} parameter", text) if text else None


def _is_bare_filter(key: str) -> bool:
    return "." not in key and key not in ("order", "limit", "offset", "and", "or")


def _condition_or_none(key: str, value: str) -> Condition | None:
    try:
        return parse_filter(_parse_key(key)[1], value)
    except InvalidQuery:
        return None


def _add_parameter(levels: dict[Path, _LevelBuilder], key: str, value: str, condition_count: int) -> int:
    """Returns how many conditions to count, also 1 for an order or limit. `condition_count` is how many came before."""
    path, field_ = _parse_key(key)
    # A quoted name is always a column.
    is_column = bool(field_.steps) or key.endswith('"')
    keyword = "" if is_column else field_.name
    negated = False
    if keyword in ("and", "or") and path and path[-1] == "not":
        path, negated = path[:-1], True
    level = levels.setdefault(path, _LevelBuilder())
    if keyword == "order":
        level.order = parse_order(value) if value else ()
    elif keyword == "limit":
        level.limit = _parse_count("limit", value)
    elif keyword == "offset":
        level.offset = _parse_count("offset", value)
    elif keyword in ("and", "or"):
        logic = parse_logic(_logic_operator(keyword), value, negated=negated, condition_count=condition_count)
        level.conditions.append(logic)
        return _count_conditions(logic)
    else:
        level.conditions.append(parse_filter(field_, value))
    return 1


def _count_conditions(condition: Condition) -> int:
    return sum(map(_count_conditions, condition.parts)) if isinstance(condition, Logic) else 1


def _logic_operator(keyword: str) -> Literal["and", "or"]:
    return "and" if keyword == "and" else "or"


def _parse_key(key: str) -> tuple[Path, Field]:
    cursor = TextCursor("tree path", key)
    names = [cursor.take_name()]
    while cursor.take("."):
        names.append(cursor.take_name())
    steps = cursor.take_steps()
    cursor.finish()
    return tuple(names[:-1]), Field(names[-1], steps)


def _parse_count(parameter: str, text: str) -> int:
    if not _NUMBER.fullmatch(text):
        TextCursor(f"{parameter} parameter", text).fail("integer")
    number = int(text)
    if number < 0:
        raise RangeNotSatisfiable(details=f"{parameter.capitalize()} should be greater than or equal to zero.")
    return number
