"""The single statement of a request: it writes or calls, reads, and has PostgreSQL build the response body."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from cairn.db import Value
from cairn.rest.plan import CALLED, WRITTEN, CallPlan, Plan, ReadPlan, WritePlan
from cairn.rest.request import BodyBytes, Explained, Media
from cairn.rest.statement.calls import call_sql
from cairn.rest.statement.parameters import Parameters, ident, qualified
from cairn.rest.statement.select import TRUNCATED, labels, select_sql, unlimited_sql
from cairn.rest.statement.writes import UPDATED, write_sql

Counting = Literal["exact", "planned", "estimated"]

_ROWS = ident("cairn_rows")
_ROW = ident("cairn_row")
# The text of a record is (a,"b c",): CSV except for the parentheses and doubled backslashes.
_CSV_LINE = rf"replace(substr({_ROW}::text, 2, length({_ROW}::text) - 2), '\\', '\')"
_CSV_NAME = """case when name ~ '[",\\n\\r]' then '"' || replace(name, '"', '""') || '"' else name end"""


class Statement(NamedTuple):
    sql: str
    parameters: tuple[Value, ...]
    depends_on_values: bool = False
    """Whether other values may need another query plan, for example because of a partial index."""

    estimate: "Statement | None" = None
    """An EXPLAIN whose row estimate is the total, for `count=planned` and `count=estimated`."""

    same_keys: "Statement | None" = None
    """Checks that all rows of a body that was only scanned have the same keys."""

    body_index: int | None = None
    """The index of the request body among the parameters."""

    def with_body(self, body: BodyBytes) -> "Statement":
        """The same statement for another body of the same shape."""
        index = self.body_index
        if index is None:
            return self
        parameters = (*self.parameters[:index], body, *self.parameters[index + 1 :])
        return Statement(self.sql, parameters, self.depends_on_values, self.estimate, self.same_keys, index)

    def explained(self, how: Explained) -> "Statement":
        options = ", ".join((f"format {how.format}", *how.options))
        return Statement(f"explain ({options}) {self.sql}", self.parameters)


def build_statement(
    plan: Plan, media: Media, *, with_body: bool, counting: Counting | None = None, max_rows: int | None = None
) -> Statement:
    parameters = Parameters()
    parts, rows = _parts(plan, parameters)
    body = _body_sql(plan, media, parameters) if with_body else "null::text"
    columns = [
        f"{body} as body",
        "count(*) as rows",
        f"{_total_sql(plan, counting, max_rows, parameters)} as total",
        f"{_location_sql(plan)} as location",
        f"{_setting(UPDATED)} as updated",
        f"{_setting('response.status')} as status",
        f"{_setting('response.headers')} as headers",
    ]
    if plan.read and plan.read.may_be_truncated:
        columns.append(f"{_setting(TRUNCATED)} as truncated")
    head = f"with {', '.join(parts)} " if parts else ""
    return Statement(
        f"{head}select {', '.join(columns)} from {rows} as {_ROW}",
        parameters.all,
        plan.has_filters,
        _estimate(plan, counting),
        _same_keys(plan),
        parameters.body_index,
    )


def write_lines(read_plan: ReadPlan) -> tuple[Statement, Statement]:
    """A statement that returns each row as a CSV line, and one that returns the rows, for their column names."""
    parameters = Parameters()
    rows = select_sql(read_plan, parameters)
    return Statement(f"select {_CSV_LINE} from ({rows}) as {_ROW}", parameters.all), Statement(rows, parameters.all)


def csv_heading(names: Iterable[str]) -> str:
    return ",".join('"' + name.replace('"', '""') + '"' if set(name) & set(',"\n\r') else name for name in names)


def _parts(plan: Plan, parameters: Parameters) -> tuple[list[str], str]:
    parts: list[str] = []
    if isinstance(plan.action, WritePlan):
        parts.append(write_sql(plan.action, parameters))
    elif isinstance(plan.action, CallPlan):
        parts.append(call_sql(plan.action, parameters))
    if plan.read is None:
        return parts, ident(WRITTEN if isinstance(plan.action, WritePlan) else CALLED)
    parts.append(f"{_ROWS} as ({select_sql(plan.read, parameters)})")
    return parts, _ROWS


def _body_sql(plan: Plan, media: Media, parameters: Parameters) -> str:
    if plan.read is None:
        return "null::text"
    if plan.geojson:
        features = f"coalesce(json_agg({qualified(plan.geojson)}({_ROW})::json), '[]')"
        return f"json_build_object('type', 'FeatureCollection', 'features', {features})::text"
    if media.form == "csv":
        return _csv_sql(plan.read, parameters)
    row = f"{_ROW}.{_column(plan)}"
    if media.strip_nulls:
        row = f"json_strip_nulls(to_json({row}))"
    if media.form == "object" or _returns_one(plan):
        return f"coalesce((json_agg({row}) -> 0)::text, 'null')"
    return f"coalesce(json_agg({row})::text, '[]')"


def _column(plan: Plan) -> str:
    """The result of a scalar function is a column with the name of the function."""
    if isinstance(plan.action, CallPlan) and plan.action.function.returns != "row":
        return ident(plan.action.function.name)
    return "*"


def _returns_one(plan: Plan) -> bool:
    return isinstance(plan.action, CallPlan) and not plan.action.function.returns_set


def _csv_sql(read_plan: ReadPlan, parameters: Parameters) -> str:
    """The header comes from the first row, which may have columns newer than the catalog, or from the catalog."""
    first = f"(select row_to_json(first.*) from {_ROWS} as first limit 1)"
    header = f"(select string_agg({_CSV_NAME}, ',') from json_object_keys({first}) as name)"
    return (
        f"coalesce({header}, {parameters.text(csv_heading(labels(read_plan)))})"
        f" || coalesce(chr(10) || string_agg({_CSV_LINE}, chr(10)), '')"
    )


def _total_sql(plan: Plan, counting: Counting | None, max_rows: int | None, parameters: Parameters) -> str:
    if counting is None or counting == "planned":
        return "null::int8"
    if isinstance(plan.action, WritePlan) or plan.read is None:
        return "count(*)"
    limit = f" limit {parameters.number(max_rows + 1)}" if counting == "estimated" and max_rows is not None else ""
    return f"(select count(*) from ({unlimited_sql(plan.read, parameters)}{limit}) as cairn_counted)"


def _estimate(plan: Plan, counting: Counting | None) -> Statement | None:
    if counting in (None, "exact") or plan.action is not None or plan.read is None:
        return None
    parameters = Parameters()
    return Statement(f"explain (format json) {unlimited_sql(plan.read, parameters)}", parameters.all)


def _same_keys(plan: Plan) -> Statement | None:
    payload = plan.action.body if isinstance(plan.action, WritePlan) else None
    if payload is None or payload.same_keys is not None:
        return None
    parameters = Parameters()
    keys = '(select array_agg(key order by key collate "C") from json_object_keys(row) as key)'
    return Statement(
        f"select not exists (select from json_array_elements(({parameters.body(payload.content)})::json) as row"
        f" where {keys} is distinct from {parameters.texts(tuple(sorted(payload.keys)))})",
        parameters.all,
    )


def _location_sql(plan: Plan) -> str:
    if not plan.location:
        return "null::text"
    key = ", ".join(f"{_ROW}.{ident(name)}::text" for name in plan.location)
    return f"case when count(*) = 1 then (json_agg(json_build_array({key})) -> 0)::text end"


def _setting(name: str) -> str:
    return f"nullif(current_setting('{name}', true), '')"
