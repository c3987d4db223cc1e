"""Relationships by foreign keys: between tables, views that contain the key columns, and through junctions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from cairn.rest.catalog.model import Junction, Name, Relationship

Shown = Mapping[tuple[int, int], str]


@dataclass(frozen=True, slots=True)
class Base:
    """A table or view, with everything that its relationships depend on."""

    name: Name
    exposed: bool
    names: Mapping[int, str]
    keys: tuple[tuple[bool, tuple[int, ...]], ...]
    origins: Mapping[int, tuple[int, int]]
    is_view: bool


def build_relationships(
    foreign_keys: list[dict[str, Any]], resolved: Mapping[int, Shown], bases: Mapping[int, Base]
) -> dict[Name, list[Relationship]]:
    found: dict[Name, list[Relationship]] = {}
    for key in foreign_keys:
        if key["source"] in bases and key["target"] in bases:
            for relationship in _both_directions(key, resolved, bases):
                found.setdefault(relationship.source, []).append(relationship)
    for relationship in list(_many_to_many(bases, found)):
        found.setdefault(relationship.source, []).append(relationship)
    return found


def _both_directions(
    key: dict[str, Any], resolved: Mapping[int, Shown], bases: Mapping[int, Base]
) -> Iterator[Relationship]:
    unique = any(set(columns) <= set(key["columns"]) for _, columns in bases[key["source"]].keys)
    for source, source_columns in _showing(key["source"], key["columns"], resolved, bases):
        for target, target_columns in _showing(key["target"], key["target_columns"], resolved, bases):
            there = tuple(zip(source_columns, target_columns, strict=True))
            back = tuple(zip(target_columns, source_columns, strict=True))
            yield Relationship(key["name"], source, target, "one-to-one" if unique else "many-to-one", there)
            yield Relationship(key["name"], target, source, "one-to-one" if unique else "one-to-many", back)


def _showing(
    table: int, columns: list[int], resolved: Mapping[int, Shown], bases: Mapping[int, Base]
) -> Iterator[tuple[Name, list[str]]]:
    """The table itself and every view that contains all these columns, if exposed."""
    for oid, base in bases.items():
        if not base.exposed:
            continue
        if oid == table:
            yield base.name, [base.names[number] for number in columns]
        elif all((table, number) in resolved[oid] for number in columns):
            yield base.name, [resolved[oid][table, number] for number in columns]


def _many_to_many(bases: Mapping[int, Base], found: Mapping[Name, list[Relationship]]) -> Iterator[Relationship]:
    """A junction is a table whose primary key contains both of its foreign keys."""
    for base in bases.values():
        key = {base.names[number] for primary, columns in base.keys if primary for number in columns}
        to_one = [
            relationship
            for relationship in found.get(base.name, ())
            if relationship.to_one and key and {column for column, _ in relationship.columns} <= key
        ]
        for first, second in permutations(to_one, 2):
            if first.constraint != second.constraint:
                back = tuple((target, source) for source, target in first.columns)
                junction = Junction(base.name, (first.constraint, second.constraint), back, second.columns)
                yield Relationship("", first.target, second.target, "many-to-many", junction=junction)
