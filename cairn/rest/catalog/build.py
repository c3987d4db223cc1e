"""From the document that `read.sql` returns to the catalog."""

import json
from typing import Any

from cairn.rest.catalog.functions import build_functions, computed_columns, computed_relationships
from cairn.rest.catalog.model import Catalog, Column, Name, Relationship, Table
from cairn.rest.catalog.origins import column_origins
from cairn.rest.catalog.relationships import Base, build_relationships
from cairn.rest.catalog.types import build_types, castable

Facts = dict[str, Any]

# The bits of pg_relation_is_updatable.
_VERBS = {8: "insert", 4: "update", 16: "delete"}


def build_catalog(document: str) -> Catalog:
    facts: Facts = json.loads(document)
    types = build_types(facts["types"])
    bases = {table["oid"]: _base(table) for table in facts["tables"]}
    resolved = {oid: _to_tables(base, bases) for oid, base in bases.items()}
    defaults = {(fact["oid"], one["number"]): one["default"] for fact in facts["tables"] for one in fact["columns"]}
    tables: dict[Name, Table] = {}
    for fact in facts["tables"]:
        if fact["exposed"]:
            table = Table(
                fact["schema"],
                fact["name"],
                {
                    column["name"]: Column(
                        column["name"], types[column["type"]], _default(fact, column, bases, defaults)
                    )
                    for column in fact["columns"]
                    if column["type"] in types
                },
                _primary_key(fact["oid"], resolved, bases),
                frozenset(verb for bit, verb in _VERBS.items() if fact["events"] & bit),
            )
            tables[table.key] = table
    row_types = {fact["type"]: (fact["schema"], fact["name"]) for fact in facts["tables"] if fact["exposed"]}
    functions = build_functions(facts["functions"], types, row_types, tables, facts["types"])
    relationships = build_relationships(facts["foreign_keys"], resolved, bases)
    for relationship in computed_relationships(facts["functions"], row_types):
        relationships.setdefault(relationship.source, []).append(relationship)
    computed, computed_in = computed_columns(facts["functions"], types, row_types)
    return Catalog(
        tables,
        _frozen(relationships),
        functions,
        castable(facts["types"], types),
        computed,
        computed_in,
        tuple(facts["geojson"]) if facts["geojson"] else None,
    )


def _frozen(relationships: dict[Name, list[Relationship]]) -> dict[Name, tuple[Relationship, ...]]:
    return {source: tuple(found) for source, found in relationships.items()}


def _base(fact: Facts) -> Base:
    names = {column["number"]: column["name"] for column in fact["columns"]}
    return Base(
        name=(fact["schema"], fact["name"]),
        exposed=fact["exposed"],
        names=names,
        keys=tuple((key["primary"], tuple(key["columns"])) for key in fact["keys"]),
        origins=column_origins(fact["rule"]) if fact["rule"] else {},
        is_view=fact["rule"] is not None,
    )


def _to_tables(base: Base, bases: dict[int, Base]) -> dict[tuple[int, int], str]:
    """(table, column number) -> the name under which this relation shows it."""
    shown: dict[tuple[int, int], str] = {}
    for number, name in base.names.items():
        origin = _origin(base, number, bases)
        if origin is not None:
            shown.setdefault(origin, name)
    return shown


def _origin(base: Base, number: int, bases: dict[int, Base]) -> tuple[int, int] | None:
    """Views upon views are followed down."""
    origin = base.origins.get(number)
    while origin is not None and origin[0] in bases and bases[origin[0]].is_view:
        origin = bases[origin[0]].origins.get(origin[1])
    return origin


def _default(
    fact: Facts, column: Facts, bases: dict[int, Base], defaults: dict[tuple[int, int], str | None]
) -> str | None:
    own: str | None = column["default"]
    origin = _origin(bases[fact["oid"]], column["number"], bases) if fact["passes_on"] else None
    return own if own is not None or origin is None else defaults.get(origin)


def _primary_key(oid: int, resolved: dict[int, dict[tuple[int, int], str]], bases: dict[int, Base]) -> tuple[str, ...]:
    """A view has the key of the first table whose whole key it shows."""
    base = bases[oid]
    if not base.is_view:
        return next((tuple(base.names[n] for n in columns) for primary, columns in base.keys if primary), ())
    shown = resolved[oid]
    for table in dict.fromkeys(table for table, _ in shown):
        for primary, columns in bases[table].keys if table in bases else ():
            if primary and all((table, n) in shown for n in columns):
                return tuple(shown[table, n] for n in columns)
    return ()
