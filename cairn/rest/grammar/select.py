"""`select=`: columns, aggregates and embedded tables."""

import re
from functools import lru_cache

from cairn.rest.grammar.cursor import TextCursor
from cairn.rest.grammar.model import Column, Embed, Field, Item, Star
from cairn.rest.settings import MAX_CACHED_LENGTH

AGGREGATES = ("avg", "count", "max", "min", "sum")
_TYPE = re.compile(r"[^\W\d][\w ]*(?:\[\])?")


def parse_select(text: str) -> tuple[Item, ...]:
    return _parse_cached(text) if len(text) <= MAX_CACHED_LENGTH else _parse(text)


def _parse(text: str) -> tuple[Item, ...]:
    cursor = TextCursor("select parameter", text)
    items = _items(cursor)
    cursor.finish()
    return items


_parse_cached = lru_cache(maxsize=256)(_parse)


def _items(cursor: TextCursor) -> tuple[Item, ...]:
    if cursor.position == len(cursor.text) or cursor.sees(")"):
        return ()
    items = [_item(cursor)]
    while cursor.take(","):
        items.append(_item(cursor))
    return tuple(items)


def _item(cursor: TextCursor) -> Item:
    if cursor.take("..."):
        return _embed(cursor, _alias(cursor), cursor.name(), spread=True)
    if cursor.take("*"):
        return Star()
    alias = _alias(cursor)
    name = cursor.name()
    if cursor.sees("!"):
        return _embed(cursor, alias, name)
    if name == "count" and cursor.take("()"):
        return Column(None, alias, aggregate="count", aggregate_cast=_cast(cursor))
    if cursor.sees("("):
        return _embed(cursor, alias, name)
    return _column(cursor, alias, name)


def _alias(cursor: TextCursor) -> str | None:
    start = cursor.position
    name = cursor.name()
    if cursor.sees(":") and not cursor.sees("::"):
        cursor.expect(":")
        return name
    cursor.position = start
    return None


def _column(cursor: TextCursor, alias: str | None, name: str) -> Column:
    field = Field(name, cursor.steps())
    cast = _cast(cursor)
    if not cursor.take("."):
        return Column(field, alias, cast)
    function = cursor.name()
    if function not in AGGREGATES:
        cursor.position -= len(function)
        cursor.fail(f"aggregate function ({', '.join(AGGREGATES)})")
    cursor.expect("()")
    return Column(field, alias, cast, function, _cast(cursor))


def _cast(cursor: TextCursor) -> str | None:
    if not cursor.take("::"):
        return None
    found = cursor.match(_TYPE)
    if found is None:
        cursor.fail("type name")
    return found[0].strip()


def _embed(cursor: TextCursor, alias: str | None, relation: str, *, spread: bool = False) -> Embed:
    hint, inner = None, False
    while cursor.take("!"):
        modifier = cursor.name()
        if modifier in ("inner", "left"):
            inner = modifier == "inner"
        else:
            hint = modifier
    cursor.expect("(")
    cursor.count_embed()
    cursor.enter()
    items = _items(cursor)
    cursor.expect(")")
    cursor.leave()
    return Embed(relation, items, alias, hint, inner, spread)
