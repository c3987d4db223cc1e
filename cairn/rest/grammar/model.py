"""The syntax tree of a query string. Whether its tables and columns exist is checked by planning."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Path = tuple[str, ...]
"""The embeds from the root to a level, each by alias or name; empty for the root."""


@dataclass(frozen=True, slots=True)
class Step:
    """One arrow operator (`->` or `->>`) into a JSON value."""

    key: str | int
    as_text: bool


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    steps: tuple[Step, ...] = ()

    @property
    def label(self) -> str:
        """The key of the value in the response: the last name in its path."""
        names = [step.key for step in self.steps if isinstance(step.key, str)]
        return names[-1] if names else self.name


@dataclass(frozen=True, slots=True)
class Comparison:
    field: Field
    operator: str
    value: str | tuple[str, ...]
    negated: bool = False
    quantifier: Literal["", "any", "all"] = ""
    config: str | None = None


@dataclass(frozen=True, slots=True)
class Logic:
    operator: Literal["and", "or"]
    parts: tuple["Condition", ...]
    negated: bool = False


Condition = Comparison | Logic


@dataclass(frozen=True, slots=True)
class Ordering:
    field: Field
    descending: bool = False
    nulls: Literal["first", "last"] | None = None
    relation: str | None = None


@dataclass(frozen=True, slots=True)
class Star:
    """All columns of the table, except computed ones."""


@dataclass(frozen=True, slots=True)
class Column:
    field: Field | None
    """None only for `count()`, which counts rows."""

    alias: str | None = None
    cast: str | None = None
    aggregate: str | None = None
    aggregate_cast: str | None = None


@dataclass(frozen=True, slots=True)
class Embed:
    relation: str
    items: tuple["Item", ...]
    alias: str | None = None
    hint: str | None = None
    inner: bool = False
    spread: bool = False

    @property
    def label(self) -> str:
        return self.alias or self.relation


Item = Star | Column | Embed


@dataclass(frozen=True, slots=True)
class Level:
    """Filters, order and range of one table in the tree of embeds."""

    conditions: tuple[Condition, ...] = ()
    order: tuple[Ordering, ...] = ()
    limit: int | None = None
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function call: an argument or a filter, depending on the signature of the function."""

    name: str
    value: str
    condition: Condition | None


@dataclass(frozen=True, slots=True)
class Query:
    select: tuple[Item, ...] = (Star(),)
    levels: Mapping[Path, Level] = field(default_factory=dict)
    columns: tuple[str, ...] | None = None
    on_conflict: tuple[str, ...] | None = None
    parameters: tuple[Parameter, ...] = ()

    def level(self, path: Path) -> Level:
        return self.levels.get(path, Level())
