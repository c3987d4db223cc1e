"""Finds relationships by foreign keys: between tables, between views that contain the key, and through junctions."""

from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any

from cairn.kit import frozen_dataclass
from cairn.rest.catalog.model import Junction, Name, Relationship

NamesByOrigin = Mapping[tuple[int, int], str]
"""Maps a table and a column number to the name of that column in a table or view."""


@frozen_dataclass
class Relation:
    """A table or view, with everything that its relationships depend on."""

    name: Name
    exposed: bool
    column_names: Mapping[int, str]
    keys: tuple[tuple[bool, tuple[int, ...]], ...]
    """The column numbers of each unique index, after a flag that is true for the primary key."""

    origins: Mapping[int, tuple[int, int]]
    """The table and the column number that each column of a view comes from."""

    is_view: bool


def build_relationships(
    foreign_keys: list[dict[str, Any]], names_by_origin: Mapping[int, NamesByOrigin], relations: Mapping[int, Relation]
) -> dict[Name, list[Relationship]]:
    by_source: dict[Name, list[Relationship]] = {}
    for key in foreign_keys:
        if key["source"] in relations and key["target"] in relations:
            for relationship in _both_directions(key, names_by_origin, relations):
                by_source.setdefault(relationship.source, []).append(relationship)
    for relationship in list(_many_to_many(relations, by_source)):
        by_source.setdefault(relationship.source, []).append(relationship)
    return by_source


def _both_directions(
    key: dict[str, Any], names_by_origin: Mapping[int, NamesByOrigin], relations: Mapping[int, Relation]
) -> Iterator[Relationship]:
    unique = any(set(columns) <= set(key["columns"]) for _, columns in relations[key["source"]].keys)
    for source, source_columns in _relations_with_columns(key["source"], key["columns"], names_by_origin, relations):
        for target, target_columns in _relations_with_columns(
            key["target"], key["target_columns"], names_by_origin, relations
        ):
            yield Relationship(
                key["name"],
                source.name,
                target.name,
                "one-to-one" if unique else "many-to-one",
                tuple(zip(source_columns, target_columns, strict=True)),
                target.is_view,
            )
            yield Relationship(
                key["name"],
                target.name,
                source.name,
                "one-to-one" if unique else "one-to-many",
                tuple(zip(target_columns, source_columns, strict=True)),
                source.is_view,
            )


def _relations_with_columns(
    table: int, columns: list[int], names_by_origin: Mapping[int, NamesByOrigin], relations: Mapping[int, Relation]
) -> Iterator[tuple[Relation, list[str]]]:
    """Yields the table itself and every view that contains all these columns, if it is exposed."""
    for oid, relation in relations.items():
        if not relation.exposed:
            continue
        if oid == table:
            yield relation, [relation.column_names[number] for number in columns]
        elif all((table, number) in names_by_origin[oid] for number in columns):
            yield relation, [names_by_origin[oid][table, number] for number in columns]


def _many_to_many(
    relations: Mapping[int, Relation], by_source: Mapping[Name, list[Relationship]]
) -> Iterator[Relationship]:
    """Finds relationships through junctions. The primary key of a junction contains both of its foreign keys."""
    for relation in relations.values():
        key = {relation.column_names[number] for primary, columns in relation.keys if primary for number in columns}
        to_one = [
            relationship
            for relationship in by_source.get(relation.name, ())
            if relationship.to_one and key and {column for column, _ in relationship.columns} <= key
        ]
        for first, second in permutations(to_one, 2):
            if first.constraint != second.constraint:
                source_columns = tuple((target, source) for source, target in first.columns)
                junction = Junction(
                    relation.name, (first.constraint, second.constraint), source_columns, second.columns
                )
                yield Relationship("", first.target, second.target, "many-to-many", junction=junction)
