"""Defines the syntax tree of a query string. Planning checks whether its tables and columns exist."""

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from cairn.kit import frozen_dataclass

Path = tuple[str, ...]
"""The aliases or names of the embeds that lead from the root to a level. The path of the root is empty."""


@frozen_dataclass
class Step:
    """One arrow operator (`->` or `->>`) into a JSON value."""

    key: str | int
    as_text: bool


@frozen_dataclass
class Field:
    name: str
    steps: tuple[Step, ...] = ()

    @property
    def label(self) -> str:
        """Returns the key of the value in the response, which is the last name in its path."""
        names = [step.key for step in self.steps if isinstance(step.key, str)]
        return names[-1] if names else self.name


@frozen_dataclass
class Comparison:
    field: Field
    operator: str
    value: str | tuple[str, ...]
    negated: bool = False
    quantifier: Literal["", "any", "all"] = ""
    config: str | None = None
    """The text search configuration of a full-text operator."""


@frozen_dataclass
class Logic:
    operator: Literal["and", "or"]
    parts: tuple["Condition", ...]
    negated: bool = False


Condition = Comparison | Logic


@frozen_dataclass
class Ordering:
    field: Field
    descending: bool = False
    nulls: Literal["first", "last"] | None = None
    relation: str | None = None
    """The to-one embed that the field belongs to, if it is not a field of the table itself."""


@frozen_dataclass
class Star:
    """All columns of the table, except computed ones."""


@frozen_dataclass
class Column:
    field: Field | None
    """None for `count()`, which counts rows instead of values."""

    alias: str | None = None
    cast: str | None = None
    aggregate: str | None = None
    aggregate_cast: str | None = None


@frozen_dataclass
class Embed:
    relation: str
    items: tuple["Item", ...]
    alias: str | None = None
    hint: str | None = None
    """The foreign key or junction to use if there are several relationships."""

    inner: bool = False
    spread: bool = False
    """The columns of the embed become columns of the parent row."""

    @property
    def label(self) -> str:
        return self.alias or self.relation


Item = Star | Column | Embed


@frozen_dataclass
class Level:
    """The filters, the order and the range of one table in the tree of embeds."""

    conditions: tuple[Condition, ...] = ()
    order: tuple[Ordering, ...] = ()
    limit: int | None = None
    offset: int | None = None


@frozen_dataclass
class Parameter:
    """A query parameter of a function call. The signature of the function decides if it is an argument or a filter."""

    name: str
    value: str
    condition: Condition | None


@frozen_dataclass
class Query:
    select: tuple[Item, ...] = (Star(),)
    levels: Mapping[Path, Level] = field(default_factory=dict)
    columns: tuple[str, ...] | None = None
    on_conflict: tuple[str, ...] | None = None
    parameters: tuple[Parameter, ...] = ()

    def level(self, path: Path) -> Level:
        return self.levels.get(path, Level())
