"""`order=`, and the lists of bare column names in `columns=` and `on_conflict=`."""

from typing import Literal

from cairn.rest.grammar.reader import Reader
from cairn.rest.grammar.words import Ordering


def parse_order(text: str) -> tuple[Ordering, ...]:
    reader = Reader("order", text)
    terms = [_term(reader)]
    while reader.take(","):
        terms.append(_term(reader))
    reader.finish()
    return tuple(terms)


def parse_names(what: str, text: str) -> tuple[str, ...]:
    reader = Reader(what, text)
    names = [reader.name()]
    while reader.take(","):
        names.append(reader.name())
    reader.finish()
    return tuple(names)


def _term(reader: Reader) -> Ordering:
    field, relation = reader.field(), None
    if reader.take("("):
        relation, field = field.name, reader.field()
        reader.expect(")")
    descending = _direction(reader)
    return Ordering(field, descending, _nulls(reader), relation)


def _direction(reader: Reader) -> bool:
    if reader.take(".desc"):
        return True
    reader.take(".asc")
    return False


def _nulls(reader: Reader) -> Literal["first", "last"] | None:
    if reader.take(".nullsfirst"):
        return "first"
    if reader.take(".nullslast"):
        return "last"
    if reader.sees("."):
        reader.fail("asc, desc, nullsfirst or nullslast")
    return None
