"""Describes the objects of the database, as far as planning needs them."""

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from cairn.kit import frozen_dataclass

Name = tuple[str, str]
"""The schema and the name of a table, view or function."""


@frozen_dataclass
class Type:
    """A type. Its SQL is qualified, quoted, and without a length, because a cast to a length would truncate values."""

    sql: str
    array_sql: str
    category: str
    """The category character of PostgreSQL: S for strings, A for arrays, and so on."""

    name: str = ""
    """The name for messages and documentation."""

    base: "Type | None" = None
    """The base type of a domain. Filters use it, because a filter value need not satisfy the domain's constraints."""

    @property
    def comparison_type(self) -> "Type":
        return self.base.comparison_type if self.base else self


TEXT = Type("pg_catalog.text", "pg_catalog._text", "S", "text")
JSON = Type("pg_catalog.json", "pg_catalog._json", "U", "json")
JSONB = Type("pg_catalog.jsonb", "pg_catalog._jsonb", "U", "jsonb")


@frozen_dataclass
class Column:
    name: str
    type: Type
    default: str | None = None


@frozen_dataclass
class Table:
    schema: str
    name: str
    columns: Mapping[str, Column]
    primary_key: tuple[str, ...] = ()
    supported_writes: frozenset[str] = frozenset({"insert", "update", "delete"})

    @property
    def key(self) -> Name:
        return (self.schema, self.name)


@frozen_dataclass
class Junction:
    """The table in the middle of a many-to-many relationship."""

    table: Name
    constraints: tuple[str, str]
    source_columns: tuple[tuple[str, str], ...]
    """Each pair is a column of the source and the matching column of the junction."""

    target_columns: tuple[tuple[str, str], ...]
    """Each pair is a column of the junction and the matching column of the target."""


@frozen_dataclass
class Relationship:
    """A relationship in one direction. Each foreign key yields two of them."""

    constraint: str
    source: Name
    target: Name
    cardinality: Literal["many-to-one", "one-to-one", "one-to-many", "many-to-many"]
    columns: tuple[tuple[str, str], ...] = ()
    """Each pair is a column of the source and the matching column of the target."""

    target_is_view: bool = False
    junction: Junction | None = None
    function: Name | None = None
    """The function that computes the related rows, if they are not found by columns."""

    @property
    def to_one(self) -> bool:
        return self.cardinality in ("many-to-one", "one-to-one")


@frozen_dataclass
class Argument:
    name: str
    type: Type
    required: bool
    variadic: bool = False


@frozen_dataclass
class Function:
    schema: str
    name: str
    arguments: tuple[Argument, ...]
    volatile: bool
    returns: Literal["void", "scalar", "row"]
    returns_set: bool
    columns: Mapping[str, Column] = field(default_factory=dict)
    table: Name | None = None
    """The table whose row type the function returns, if any."""


@frozen_dataclass
class Catalog:
    tables: Mapping[Name, Table]
    relationships: Mapping[Name, tuple[Relationship, ...]]
    functions: Mapping[Name, tuple[Function, ...]]
    types: Mapping[str, Type]
    """All types, by every name that a cast may use."""

    computed_columns: Mapping[tuple[Name, str], Column] = field(default_factory=dict)
    """Computed columns are functions that take one row of a table and return a value."""

    computed_by: Mapping[tuple[Name, str], Name] = field(default_factory=dict)
    """The function of each computed column."""

    geojson: Name | None = None
    """The function that turns a row into a GeoJSON feature; None without PostGIS."""
