"""Plans a write: the assigned columns, the conflict handling, and the rows to return."""

import json
from collections.abc import Iterable

from cairn.rest.catalog import Catalog, Table
from cairn.rest.errors import (
    InvalidBody,
    NoSuchColumnToWrite,
    PutBodyMustMatchKey,
    PutFiltersMustBeKey,
    PutWithRange,
)
from cairn.rest.grammar import Comparison, Level
from cairn.rest.plan.lookup import Rows, find_table
from cairn.rest.plan.model import (
    AllColumns,
    AssignedColumn,
    CteRows,
    Embedded,
    Output,
    Plan,
    Predicate,
    ReadPlan,
    Value,
    WritePlan,
)
from cairn.rest.plan.reads import ReadPlanner
from cairn.rest.request import EMPTY_OR_INVALID, ParsedRequest, Payload

WRITTEN = "cairn_written"
"""The name of the CTE that writes the rows."""


def plan_write(catalog: Catalog, parsed: ParsedRequest, *, aggregates: bool) -> Plan:
    table = find_table(catalog, parsed.schema, parsed.name)
    rows = Rows(table.name, table.columns, table.key)
    planner = ReadPlanner(catalog, parsed.query, aggregates=aggregates)
    location = table.primary_key if parsed.method == "POST" and parsed.returning == "headers-only" else ()
    # The read is planned even if nothing is returned, because a filter on a table that is not embedded is an error.
    read_back = planner.plan_read(rows, CteRows(WRITTEN), filtered=False)
    read_plan = read_back if parsed.returning == "representation" else None
    returned_columns = _returned_columns(read_plan) if read_plan else location
    if parsed.method == "DELETE":
        return Plan(
            read_plan, WritePlan("delete", table, where=planner.predicates(rows), returned_columns=returned_columns)
        )
    if parsed.payload is None or not parsed.payload.is_rows:
        raise InvalidBody(reason=EMPTY_OR_INVALID)
    # If the request lists the columns to write, the rows need not have the same keys.
    payload = parsed.payload if parsed.query.columns is None else parsed.payload._replace(same_keys=True)
    assigned_columns = _assigned_columns(table, parsed, payload)
    if parsed.method == "PATCH":
        return Plan(read_plan, _update(table, payload, assigned_columns, planner.predicates(rows), returned_columns))
    if parsed.method == "PUT":
        _check_put(table, parsed.query.level(()), payload)
    return Plan(read_plan, _insert(table, parsed, payload, assigned_columns, returned_columns), location)


def _assigned_columns(table: Table, parsed: ParsedRequest, payload: Payload) -> tuple[AssignedColumn, ...]:
    if payload.same_keys is False:
        raise InvalidBody(reason="All object keys must match")
    columns: list[AssignedColumn] = []
    for name in dict.fromkeys(payload.keys if parsed.query.columns is None else parsed.query.columns):
        column = table.columns.get(name)
        if column is None:
            raise NoSuchColumnToWrite(column=name, table=table.name)
        columns.append(AssignedColumn(column, column.default if parsed.prefer["missing"] == "default" else None))
    return tuple(columns)


def _update(
    table: Table,
    payload: Payload,
    assigned_columns: tuple[AssignedColumn, ...],
    where: tuple[Predicate, ...],
    returned_columns: tuple[str, ...] | None,
) -> WritePlan:
    if payload.row_count > 1:
        raise InvalidBody(reason="An update takes one object, not a list")
    return WritePlan("update", table, payload, assigned_columns, where, returned_columns=returned_columns)


def _insert(
    table: Table,
    parsed: ParsedRequest,
    payload: Payload,
    assigned_columns: tuple[AssignedColumn, ...],
    returned_columns: tuple[str, ...] | None,
) -> WritePlan:
    resolution = parsed.prefer["resolution"]
    columns = parsed.query.on_conflict or table.primary_key
    if parsed.method == "PUT":
        resolution, columns = "merge-duplicates", table.primary_key
    for name in columns if resolution else ():
        if name not in table.columns:
            raise NoSuchColumnToWrite(column=name, table=table.name)
    # Without conflict columns there can be no duplicates.
    if not resolution or not columns:
        return WritePlan("insert", table, payload, assigned_columns, returned_columns=returned_columns)
    return WritePlan(
        "insert",
        table,
        payload,
        assigned_columns,
        on_conflict="merge" if resolution == "merge-duplicates" else "ignore",
        conflict_columns=columns,
        returned_columns=returned_columns,
    )


def _check_put(table: Table, level: Level, payload: Payload) -> None:
    if level.limit is not None or level.offset is not None:
        raise PutWithRange
    filters = {
        condition.field.name: condition.value
        for condition in level.conditions
        if isinstance(condition, Comparison)
        and condition.operator == "eq"
        and not (condition.negated or condition.quantifier or condition.field.steps)
    }
    if len(level.conditions) != len(filters) or set(filters) != set(table.primary_key) or not filters:
        raise PutFiltersMustBeKey
    if payload.row_count != 1 or any(
        _filter_text(payload.first_row.get(name)) != value for name, value in filters.items()
    ):
        raise PutBodyMustMatchKey


def _filter_text(value: object) -> str:
    """Writes the value as in a filter of the query string."""
    return value if isinstance(value, str) else json.dumps(value)


def _returned_columns(read_plan: ReadPlan) -> tuple[str, ...] | None:
    """Returns only the requested columns, because the caller needs the SELECT privilege for each of them.

    Returns None if all columns are needed.
    """
    names: dict[str, None] = {}
    for output in read_plan.outputs:
        if isinstance(output, AllColumns) or _is_computed(output):
            return None
        names |= dict.fromkeys(_needed_columns(output, read_plan.alias))
    return tuple(names)


def _is_computed(output: Value | Embedded) -> bool:
    if isinstance(output, Embedded):
        return output.relationship.function is not None
    return output.ref is not None and output.ref.computed_by is not None


def _needed_columns(output: Output, alias: str) -> Iterable[str]:
    if isinstance(output, Embedded):
        relationship = output.relationship
        pairs = relationship.junction.source_columns if relationship.junction else relationship.columns
        return [column for column, _ in pairs]
    if isinstance(output, Value) and output.ref and output.ref.alias == alias:
        return [output.ref.column.name]
    return []
