"""What a query string says, before anybody asked whether such tables and columns exist."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Path = tuple[str, ...]
"""The embeds one walks through from the root, by alias or name; empty for the root itself."""


@dataclass(frozen=True, slots=True)
class Step:
    """One arrow into a json value."""

    key: str | int
    as_text: bool


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    steps: tuple[Step, ...] = ()

    @property
    def label(self) -> str:
        """The key under which the value comes back: the last name on the way to it."""
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
    """All columns of the table, computed ones excepted."""


@dataclass(frozen=True, slots=True)
class Column:
    field: Field | None
    """None only in `count()`, which counts rows."""

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
    """What is asked of the rows of one table in the tree."""

    conditions: tuple[Condition, ...] = ()
    order: tuple[Ordering, ...] = ()
    limit: int | None = None
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class Parameter:
    """Of a function call: an argument or a filter, which only the function's own signature can tell."""

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
