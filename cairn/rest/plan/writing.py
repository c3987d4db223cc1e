"""Writes: which columns, from which body, on which conflict, and what of it is read back."""

import json
from collections.abc import Iterable

from cairn.rest.body import EMPTY_OR_INVALID, Payload
from cairn.rest.catalog import Catalog, Table
from cairn.rest.errors import (
    BodyNotUnderstood,
    NoSuchColumnToWrite,
    PutBodyNotTheKey,
    PutFiltersNotTheKey,
    PutWithRange,
)
from cairn.rest.grammar import Comparison, Level
from cairn.rest.plan.lookup import find_table
from cairn.rest.plan.model import Assigned, Embedded, Everything, Made, Output, Plan, Predicate, Reading, Value, Writing
from cairn.rest.plan.reading import Rows, Tree
from cairn.rest.request import Asked

WRITTEN = "cairn_written"


def plan_write(catalog: Catalog, asked: Asked, *, aggregates: bool) -> Plan:
    table = find_table(catalog, asked.schema, asked.name)
    rows = Rows(table.name, table.columns, table.key)
    tree = Tree(catalog, asked.query, aggregates=aggregates)
    location = table.primary_key if asked.method == "POST" and asked.returning == "headers-only" else ()
    # Planned even if nothing is sent back: a filter on what is not embedded must be refused, not overlooked.
    read_back = tree.reading(rows, Made(WRITTEN), filtered=False)
    reading = read_back if asked.returning == "representation" else None
    returned = _returned(reading) if reading else location
    if asked.method == "DELETE":
        return Plan(reading, Writing("delete", table, where=tree.predicates(rows), returned=returned))
    if asked.payload is None or not asked.payload.is_rows:
        raise BodyNotUnderstood(reason=EMPTY_OR_INVALID)
    payload = asked.payload if asked.query.columns is None else asked.payload._replace(same_keys=True)
    assigned = _assigned(table, asked, payload)
    if asked.method == "PATCH":
        return Plan(reading, _update(table, payload, assigned, tree.predicates(rows), returned))
    if asked.method == "PUT":
        _check_put(table, asked.query.level(()), payload)
    return Plan(reading, _insert(table, asked, payload, assigned, returned), location)


def _assigned(table: Table, asked: Asked, payload: Payload) -> tuple[Assigned, ...]:
    if payload.same_keys is False:
        raise BodyNotUnderstood(reason="All object keys must match")
    assigned: list[Assigned] = []
    for name in dict.fromkeys(payload.keys if asked.query.columns is None else asked.query.columns):
        column = table.columns.get(name)
        if column is None:
            raise NoSuchColumnToWrite(column=name, table=table.name)
        assigned.append(Assigned(column, column.default if asked.prefer["missing"] == "default" else None))
    return tuple(assigned)


def _update(
    table: Table,
    payload: Payload,
    assigned: tuple[Assigned, ...],
    where: tuple[Predicate, ...],
    returned: tuple[str, ...] | None,
) -> Writing:
    if payload.rows > 1:
        raise BodyNotUnderstood(reason="An update takes one object, not a list")
    return Writing("update", table, payload, assigned, where, returned=returned)


def _insert(
    table: Table, asked: Asked, payload: Payload, assigned: tuple[Assigned, ...], returned: tuple[str, ...] | None
) -> Writing:
    resolution = asked.prefer["resolution"]
    columns = asked.query.on_conflict or table.primary_key
    if asked.method == "PUT":
        resolution, columns = "merge-duplicates", table.primary_key
    for name in columns if resolution else ():
        if name not in table.columns:
            raise NoSuchColumnToWrite(column=name, table=table.name)
    # Without a key nothing can be a duplicate.
    if not resolution or not columns:
        return Writing("insert", table, payload, assigned, returned=returned)
    return Writing(
        "insert",
        table,
        payload,
        assigned,
        on_conflict="merge" if resolution == "merge-duplicates" else "ignore",
        conflict_columns=columns,
        returned=returned,
    )


def _check_put(table: Table, level: Level, payload: Payload) -> None:
    if level.limit is not None or level.offset is not None:
        raise PutWithRange
    asked = {
        condition.field.name: condition.value
        for condition in level.conditions
        if isinstance(condition, Comparison)
        and condition.operator == "eq"
        and not (condition.negated or condition.quantifier or condition.field.steps)
    }
    if len(level.conditions) != len(asked) or set(asked) != set(table.primary_key) or not asked:
        raise PutFiltersNotTheKey
    if payload.rows != 1 or any(_as_filter(payload.first.get(name)) != value for name, value in asked.items()):
        raise PutBodyNotTheKey


def _as_filter(value: object) -> str:
    """As the same value is written in an address."""
    return value if isinstance(value, str) else json.dumps(value)


def _returned(reading: Reading) -> tuple[str, ...] | None:
    """Only what is asked for, since each returned column must be readable by the caller."""
    names: dict[str, None] = {}
    for output in reading.outputs:
        if isinstance(output, Everything) or _is_computed(output):
            return None
        names |= dict.fromkeys(_needed(output, reading.alias))
    return tuple(names)


def _is_computed(output: Value | Embedded) -> bool:
    if isinstance(output, Embedded):
        return output.relationship.function is not None
    return output.ref is not None and output.ref.computed_by is not None


def _needed(output: Output, alias: str) -> Iterable[str]:
    if isinstance(output, Embedded):
        relationship = output.relationship
        pairs = relationship.junction.source_columns if relationship.junction else relationship.columns
        return [ours for ours, _ in pairs]
    if isinstance(output, Value) and output.ref and output.ref.alias == alias:
        return [output.ref.column.name]
    return []
