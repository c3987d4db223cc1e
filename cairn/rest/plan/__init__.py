"""From words to a plan: every name of the request resolved in the catalog, or refused. Pure."""

from dataclasses import replace

from cairn.rest.catalog import Catalog
from cairn.rest.errors import FeaturesNotMade, RangeNotSatisfiable
from cairn.rest.plan.calling import CALLED, plan_call
from cairn.rest.plan.lookup import find_table
from cairn.rest.plan.model import (
    Assigned,
    Calling,
    Check,
    Computed,
    Embedded,
    EmbedTest,
    Everything,
    Group,
    Made,
    Output,
    Plan,
    Predicate,
    Reading,
    Ref,
    Sort,
    Stored,
    Value,
    Writing,
)
from cairn.rest.plan.reading import Rows, Tree
from cairn.rest.plan.writing import WRITTEN, plan_write
from cairn.rest.request import Asked

__all__ = [
    "CALLED",
    "WRITTEN",
    "Assigned",
    "Calling",
    "Check",
    "Computed",
    "EmbedTest",
    "Embedded",
    "Everything",
    "Group",
    "Made",
    "Output",
    "Plan",
    "Predicate",
    "Reading",
    "Ref",
    "Sort",
    "Stored",
    "Value",
    "Writing",
    "make_plan",
]


def make_plan(catalog: Catalog, asked: Asked, *, aggregates: bool, max_rows: int | None) -> Plan:
    plan = _plan(catalog, asked, aggregates=aggregates, max_rows=max_rows)
    if plan.reading and plan.reading.embeds and max_rows is not None:
        plan = replace(plan, reading=_capped(plan.reading, max_rows))
    if asked.media.form != "geojson":
        return plan
    if catalog.geojson is None:
        raise FeaturesNotMade
    return replace(plan, geojson=catalog.geojson)


def _plan(catalog: Catalog, asked: Asked, *, aggregates: bool, max_rows: int | None) -> Plan:
    if asked.calls:
        plan = plan_call(catalog, asked, aggregates=aggregates)
    elif asked.reads:
        table = find_table(catalog, asked.schema, asked.name)
        tree = Tree(catalog, asked.query, aggregates=aggregates)
        plan = Plan(tree.reading(Rows(table.name, table.columns, table.key), Stored(table.key)))
    else:
        return plan_write(catalog, asked, aggregates=aggregates)
    return replace(plan, reading=_within(plan.reading, asked, max_rows)) if plan.reading else plan


def _within(reading: Reading, asked: Asked, max_rows: int | None) -> Reading:
    """The rows that lie in what the query asks and in what the Range header allows, as far as the operator permits."""
    offset, limit = reading.offset or 0, reading.limit
    first = max(offset, asked.first) if asked.reads else offset
    ends = [offset + limit] if limit is not None else []
    if asked.reads and asked.last is not None:
        ends.append(asked.last + 1)
    if ends and min(ends) <= first and limit != 0:
        raise RangeNotSatisfiable(details="The Range header and the query's limit and offset have no row in common.")
    limits = [max(end - first, 0) for end in ends]
    if max_rows is not None:
        limits.append(max_rows)
    return replace(reading, offset=first or None, limit=min(limits) if limits else None)


def _capped(reading: Reading, max_rows: int) -> Reading:
    """No more rows of what is embedded, in each of the rows above it, than of what is asked for."""
    return replace(reading, outputs=tuple(_capped_output(output, max_rows) for output in reading.outputs))


def _capped_output(output: Output, max_rows: int) -> Output:
    if not isinstance(output, Embedded):
        return output
    inner = _capped(output.reading, max_rows)
    if output.relationship.to_one or (inner.limit is not None and inner.limit <= max_rows):
        return replace(output, reading=inner)
    return replace(output, reading=replace(inner, limit=max_rows), capped=True)
