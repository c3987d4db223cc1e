"""`select=`: columns, aggregates and embedded tables."""

import re
from functools import lru_cache

from cairn.rest.grammar.reader import Reader
from cairn.rest.grammar.words import Column, Embed, Field, Item, Star
from cairn.rest.settings import LONGEST_REMEMBERED

AGGREGATES = ("avg", "count", "max", "min", "sum")
_TYPE = re.compile(r"[^\W\d][\w ]*(?:\[\])?")


def parse_select(text: str) -> tuple[Item, ...]:
    """An app asks for the same few lists of columns all day."""
    return _remembered(text) if len(text) <= LONGEST_REMEMBERED else _parsed(text)


def _parsed(text: str) -> tuple[Item, ...]:
    reader = Reader("select parameter", text)
    items = _items(reader)
    reader.finish()
    return items


_remembered = lru_cache(maxsize=256)(_parsed)


def _items(reader: Reader) -> tuple[Item, ...]:
    if reader.at == len(reader.text) or reader.sees(")"):
        return ()
    items = [_item(reader)]
    while reader.take(","):
        items.append(_item(reader))
    return tuple(items)


def _item(reader: Reader) -> Item:
    if reader.take("..."):
        return _embed(reader, _alias(reader), reader.name(), spread=True)
    if reader.take("*"):
        return Star()
    alias = _alias(reader)
    name = reader.name()
    if reader.sees("!"):
        return _embed(reader, alias, name)
    if name == "count" and reader.take("()"):
        return Column(None, alias, aggregate="count", aggregate_cast=_cast(reader))
    if reader.sees("("):
        return _embed(reader, alias, name)
    return _column(reader, alias, name)


def _alias(reader: Reader) -> str | None:
    start = reader.at
    name = reader.name()
    if reader.sees(":") and not reader.sees("::"):
        reader.expect(":")
        return name
    reader.at = start
    return None


def _column(reader: Reader, alias: str | None, name: str) -> Column:
    field = Field(name, reader.steps())
    cast = _cast(reader)
    if not reader.take("."):
        return Column(field, alias, cast)
    function = reader.name()
    if function not in AGGREGATES:
        reader.at -= len(function)
        reader.fail(f"aggregate function ({', '.join(AGGREGATES)})")
    reader.expect("()")
    return Column(field, alias, cast, function, _cast(reader))


def _cast(reader: Reader) -> str | None:
    if not reader.take("::"):
        return None
    found = reader.match(_TYPE)
    if found is None:
        reader.fail("type name")
    return found[0].strip()


def _embed(reader: Reader, alias: str | None, relation: str, *, spread: bool = False) -> Embed:
    hint, inner = None, False
    while reader.take("!"):
        word = reader.name()
        if word in ("inner", "left"):
            inner = word == "inner"
        else:
            hint = word
    reader.expect("(")
    reader.another_embed()
    reader.deeper()
    items = _items(reader)
    reader.expect(")")
    reader.shallower()
    return Embed(relation, items, alias, hint, inner, spread)
