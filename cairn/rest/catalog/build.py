"""Builds the catalog from the JSON document that `read.sql` returns."""

import json
from typing import Any

from cairn.rest.catalog.functions import build_functions, computed_columns, computed_relationships
from cairn.rest.catalog.model import Catalog, Column, Name, Relationship, Table
from cairn.rest.catalog.origins import column_origins
from cairn.rest.catalog.relationships import NamesByOrigin, Relation, build_relationships
from cairn.rest.catalog.types import build_types, castable_types

JsonObject = dict[str, Any]

# The keys are the bits that pg_relation_is_updatable returns.
_WRITE_BITS = {8: "insert", 4: "update", 16: "delete"}


def build_catalog(document: str) -> Catalog:
    source: JsonObject = json.loads(document)
    types = build_types(source["types"])
    relations = {row["oid"]: _relation(row) for row in source["tables"]}
    names_by_origin = {oid: _names_by_origin(relation, relations) for oid, relation in relations.items()}
    defaults = {
        (row["oid"], column["number"]): column["default"] for row in source["tables"] for column in row["columns"]
    }
    tables: dict[Name, Table] = {}
    for row in source["tables"]:
        if row["exposed"]:
            table = Table(
                row["schema"],
                row["name"],
                {
                    column["name"]: Column(
                        column["name"], types[column["type"]], _default(row, column, relations, defaults)
                    )
                    for column in row["columns"]
                    if column["type"] in types
                },
                _primary_key(row["oid"], names_by_origin, relations),
                frozenset(write for bit, write in _WRITE_BITS.items() if row["updatable_bits"] & bit),
            )
            tables[table.key] = table
    row_types = {row["type"]: (row["schema"], row["name"]) for row in source["tables"] if row["exposed"]}
    functions = build_functions(source["functions"], types, row_types, tables, source["types"])
    relationships = build_relationships(source["foreign_keys"], names_by_origin, relations)
    for relationship in computed_relationships(source["functions"], row_types):
        relationships.setdefault(relationship.source, []).append(relationship)
    computed, computed_by = computed_columns(source["functions"], types, row_types)
    return Catalog(
        tables,
        _freeze(relationships),
        functions,
        castable_types(source["types"], types),
        computed,
        computed_by,
        tuple(source["geojson"]) if source["geojson"] else None,
    )


def _freeze(relationships: dict[Name, list[Relationship]]) -> dict[Name, tuple[Relationship, ...]]:
    return {source: tuple(targets) for source, targets in relationships.items()}


def _relation(row: JsonObject) -> Relation:
    return Relation(
        name=(row["schema"], row["name"]),
        exposed=row["exposed"],
        column_names={column["number"]: column["name"] for column in row["columns"]},
        keys=tuple((key["primary"], tuple(key["columns"])) for key in row["keys"]),
        origins=column_origins(row["rule"]) if row["rule"] else {},
        is_view=row["rule"] is not None,
    )


def _names_by_origin(relation: Relation, relations: dict[int, Relation]) -> NamesByOrigin:
    names: dict[tuple[int, int], str] = {}
    for number, name in relation.column_names.items():
        origin = _origin(relation, number, relations)
        if origin is not None:
            names.setdefault(origin, name)
    return names


def _origin(relation: Relation, number: int, relations: dict[int, Relation]) -> tuple[int, int] | None:
    """Returns the table column that this column comes from, even if there are several views in between."""
    origin = relation.origins.get(number)
    while origin is not None and origin[0] in relations and relations[origin[0]].is_view:
        origin = relations[origin[0]].origins.get(origin[1])
    return origin


def _default(
    row: JsonObject, column: JsonObject, relations: dict[int, Relation], defaults: dict[tuple[int, int], str | None]
) -> str | None:
    own_default: str | None = column["default"]
    origin = _origin(relations[row["oid"]], column["number"], relations) if row["inherits_defaults"] else None
    return own_default if own_default is not None or origin is None else defaults.get(origin)


def _primary_key(
    oid: int, names_by_origin: dict[int, NamesByOrigin], relations: dict[int, Relation]
) -> tuple[str, ...]:
    """Returns the key of the table. A view has the key of the first table whose whole key is among its columns."""
    relation = relations[oid]
    if not relation.is_view:
        return next(
            (tuple(relation.column_names[n] for n in columns) for primary, columns in relation.keys if primary), ()
        )
    names = names_by_origin[oid]
    for table in dict.fromkeys(table for table, _ in names):
        for primary, columns in relations[table].keys if table in relations else ():
            if primary and all((table, n) in names for n in columns):
                return tuple(names[table, n] for n in columns)
    return ()
