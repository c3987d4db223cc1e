"""What the database offers, as the planner needs to know it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Name = tuple[str, str]
"""Schema and name."""


@dataclass(frozen=True, slots=True)
class Type:
    """A type as it is written in a cast: qualified and quoted, without length, as a cast to a length would cut."""

    sql: str
    array_sql: str
    category: str
    """Postgres's own letter: S for strings, A for arrays, and so on."""

    name: str = ""
    """As people read it."""

    base: "Type | None" = None
    """What a domain stands on. Comparisons use it, for a value need not satisfy the domain to be asked for."""

    @property
    def compared_as(self) -> "Type":
        return self.base.compared_as if self.base else self


TEXT = Type("pg_catalog.text", "pg_catalog._text", "S", "text")
JSON = Type("pg_catalog.json", "pg_catalog._json", "U", "json")
JSONB = Type("pg_catalog.jsonb", "pg_catalog._jsonb", "U", "jsonb")


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    type: Type
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    schema: str
    name: str
    columns: Mapping[str, Column]
    primary_key: tuple[str, ...] = ()
    verbs: frozenset[str] = frozenset({"insert", "update", "delete"})

    @property
    def key(self) -> Name:
        return (self.schema, self.name)


@dataclass(frozen=True, slots=True)
class Junction:
    """The table in the middle of a many-to-many relationship."""

    table: Name
    constraints: tuple[str, str]
    source_columns: tuple[tuple[str, str], ...]
    """Pairs: column of the source, column of the junction."""

    target_columns: tuple[tuple[str, str], ...]
    """Pairs: column of the junction, column of the target."""


@dataclass(frozen=True, slots=True)
class Relationship:
    """One way from a table to another. Each foreign key is two: there and back."""

    constraint: str
    source: Name
    target: Name
    cardinality: Literal["many-to-one", "one-to-one", "one-to-many", "many-to-many"]
    columns: tuple[tuple[str, str], ...] = ()
    """Pairs: column of the source, column of the target."""

    junction: Junction | None = None
    function: Name | None = None
    """A relationship that is computed from the row, instead of found by columns."""

    @property
    def to_one(self) -> bool:
        return self.cardinality in ("many-to-one", "one-to-one")


@dataclass(frozen=True, slots=True)
class Argument:
    name: str
    type: Type
    required: bool
    variadic: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    schema: str
    name: str
    arguments: tuple[Argument, ...]
    volatile: bool
    returns: Literal["void", "scalar", "row"]
    returns_set: bool
    columns: Mapping[str, Column] = field(default_factory=dict)
    table: Name | None = None
    """Whose rows it returns, when it returns rows of a table."""


@dataclass(frozen=True, slots=True)
class Catalog:
    tables: Mapping[Name, Table]
    relationships: Mapping[Name, tuple[Relationship, ...]]
    functions: Mapping[Name, tuple[Function, ...]]
    types: Mapping[str, Type]
    """By every name under which a cast may ask for one."""

    computed: Mapping[tuple[Name, str], Column] = field(default_factory=dict)
    """Functions of one row that return a value: asked for like columns of its table."""

    computed_in: Mapping[tuple[Name, str], Name] = field(default_factory=dict)
    geojson: Name | None = None
    """The function that makes a feature of any row; only a database with PostGIS has one."""
