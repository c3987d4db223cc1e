"""A request with every name resolved: what `sql` writes down without having to ask anybody."""

from dataclasses import dataclass
from typing import Literal

from cairn.rest.catalog import JSON, JSONB, TEXT, Column, Function, Name, Relationship, Table, Type
from cairn.rest.grammar import Step
from cairn.rest.request import Payload

_JSON_TYPES = frozenset({JSON.sql, JSONB.sql})


@dataclass(frozen=True, slots=True)
class ColumnRef:
    """A column of the relation that goes by `alias`, or a value inside it."""

    alias: str
    column: Column
    steps: tuple[Step, ...] = ()
    computed_by: Name | None = None
    row_type: Name | None = None
    """Of which table the row is, where it has to be said: a function takes no row whose type was lost on the way."""

    @property
    def type(self) -> Type:
        if not self.steps:
            return self.column.type.compared_as
        if self.steps[-1].as_text:
            return TEXT
        return self.column.type.compared_as if self.holds_json else JSONB

    @property
    def holds_json(self) -> bool:
        return self.column.type.compared_as.sql in _JSON_TYPES


@dataclass(frozen=True, slots=True)
class ColumnTest:
    ref: ColumnRef
    operator: str
    value: str | tuple[str, ...]
    negated: bool
    quantifier: Literal["", "any", "all"]
    config: str | None


@dataclass(frozen=True, slots=True)
class EmbedTest:
    """Whether anything was embedded, which makes a join of an embed."""

    lateral: str
    there: bool


@dataclass(frozen=True, slots=True)
class LogicGroup:
    operator: Literal["and", "or"]
    parts: tuple["Predicate", ...]
    negated: bool


Predicate = ColumnTest | EmbedTest | LogicGroup


@dataclass(frozen=True, slots=True)
class AllColumns:
    alias: str
    columns: tuple[str, ...]
    """As far as known; written out only where a star will not do."""


@dataclass(frozen=True, slots=True)
class Value:
    label: str
    ref: ColumnRef | None
    cast: Type | None = None
    aggregate: str | None = None
    aggregate_cast: Type | None = None
    hidden: bool = False
    """Of use to the level above, and no part of the answer."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """Rows of another table that belong to each row of `parent`, joined in under the name `lateral`."""

    read: "ReadPlan"
    relationship: Relationship
    parent: str
    lateral: str
    label: str
    inner: bool
    spread: bool
    capped: bool = False
    """Its limit is the operator's, so that reaching it must be told."""

    @property
    def shown(self) -> bool:
        return bool(self.read.outputs)


Output = Value | AllColumns | Embedded


@dataclass(frozen=True, slots=True)
class Sort:
    ref: ColumnRef
    descending: bool
    nulls: Literal["first", "last"] | None
    through: Embedded | None = None


@dataclass(frozen=True, slots=True)
class TableRows:
    """Rows of a table or view."""

    name: Name


@dataclass(frozen=True, slots=True)
class CteRows:
    """Rows another part of the same statement made: written ones, or those a function returned."""

    cte: str


@dataclass(frozen=True, slots=True)
class FunctionRows:
    """Rows a function finds for the row of `parent`."""

    function: Name
    parent: str
    row_type: Name | None = None


@dataclass(frozen=True, slots=True)
class ReadPlan:
    source: TableRows | CteRows | FunctionRows
    alias: str
    outputs: "tuple[Output, ...]" = ()
    where: tuple[Predicate, ...] = ()
    order: tuple[Sort, ...] = ()
    limit: int | None = None
    offset: int | None = None

    @property
    def embeds(self) -> tuple[Embedded, ...]:
        return tuple(output for output in self.outputs if isinstance(output, Embedded))

    @property
    def filters(self) -> bool:
        return bool(self.where) or any(embed.read.filters for embed in self.embeds)

    @property
    def aggregates(self) -> bool:
        return any(isinstance(output, Value) and output.aggregate for output in self.outputs)

    @property
    def may_be_cut(self) -> bool:
        """Somewhere within, beyond what the caller asked to leave out."""
        return any(embed.capped or embed.read.may_be_cut for embed in self.embeds)


@dataclass(frozen=True, slots=True)
class AssignedColumn:
    """A column to write, and what stands in for it when a row of the body does not mention it."""

    column: Column
    default: str | None = None


@dataclass(frozen=True, slots=True)
class WritePlan:
    verb: Literal["insert", "update", "delete"]
    table: Table
    body: Payload | None = None
    """None for deletes."""

    assigned: tuple[AssignedColumn, ...] = ()
    where: tuple[Predicate, ...] = ()
    on_conflict: Literal["", "merge", "ignore"] = ""
    conflict_columns: tuple[str, ...] = ()
    returned: tuple[str, ...] | None = ()
    """Columns the answer needs; None for all of them. Asking for none needs no right to read."""


@dataclass(frozen=True, slots=True)
class CallPlan:
    function: Function
    body: Payload | None
    """Holds the arguments, when they did not come in the address."""

    given: tuple[str, ...] = ()
    values: tuple[tuple[str, str | tuple[str, ...]], ...] = ()
    whole_body: bool = False
    """The function takes the body itself as its only, unnamed argument."""


@dataclass(frozen=True, slots=True)
class Plan:
    read: ReadPlan | None
    """What is sent back; None when nothing but headers is."""

    action: WritePlan | CallPlan | None = None
    location: tuple[str, ...] = ()
    """Key columns that name the one row that was written."""

    geojson: Name | None = None
    """The function that makes a feature of a row, when features are what is asked for."""

    @property
    def filters(self) -> bool:
        """Whether it depends on values how it is best carried out."""
        acts = isinstance(self.action, WritePlan) and self.action.where
        return bool(acts or (self.read and self.read.filters))
