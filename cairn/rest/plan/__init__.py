"""Plans a parsed request: every name is resolved in the catalog."""

from dataclasses import replace

from cairn.rest.catalog import Catalog
from cairn.rest.errors import GeoJsonNotAvailable, RangeNotSatisfiable
from cairn.rest.plan.calls import CALLED, plan_call
from cairn.rest.plan.lookup import Rows, find_table, find_type
from cairn.rest.plan.model import CallPlan, Embedded, Output, Plan, ReadPlan, TableRows, WritePlan
from cairn.rest.plan.reads import ReadPlanner
from cairn.rest.plan.writes import WRITTEN, plan_write
from cairn.rest.request import ParsedRequest

__all__ = ["CALLED", "WRITTEN", "CallPlan", "Plan", "ReadPlan", "WritePlan", "find_type", "make_plan"]


def make_plan(catalog: Catalog, parsed: ParsedRequest, *, aggregates: bool, max_rows: int | None) -> Plan:
    plan = _plan(catalog, parsed, aggregates=aggregates, max_rows=max_rows)
    if plan.read and plan.read.embeds and max_rows is not None:
        plan = replace(plan, read=_cap_embeds(plan.read, max_rows))
    if parsed.media.body_format != "geojson":
        return plan
    if catalog.geojson is None:
        raise GeoJsonNotAvailable
    return replace(plan, geojson=catalog.geojson)


def _plan(catalog: Catalog, parsed: ParsedRequest, *, aggregates: bool, max_rows: int | None) -> Plan:
    if parsed.is_call:
        plan = plan_call(catalog, parsed, aggregates=aggregates)
    elif parsed.is_read:
        table = find_table(catalog, parsed.schema, parsed.name)
        planner = ReadPlanner(catalog, parsed.query, aggregates=aggregates)
        plan = Plan(planner.plan_read(Rows(table.name, table.columns, table.key), TableRows(table.key)))
    else:
        return plan_write(catalog, parsed, aggregates=aggregates)
    return replace(plan, read=_limit_range(plan.read, parsed, max_rows)) if plan.read else plan


def _limit_range(read_plan: ReadPlan, parsed: ParsedRequest, max_rows: int | None) -> ReadPlan:
    """Limits the rows to the intersection of limit/offset, the Range header and `max_rows`."""
    offset, limit = read_plan.offset or 0, read_plan.limit
    first_row = max(offset, parsed.range_start) if parsed.is_read else offset
    ends = [offset + limit] if limit is not None else []
    if parsed.is_read and parsed.range_end is not None:
        ends.append(parsed.range_end + 1)
    if ends and min(ends) <= first_row and limit != 0:
        raise RangeNotSatisfiable(details="The Range header and the query's limit and offset have no row in common.")
    limits = [max(end - first_row, 0) for end in ends]
    if max_rows is not None:
        limits.append(max_rows)
    return replace(read_plan, offset=first_row or None, limit=min(limits) if limits else None)


def _cap_embeds(read_plan: ReadPlan, max_rows: int) -> ReadPlan:
    """Limits the rows of each embed to `max_rows` per parent row."""
    return replace(read_plan, outputs=tuple(_cap_output(output, max_rows) for output in read_plan.outputs))


def _cap_output(output: Output, max_rows: int) -> Output:
    if not isinstance(output, Embedded):
        return output
    read_plan = _cap_embeds(output.read, max_rows)
    if output.relationship.to_one or (read_plan.limit is not None and read_plan.limit <= max_rows):
        return replace(output, read=read_plan)
    return replace(output, read=replace(read_plan, limit=max_rows), capped=True)
