"""Defines the plan of a request. All names are resolved, so the statement can be built without the catalog."""

from typing import Literal

from cairn.kit import frozen_dataclass
from cairn.rest.catalog import JSON, JSONB, TEXT, Column, Function, Name, Relationship, Table, Type
from cairn.rest.grammar import Step
from cairn.rest.request import Payload

_JSON_TYPES = frozenset({JSON.sql, JSONB.sql})


@frozen_dataclass
class ColumnRef:
    """A column of the relation with this alias, or a JSON value inside the column."""

    alias: str
    column: Column
    steps: tuple[Step, ...] = ()
    computed_by: Name | None = None
    row_type: Name | None = None
    """The row type to cast to before calling `computed_by`, because the rows of a CTE have no row type."""

    @property
    def type(self) -> Type:
        if not self.steps:
            return self.column.type.comparison_type
        if self.steps[-1].as_text:
            return TEXT
        return self.column.type.comparison_type if self.is_json_column else JSONB

    @property
    def is_json_column(self) -> bool:
        return self.column.type.comparison_type.sql in _JSON_TYPES


@frozen_dataclass
class ColumnTest:
    ref: ColumnRef
    operator: str
    value: str | tuple[str, ...]
    negated: bool
    quantifier: Literal["", "any", "all"]
    config: str | None


@frozen_dataclass
class EmbedTest:
    """Tests that an embed has rows, or that it has none if `has_rows` is false."""

    lateral: str
    """The alias of the lateral join."""

    has_rows: bool


@frozen_dataclass
class LogicGroup:
    operator: Literal["and", "or"]
    parts: tuple["Predicate", ...]
    negated: bool


Predicate = ColumnTest | EmbedTest | LogicGroup


@frozen_dataclass
class AllColumns:
    alias: str
    columns: tuple[str, ...]
    """The columns in the catalog. They are used only where `*` is not possible."""


@frozen_dataclass
class Value:
    label: str
    ref: ColumnRef | None
    cast: Type | None = None
    aggregate: str | None = None
    aggregate_cast: Type | None = None
    hidden: bool = False
    """True for a value that the parent level uses, and that is not part of the response."""


@frozen_dataclass
class Embedded:
    """Related rows of another table, joined to `parent` laterally under the alias `lateral`."""

    read: "ReadPlan"
    relationship: Relationship
    parent: str
    lateral: str
    label: str
    inner: bool
    spread: bool
    capped: bool = False
    """True if the limit is the setting `max_rows` and not from the request. Reaching it is reported to the client."""

    @property
    def shown(self) -> bool:
        """Returns False for an embed without outputs, such as `guests()`, which only filters the parent rows."""
        return bool(self.read.outputs)


Output = Value | AllColumns | Embedded


@frozen_dataclass
class Sort:
    ref: ColumnRef
    descending: bool
    nulls: Literal["first", "last"] | None
    through: Embedded | None = None
    """The embed that the column belongs to, if it is not a column of the table itself."""


@frozen_dataclass
class TableRows:
    """Rows of a table or view."""

    name: Name


@frozen_dataclass
class CteRows:
    """Rows of a CTE: the rows that a write returned, or the result of the function that the request calls."""

    cte: str


@frozen_dataclass
class FunctionRows:
    """Rows of a computed relationship: a function is called with each row of `parent`."""

    function: Name
    parent: str
    row_type: Name | None = None


@frozen_dataclass
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
    def has_filters(self) -> bool:
        return bool(self.where) or any(embed.read.has_filters for embed in self.embeds)

    @property
    def has_aggregates(self) -> bool:
        return any(isinstance(output, Value) and output.aggregate for output in self.outputs)

    @property
    def groups_embeds(self) -> bool:
        """Returns whether rows are grouped by the text of embeds, which PostgreSQL then builds even for a count."""
        is_grouped = self.has_aggregates and bool(self.embeds)
        return is_grouped or any(embed.read.groups_embeds for embed in self.embeds)

    @property
    def may_be_truncated(self) -> bool:
        """Returns whether an embed may have more rows than `max_rows` allows."""
        return any(embed.capped or embed.read.may_be_truncated for embed in self.embeds)


@frozen_dataclass
class AssignedColumn:
    """A column to write, and the SQL default for rows of the body that do not contain it."""

    column: Column
    default: str | None = None


@frozen_dataclass
class WritePlan:
    verb: Literal["insert", "update", "delete"]
    table: Table
    body: Payload | None = None
    """The body of the request. It is None for deletes."""

    assigned_columns: tuple[AssignedColumn, ...] = ()
    where: tuple[Predicate, ...] = ()
    on_conflict: Literal["", "merge", "ignore"] = ""
    conflict_columns: tuple[str, ...] = ()
    returned_columns: tuple[str, ...] | None = ()
    """The columns that the response needs, or None for all. If it is empty, no SELECT privilege is needed."""


@frozen_dataclass
class CallPlan:
    function: Function
    body: Payload | None
    """The body that contains the arguments, unless they are in the query string."""

    argument_names: tuple[str, ...] = ()
    """The arguments in the body."""

    values: tuple[tuple[str, str | tuple[str, ...]], ...] = ()
    """The names and values of the arguments in the query string."""

    whole_body: bool = False
    """True if the function takes the whole body as its single unnamed argument."""


@frozen_dataclass
class Plan:
    read: ReadPlan | None
    """The rows to return; None if the response has no body."""

    action: WritePlan | CallPlan | None = None
    location: tuple[str, ...] = ()
    """The key columns for the `Location` header of an inserted row."""

    geojson: Name | None = None
    """The function that turns a row into a GeoJSON feature, if the response is GeoJSON."""

    @property
    def has_filters(self) -> bool:
        """Returns whether rows are filtered. The best plan of PostgreSQL then depends on the values of the filters."""
        filtered_write = isinstance(self.action, WritePlan) and self.action.where
        return bool(filtered_write or (self.read and self.read.has_filters))
