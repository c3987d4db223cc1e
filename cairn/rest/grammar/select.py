"""Parses `select=`: columns, aggregates and embedded tables."""

import re
from collections import Counter
from functools import lru_cache

from cairn.rest.grammar.cursor import TextCursor
from cairn.rest.grammar.model import Column, Embed, Field, Item, Star
from cairn.rest.settings import MAX_CACHED_LENGTH

AGGREGATES = ("avg", "count", "max", "min", "sum")
MAX_REPETITIONS = 5
"""How often `select` may name the same column under different aliases, for example for several aggregates of it."""

_TYPE_NAME = re.compile(r"[^\W\d][\w ]*(?:\[\])?")


def parse_select(text: str) -> tuple[Item, ...]:
    return _parse_cached(text) if len(text) <= MAX_CACHED_LENGTH else _parse(text)


def _parse(text: str) -> tuple[Item, ...]:
    cursor = TextCursor("select parameter", text)
    items = _parse_items(cursor)
    cursor.finish()
    return items


_parse_cached = lru_cache(maxsize=256)(_parse)


def _parse_items(cursor: TextCursor) -> tuple[Item, ...]:
    if cursor.position == len(cursor.text) or cursor.next_is(")"):
        return ()
    items = [_parse_item(cursor)]
    while cursor.take(","):
        items.append(_parse_item(cursor))
    _check_repetitions(cursor, items)
    return tuple(items)


def _check_repetitions(cursor: TextCursor, items: list[Item]) -> None:
    """Without this limit, one large value under many aliases would become a response of any size."""
    fields = Counter(item.field for item in items if isinstance(item, Column) and item.field is not None)
    if any(count > MAX_REPETITIONS for count in fields.values()):
        cursor.fail(f"each column at most {MAX_REPETITIONS} times")


def _parse_item(cursor: TextCursor) -> Item:
    cursor.count_item()
    if cursor.take("..."):
        alias = _parse_alias(cursor)
        return _parse_embed(cursor, alias, cursor.take_name(), spread=True)
    if cursor.take("*"):
        return Star()
    alias = _parse_alias(cursor)
    name = cursor.take_name()
    if cursor.next_is("!"):
        return _parse_embed(cursor, alias, name)
    if name == "count" and cursor.take("()"):
        return Column(None, alias, aggregate="count", aggregate_cast=_parse_cast(cursor))
    if cursor.next_is("("):
        return _parse_embed(cursor, alias, name)
    return _parse_column(cursor, alias, name)


def _parse_alias(cursor: TextCursor) -> str | None:
    start = cursor.position
    name = cursor.take_name()
    if cursor.next_is(":") and not cursor.next_is("::"):
        cursor.expect(":")
        return name
    cursor.position = start
    return None


def _parse_column(cursor: TextCursor, alias: str | None, name: str) -> Column:
    field = Field(name, cursor.take_steps())
    cast = _parse_cast(cursor)
    if not cursor.take("."):
        return Column(field, alias, cast)
    function = cursor.take_name()
    if function not in AGGREGATES:
        cursor.position -= len(function)
        cursor.fail(f"aggregate function ({', '.join(AGGREGATES)})")
    cursor.expect("()")
    return Column(field, alias, cast, function, _parse_cast(cursor))


def _parse_cast(cursor: TextCursor) -> str | None:
    if not cursor.take("::"):
        return None
    match = cursor.match(_TYPE_NAME)
    if match is None:
        cursor.fail("type name")
    return match[0].strip()


def _parse_embed(cursor: TextCursor, alias: str | None, relation: str, *, spread: bool = False) -> Embed:
    hint, inner = None, False
    while cursor.take("!"):
        modifier = cursor.take_name()
        if modifier in ("inner", "left"):
            inner = modifier == "inner"
        else:
            hint = modifier
    cursor.expect("(")
    cursor.count_embed()
    cursor.enter_level()
    items = _parse_items(cursor)
    cursor.expect(")")
    cursor.leave_level()
    return Embed(relation, items, alias, hint, inner, spread)
