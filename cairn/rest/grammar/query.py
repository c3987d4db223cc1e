"""A whole query string: which parameter is a reserved word, and what the others filter."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from cairn.rest.errors import QueryNotUnderstood, RangeNotSatisfiable
from cairn.rest.grammar.cursor import TextCursor
from cairn.rest.grammar.filters import parse_filter, parse_logic
from cairn.rest.grammar.model import Condition, Field, Level, Ordering, Parameter, Path, Query, Star
from cairn.rest.grammar.order import parse_names, parse_order
from cairn.rest.grammar.select import parse_select

_NUMBER = re.compile(r"-?[0-9]{1,18}")


@dataclass(slots=True)
class _Gathered:
    conditions: list[Condition] = field(default_factory=list)
    order: tuple[Ordering, ...] = ()
    limit: int | None = None
    offset: int | None = None


def parse_query(pairs: Iterable[tuple[str, str]], *, is_call: bool = False) -> Query:
    """`calling` a function by GET, bare names may be its arguments; they are kept both ways for the plan to decide."""
    plain: dict[str, str] = {}
    levels: dict[Path, _Gathered] = {}
    parameters: list[Parameter] = []
    for key, value in pairs:
        if key in ("select", "columns", "on_conflict"):
            plain[key] = value
        elif is_call and _is_bare_filter(key):
            parameters.append(Parameter(key, value, _condition_or_none(key, value)))
        else:
            _gather(levels, key, value)
    return Query(
        select=parse_select(plain["select"]) if "select" in plain else (Star(),),
        levels={path: Level(tuple(it.conditions), it.order, it.limit, it.offset) for path, it in levels.items()},
        columns=parse_names("columns parameter", plain["columns"]) if plain.get("columns") else None,
        on_conflict=parse_names("on_conflict parameter", plain["on_conflict"]) if plain.get("on_conflict") else None,
        parameters=tuple(parameters),
    )


def _is_bare_filter(key: str) -> bool:
    return "." not in key and key not in ("order", "limit", "offset", "and", "or")


def _condition_or_none(key: str, value: str) -> Condition | None:
    try:
        return parse_filter(_key(key)[1], value)
    except QueryNotUnderstood:
        return None


def _gather(levels: dict[Path, _Gathered], key: str, value: str) -> None:
    path, field_ = _key(key)
    # In quotes it is a column, whatever its name.
    word, negated = ("" if field_.steps or key.endswith('"') else field_.name), False
    if word in ("and", "or") and path and path[-1] == "not":
        path, negated = path[:-1], True
    level = levels.setdefault(path, _Gathered())
    if word == "order":
        level.order = parse_order(value) if value else ()
    elif word == "limit":
        level.limit = _count("limit", value)
    elif word == "offset":
        level.offset = _count("offset", value)
    elif word in ("and", "or"):
        level.conditions.append(parse_logic(_logic_word(word), value, negated=negated))
    else:
        level.conditions.append(parse_filter(field_, value))


def _logic_word(word: str) -> Literal["and", "or"]:
    return "and" if word == "and" else "or"


def _key(key: str) -> tuple[Path, Field]:
    cursor = TextCursor("tree path", key)
    names = [cursor.name()]
    while cursor.take("."):
        names.append(cursor.name())
    steps = cursor.steps()
    cursor.finish()
    return tuple(names[:-1]), Field(names[-1], steps)


def _count(what: str, text: str) -> int:
    if not _NUMBER.fullmatch(text):
        TextCursor(f"{what} parameter", text).fail("integer")
    number = int(text)
    if number < 0:
        raise RangeNotSatisfiable(details=f"{what.capitalize()} should be greater than or equal to zero.")
    return number
