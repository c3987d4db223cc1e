"""Builds the single statement of a request, in which PostgreSQL writes, reads, and builds the response body."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from cairn.db import Value
from cairn.rest.plan import CALLED, WRITTEN, CallPlan, Plan, ReadPlan, WritePlan
from cairn.rest.request import BodyBytes, ExplainOptions, Media
from cairn.rest.statement.calls import call_sql
from cairn.rest.statement.parameters import Parameters, qualified_name, quote_ident
from cairn.rest.statement.select import TRUNCATED, output_labels, select_sql, unlimited_sql
from cairn.rest.statement.writes import UPDATED, write_sql

Counting = Literal["exact", "estimated"]

_ROWS = quote_ident("cairn_rows")
_ROW = quote_ident("cairn_row")
# PostgreSQL writes a record as (a,"b c",). This is CSV, except for the parentheses and the doubled backslashes.
_CSV_LINE = rf"replace(substr({_ROW}::text, 2, length({_ROW}::text) - 2), '\\', '\')"
_CSV_NAME = """case when name ~ '[",\\n\\r]' then '"' || replace(name, '"', '""') || '"' else name end"""


class Estimate(NamedTuple):
    """An EXPLAIN whose row estimate is the total, if at least `from_rows` rows were counted."""

    sql: str
    parameters: tuple[Value, ...]
    from_rows: int


class Statement(NamedTuple):
    sql: str
    parameters: tuple[Value, ...]
    depends_on_values: bool = False
    """True if other values may need another query plan, for example because of a partial index."""

    estimate: Estimate | None = None
    """For `count=planned` and `count=estimated`. Only used for the service role, see `run`."""

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

    def explain(self, explain_options: ExplainOptions) -> "Statement":
        options = ", ".join((f"format {explain_options.format}", *explain_options.options))
        return Statement(f"explain ({options}) {self.sql}", self.parameters)


def build_statement(
    plan: Plan,
    media: Media,
    *,
    with_body: bool,
    counting: Counting | None = None,
    max_rows: int | None = None,
    max_bytes: int | None = None,
) -> Statement:
    """If the body of a read is larger than `max_bytes`, the statement returns null instead of it."""
    parameters = Parameters()
    ctes, rows = _ctes(plan, parameters)
    body = _body_sql(plan, media, parameters) if with_body else "null::text"
    columns = [
        f"{body} as body",
        "count(*) as rows",
        f"{_total_sql(plan, counting, max_rows, parameters)} as total",
        f"{_location_sql(plan)} as location",
        f"{_setting_sql(UPDATED)} as updated",
        f"{_setting_sql('response.status')} as status",
        f"{_setting_sql('response.headers')} as headers",
    ]
    if plan.read and plan.read.may_be_truncated:
        columns.append(f"{_setting_sql(TRUNCATED)} as truncated")
    with_clause = f"with {', '.join(ctes)} " if ctes else ""
    sql = f"{with_clause}select {', '.join(columns)} from {rows} as {_ROW}"
    if with_body and max_bytes is not None and plan.action is None:
        sql = _without_large_body(sql, columns, max_bytes)
    return Statement(
        sql,
        parameters.all,
        plan.has_filters,
        _estimate(plan, counting, max_rows),
        _same_keys_statement(plan),
        parameters.body_index,
    )


def _without_large_body(sql: str, columns: list[str], max_bytes: int) -> str:
    """Selects from the statement, and replaces a body of more than `max_bytes` by null. `columns` are its columns."""
    names = ", ".join(column.rpartition(" as ")[2] for column in columns[1:])
    body = f"case when octet_length(body) <= {max_bytes} then body end as body"
    return f"select {body}, {names} from ({sql}) as cairn_result"


def csv_statements(read_plan: ReadPlan) -> tuple[Statement, Statement]:
    """Returns a statement for the rows as CSV lines, and one for the plain rows, which has their column names."""
    parameters = Parameters()
    rows = select_sql(read_plan, parameters)
    return Statement(f"select {_CSV_LINE} from ({rows}) as {_ROW}", parameters.all), Statement(rows, parameters.all)


def csv_header(names: Iterable[str]) -> str:
    return ",".join('"' + name.replace('"', '""') + '"' if set(name) & set(',"\n\r') else name for name in names)


def _ctes(plan: Plan, parameters: Parameters) -> tuple[list[str], str]:
    """Returns the CTEs of the statement, and the name of the one that contains the rows of the response."""
    ctes: list[str] = []
    if isinstance(plan.action, WritePlan):
        ctes.append(write_sql(plan.action, parameters))
    elif isinstance(plan.action, CallPlan):
        ctes.append(call_sql(plan.action, parameters))
    if plan.read is None:
        return ctes, quote_ident(WRITTEN if isinstance(plan.action, WritePlan) else CALLED)
    ctes.append(f"{_ROWS} as ({select_sql(plan.read, parameters)})")
    return ctes, _ROWS


def _body_sql(plan: Plan, media: Media, parameters: Parameters) -> str:
    if plan.read is None:
        return "null::text"
    if plan.geojson:
        features = f"coalesce(json_agg({qualified_name(plan.geojson)}({_ROW})::json), '[]')"
        return f"json_build_object('type', 'FeatureCollection', 'features', {features})::text"
    if media.body_format == "csv":
        return _csv_sql(plan.read, parameters)
    row = f"{_ROW}.{_row_columns(plan)}"
    if media.strip_nulls:
        row = f"json_strip_nulls(to_json({row}))"
    if media.body_format == "object" or _returns_single_value(plan):
        return f"coalesce((json_agg({row}) -> 0)::text, 'null')"
    return f"coalesce(json_agg({row})::text, '[]')"


def _row_columns(plan: Plan) -> str:
    """Selects all columns, or the single column of a scalar function, which has the name of the function."""
    if isinstance(plan.action, CallPlan) and plan.action.function.returns != "row":
        return quote_ident(plan.action.function.name)
    return "*"


def _returns_single_value(plan: Plan) -> bool:
    return isinstance(plan.action, CallPlan) and not plan.action.function.returns_set


def _csv_sql(read_plan: ReadPlan, parameters: Parameters) -> str:
    """Takes the header from the first row, which may have columns newer than the catalog, or else from the catalog."""
    first = f"(select row_to_json(first.*) from {_ROWS} as first limit 1)"
    header = f"(select string_agg({_CSV_NAME}, ',') from json_object_keys({first}) as name)"
    return (
        f"coalesce({header}, {parameters.text(csv_header(output_labels(read_plan)))})"
        f" || coalesce(chr(10) || string_agg({_CSV_LINE}, chr(10)), '')"
    )


def _total_sql(plan: Plan, counting: Counting | None, max_rows: int | None, parameters: Parameters) -> str:
    """Counts under row-level security. An estimated count stops one row after the largest possible page."""
    if counting is None:
        return "null::int8"
    if isinstance(plan.action, WritePlan) or plan.read is None:
        return "count(*)"
    bound = _count_bound(plan.read, counting, max_rows)
    limit = f" limit {parameters.number(bound)}" if bound is not None else ""
    return f"(select count(*) from ({unlimited_sql(plan.read, parameters)}{limit}) as cairn_counted)"


def _estimate(plan: Plan, counting: Counting | None, max_rows: int | None) -> Estimate | None:
    if counting is None or plan.action is not None or plan.read is None:
        return None
    bound = _count_bound(plan.read, counting, max_rows)
    if bound is None:
        return None
    parameters = Parameters()
    return Estimate(f"explain (format json) {unlimited_sql(plan.read, parameters)}", parameters.all, bound)


def _count_bound(read_plan: ReadPlan, counting: Counting, max_rows: int | None) -> int | None:
    if counting == "exact" or max_rows is None:
        return None
    return (read_plan.offset or 0) + max_rows + 1


def _same_keys_statement(plan: Plan) -> Statement | None:
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
    key = ", ".join(f"{_ROW}.{quote_ident(name)}::text" for name in plan.location)
    return f"case when count(*) = 1 then (json_agg(json_build_array({key})) -> 0)::text end"


def _setting_sql(name: str) -> str:
    return f"nullif(current_setting('{name}', true), '')"
