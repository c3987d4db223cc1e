"""`order=`, and the lists of bare column names in `columns=` and `on_conflict=`."""

from typing import Literal

from cairn.rest.grammar.cursor import TextCursor
from cairn.rest.grammar.model import Ordering


def parse_order(text: str) -> tuple[Ordering, ...]:
    cursor = TextCursor("order", text)
    terms = [_term(cursor)]
    while cursor.take(","):
        terms.append(_term(cursor))
    cursor.finish()
    return tuple(terms)


def parse_names(what: str, text: str) -> tuple[str, ...]:
    cursor = TextCursor(what, text)
    names = [cursor.name()]
    while cursor.take(","):
        names.append(cursor.name())
    cursor.finish()
    return tuple(names)


def _term(cursor: TextCursor) -> Ordering:
    field, relation = cursor.field(), None
    if cursor.take("("):
        relation, field = field.name, cursor.field()
        cursor.expect(")")
    descending = _direction(cursor)
    return Ordering(field, descending, _nulls(cursor), relation)


def _direction(cursor: TextCursor) -> bool:
    if cursor.take(".desc"):
        return True
    cursor.take(".asc")
    return False


def _nulls(cursor: TextCursor) -> Literal["first", "last"] | None:
    if cursor.take(".nullsfirst"):
        return "first"
    if cursor.take(".nullslast"):
        return "last"
    if cursor.sees("."):
        cursor.fail("asc, desc, nullsfirst or nullslast")
    return None
