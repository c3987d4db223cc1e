"""Builds the catalog from the JSON document that `read.sql` returns."""

import json
from typing import Any

from cairn.rest.catalog.functions import build_functions, computed_columns, computed_relationships
from cairn.rest.catalog.model import Catalog, Column, Name, Relationship, Table
from cairn.rest.catalog.origins import column_origins
from cairn.rest.catalog.relationships import Base, build_relationships
from cairn.rest.catalog.types import build_types, castable

JsonObject = dict[str, Any]

# The bits of pg_relation_is_updatable.
_VERBS = {8: "insert", 4: "update", 16: "delete"}


def build_catalog(document: str) -> Catalog:
    source: JsonObject = json.loads(document)
    types = build_types(source["types"])
    bases = {table["oid"]: _base(table) for table in source["tables"]}
    resolved = {oid: _shown_columns(base, bases) for oid, base in bases.items()}
    defaults = {
        (relation["oid"], column["number"]): column["default"]
        for relation in source["tables"]
        for column in relation["columns"]
    }
    tables: dict[Name, Table] = {}
    for relation in source["tables"]:
        if relation["exposed"]:
            table = Table(
                relation["schema"],
                relation["name"],
                {
                    column["name"]: Column(
                        column["name"], types[column["type"]], _default(relation, column, bases, defaults)
                    )
                    for column in relation["columns"]
                    if column["type"] in types
                },
                _primary_key(relation["oid"], resolved, bases),
                frozenset(verb for bit, verb in _VERBS.items() if relation["events"] & bit),
            )
            tables[table.key] = table
    row_types = {
        relation["type"]: (relation["schema"], relation["name"]) for relation in source["tables"] if relation["exposed"]
    }
    functions = build_functions(source["functions"], types, row_types, tables, source["types"])
    relationships = build_relationships(source["foreign_keys"], resolved, bases)
    for relationship in computed_relationships(source["functions"], row_types):
        relationships.setdefault(relationship.source, []).append(relationship)
    computed, computed_in = computed_columns(source["functions"], types, row_types)
    return Catalog(
        tables,
        _frozen(relationships),
        functions,
        castable(source["types"], types),
        computed,
        computed_in,
        tuple(source["geojson"]) if source["geojson"] else None,
    )


def _frozen(relationships: dict[Name, list[Relationship]]) -> dict[Name, tuple[Relationship, ...]]:
    return {source: tuple(found) for source, found in relationships.items()}


def _base(relation: JsonObject) -> Base:
    names = {column["number"]: column["name"] for column in relation["columns"]}
    return Base(
        name=(relation["schema"], relation["name"]),
        exposed=relation["exposed"],
        names=names,
        keys=tuple((key["primary"], tuple(key["columns"])) for key in relation["keys"]),
        origins=column_origins(relation["rule"]) if relation["rule"] else {},
        is_view=relation["rule"] is not None,
    )


def _shown_columns(base: Base, bases: dict[int, Base]) -> dict[tuple[int, int], str]:
    """(table, column number) -> the name of that column in this relation."""
    shown: dict[tuple[int, int], str] = {}
    for number, name in base.names.items():
        origin = _origin(base, number, bases)
        if origin is not None:
            shown.setdefault(origin, name)
    return shown


def _origin(base: Base, number: int, bases: dict[int, Base]) -> tuple[int, int] | None:
    """The column of a table that this column comes from; views on views are followed down to the table."""
    origin = base.origins.get(number)
    while origin is not None and origin[0] in bases and bases[origin[0]].is_view:
        origin = bases[origin[0]].origins.get(origin[1])
    return origin


def _default(
    relation: JsonObject, column: JsonObject, bases: dict[int, Base], defaults: dict[tuple[int, int], str | None]
) -> str | None:
    own: str | None = column["default"]
    origin = _origin(bases[relation["oid"]], column["number"], bases) if relation["passes_on"] else None
    return own if own is not None or origin is None else defaults.get(origin)


def _primary_key(oid: int, resolved: dict[int, dict[tuple[int, int], str]], bases: dict[int, Base]) -> tuple[str, ...]:
    """A view has the primary key of the first table whose whole key is among its columns."""
    base = bases[oid]
    if not base.is_view:
        return next((tuple(base.names[n] for n in columns) for primary, columns in base.keys if primary), ())
    shown = resolved[oid]
    for table in dict.fromkeys(table for table, _ in shown):
        for primary, columns in bases[table].keys if table in bases else ():
            if primary and all((table, n) in shown for n in columns):
                return tuple(shown[table, n] for n in columns)
    return ()
