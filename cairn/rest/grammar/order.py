"""Parses `order=`, and the lists of column names in `columns=` and `on_conflict=`."""

from typing import Literal

from cairn.rest.grammar.cursor import TextCursor
from cairn.rest.grammar.model import Ordering


def parse_order(text: str) -> tuple[Ordering, ...]:
    cursor = TextCursor("order", text)
    terms = [_parse_term(cursor)]
    while cursor.take(","):
        terms.append(_parse_term(cursor))
    cursor.finish()
    return tuple(terms)


def parse_names(part: str, text: str) -> tuple[str, ...]:
    cursor = TextCursor(part, text)
    names = [cursor.take_name()]
    while cursor.take(","):
        names.append(cursor.take_name())
    cursor.finish()
    return tuple(names)


def _parse_term(cursor: TextCursor) -> Ordering:
    cursor.count_item()
    field, relation = cursor.take_field(), None
    if cursor.take("("):
        relation, field = field.name, cursor.take_field()
        cursor.expect(")")
    descending = _parse_descending(cursor)
    return Ordering(field, descending, _parse_nulls(cursor), relation)


def _parse_descending(cursor: TextCursor) -> bool:
    if cursor.take(".desc"):
        return True
    cursor.take(".asc")
    return False


def _parse_nulls(cursor: TextCursor) -> Literal["first", "last"] | None:
    if cursor.take(".nullsfirst"):
        return "first"
    if cursor.take(".nullslast"):
        return "last"
    if cursor.next_is("."):
        cursor.fail("asc, desc, nullsfirst or nullslast")
    return None
