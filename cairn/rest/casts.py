"""Finds the casts of a `select` that are allowed only to the service role.

A text of ten bytes becomes a number with 131,072 digits when it is cast to `jsonb` or `numeric`, and casts to `xml` or
`tsvector` parse the text of each row. Casts to plain types return about as many bytes as they read.
"""

from collections.abc import Iterable, Iterator

from cairn.db import SERVICE, Principal
from cairn.rest.catalog import Catalog
from cairn.rest.errors import CastNotAllowed
from cairn.rest.grammar import Embed, Item, Query, Star
from cairn.rest.plan import find_type

PLAIN_TYPES = (
    "text", "varchar", "bpchar", "bool", "int2", "int4", "int8", "float4", "float8", "uuid",
    "date", "time", "timetz", "timestamp", "timestamptz", "interval",
)  # fmt: skip
_PLAIN_TYPES_SQL = frozenset(f"pg_catalog.{name}" for name in PLAIN_TYPES)


def restricted_casts(query: Query, catalog: Catalog) -> tuple[str, ...]:
    """Returns the types of all casts that are not to one of the plain types."""
    types = [(name, find_type(catalog, name)) for name in _casts(query.select)]
    return tuple(name for name, type_ in types if type_ and type_.sql not in _PLAIN_TYPES_SQL)


def check_casts(casts: tuple[str, ...], principal: Principal) -> None:
    """Raises CastNotAllowed if the caller may not use these casts. The service role may use any."""
    if principal.role != SERVICE.role:
        raise CastNotAllowed(name=casts[0], hint=f"Values can be cast to {', '.join(PLAIN_TYPES)}.")


def _casts(items: Iterable[Item]) -> Iterator[str]:
    for item in items:
        if isinstance(item, Embed):
            yield from _casts(item.items)
        elif not isinstance(item, Star):
            yield from (name for name in (item.cast, item.aggregate_cast) if name)
