"""Builds the single statement of a request, in which PostgreSQL writes, reads, and builds the response body."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from cairn.db import Value
from cairn.rest.plan import CALLED, WRITTEN, CallPlan, Plan, ReadPlan, WritePlan
from cairn.rest.plan.model import Value as OutputValue
from cairn.rest.request import BodyBytes, ExplainOptions, Media
from cairn.rest.statement.calls import call_sql
from cairn.rest.statement.parameters import Parameters, qualified_name, quote_ident
from cairn.rest.statement.select import TRUNCATED, countable_rows_sql, output_labels, select_sql
from cairn.rest.statement.size_limit import within_limit_sql
from cairn.rest.statement.writes import UPDATED, write_sql

Counting = Literal["exact", "estimated"]

_ROWS = quote_ident("cairn_rows")
_ROW = quote_ident("cairn_row")
# PostgreSQL writes a record as (a,"b c",). This is CSV, except for the parentheses and the doubled backslashes.
_CSV_LINE = rf"replace(substr({_ROW}::text, 2, length({_ROW}::text) - 2), '\\', '\')"
_CSV_NAME = """case when name ~ '[",\\n\\r]' then '"' || replace(name, '"', '""') || '"' else name end"""


class SizeLimit(NamedTuple):
    """The limit for the bytes of the rows in a body. If they exceed it, the statement causes an error.

    An embedded row counts again as a part of each row around it, because each of these rows is another copy in memory.
    """

    max_bytes: int
    uncounted_rows: int
    """A read of at most this many rows is not counted, because counting takes time."""


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
    size_limit: SizeLimit | None = None,
) -> Statement:
    parameters = Parameters()
    max_bytes = size_limit.max_bytes if size_limit and plan.read and (with_body or plan.read.groups_embeds) else None
    ctes, rows = _ctes(plan, parameters, max_bytes)
    line, key = _line_sql(plan, media), _key_sql(plan)
    if plan.read and size_limit and max_bytes and _must_count_bytes(plan, plan.read, size_limit.uncounted_rows):
        rows, line, key = _counted_rows_sql(rows, line, key, max_bytes)
    columns = [
        f"{_body_sql(plan, media, line, parameters) if with_body else 'null::text'} as body",
        "count(*) as rows",
        f"{_total_sql(plan, counting, max_rows, parameters, max_bytes)} as total",
        f"{_location_sql(key)} as location",
        f"{_updated_sql(plan)} as updated",
        f"{_setting_sql('response.status')} as status",
        f"{_setting_sql('response.headers')} as headers",
    ]
    if plan.read and plan.read.may_be_truncated:
        columns.append(f"{_setting_sql(TRUNCATED)} as truncated")
    with_clause = f"with {', '.join(ctes)} " if ctes else ""
    return Statement(
        f"{with_clause}select {', '.join(columns)} from {rows}",
        parameters.all,
        plan.has_filters,
        _estimate(plan, counting, max_rows),
        _same_keys_statement(plan),
        parameters.body_index,
    )


def _must_count_bytes(plan: Plan, read_plan: ReadPlan, few_rows: int) -> bool:
    """Says whether the body may contain more than a few rows, or the same column of a row more than once.

    Calls may return anything, so their result is always counted.
    """
    if isinstance(plan.action, CallPlan) or _repeats_columns(read_plan):
        return True
    if isinstance(plan.action, WritePlan):
        return plan.action.body is None or plan.action.verb == "update" or plan.action.body.row_count > 1
    return read_plan.limit is None or read_plan.limit > few_rows


def _repeats_columns(read_plan: ReadPlan) -> bool:
    """Says whether the rows may contain a column twice, under another name or from an embed."""
    if len(read_plan.outputs) == 1:
        return bool(read_plan.embeds)
    names = [output.ref.column.name for output in read_plan.outputs if isinstance(output, OutputValue) and output.ref]
    return len(set(names)) < len(read_plan.outputs)


def _counted_rows_sql(rows: str, line: str, key: str | None, max_bytes: int) -> tuple[str, str, str | None]:
    """Returns the rows with a condition that counts their bytes, and the columns for the line and the key of a row.

    `offset 0` makes PostgreSQL compute each line once, and not a second time for the condition.
    """
    text_or_json = line if line == _CSV_LINE else f"to_json({line})"
    columns = f"{text_or_json} as cairn_line" + (f", {key} as cairn_key" if key else "")
    counted = f"(select {columns} from {rows} offset 0) as {_ROW}"
    condition = within_limit_sql(f"{_ROW}.cairn_line::text", max_bytes)
    return f"{counted} where {condition}", f"{_ROW}.cairn_line", f"{_ROW}.cairn_key" if key else None


def csv_statements(read_plan: ReadPlan) -> tuple[Statement, Statement]:
    """Returns a statement for the rows as CSV lines, and one for the plain rows, which has their column names."""
    parameters = Parameters()
    rows = select_sql(read_plan, parameters)
    return Statement(f"select {_CSV_LINE} from ({rows}) as {_ROW}", parameters.all), Statement(rows, parameters.all)


def csv_header(names: Iterable[str]) -> str:
    return ",".join('"' + name.replace('"', '""') + '"' if set(name) & set(',"\n\r') else name for name in names)


def _ctes(plan: Plan, parameters: Parameters, max_bytes: int | None) -> tuple[list[str], str]:
    """Returns the CTEs of the statement, and the FROM item with the rows of the body."""
    ctes: list[str] = []
    if isinstance(plan.action, WritePlan):
        ctes.append(write_sql(plan.action, parameters))
    elif isinstance(plan.action, CallPlan):
        ctes.append(call_sql(plan.action, parameters))
    if plan.read is None:
        return ctes, f"{quote_ident(WRITTEN if isinstance(plan.action, WritePlan) else CALLED)} as {_ROW}"
    ctes.append(f"{_ROWS} as ({select_sql(plan.read, parameters, max_bytes=max_bytes)})")
    return ctes, f"{_ROWS} as {_ROW}"


def _line_sql(plan: Plan, media: Media) -> str:
    """Returns one row of the body: a line of CSV, or a value for a JSON list."""
    if plan.geojson:
        return f"{qualified_name(plan.geojson)}({_ROW})::json"
    if media.body_format == "csv":
        return _CSV_LINE
    row = f"{_ROW}.{_row_columns(plan)}"
    return f"json_strip_nulls(to_json({row}))" if media.strip_nulls else row


def _body_sql(plan: Plan, media: Media, line: str, parameters: Parameters) -> str:
    """Returns the body that consists of all lines."""
    if plan.read is None:
        return "null::text"
    if plan.geojson:
        features = f"coalesce(json_agg({line}), '[]')"
        return f"json_build_object('type', 'FeatureCollection', 'features', {features})::text"
    if media.body_format == "csv":
        return _csv_sql(plan.read, line, parameters)
    if media.body_format == "object" or _returns_single_value(plan):
        return f"coalesce((json_agg({line}) -> 0)::text, 'null')"
    return f"coalesce(json_agg({line})::text, '[]')"


def _row_columns(plan: Plan) -> str:
    """Selects all columns, or the single column of a scalar function, which has the name of the function."""
    if isinstance(plan.action, CallPlan) and plan.action.function.returns != "row":
        return quote_ident(plan.action.function.name)
    return "*"


def _returns_single_value(plan: Plan) -> bool:
    return isinstance(plan.action, CallPlan) and not plan.action.function.returns_set


def _csv_sql(read_plan: ReadPlan, line: str, parameters: Parameters) -> str:
    """Takes the header from the first row, which may have columns newer than the catalog, or else from the catalog."""
    first = f"(select row_to_json(first.*) from {_ROWS} as first limit 1)"
    header = f"(select string_agg({_CSV_NAME}, ',') from json_object_keys({first}) as name)"
    return (
        f"coalesce({header}, {parameters.text(csv_header(output_labels(read_plan)))})"
        f" || coalesce(chr(10) || string_agg({line}, chr(10)), '')"
    )


def _total_sql(
    plan: Plan, counting: Counting | None, max_rows: int | None, parameters: Parameters, max_bytes: int | None
) -> str:
    """Counts under row-level security. An estimated count stops one row after the largest possible page."""
    if counting is None:
        return "null::int8"
    if isinstance(plan.action, WritePlan) or plan.read is None:
        return "count(*)"
    bound = _count_bound(plan.read, counting, max_rows)
    limit = f" limit {parameters.number(bound)}" if bound is not None else ""
    return f"(select count(*) from ({countable_rows_sql(plan.read, parameters, max_bytes)}{limit}) as cairn_counted)"


def _estimate(plan: Plan, counting: Counting | None, max_rows: int | None) -> Estimate | None:
    if counting is None or plan.action is not None or plan.read is None:
        return None
    bound = _count_bound(plan.read, counting, max_rows)
    if bound is None:
        return None
    parameters = Parameters()
    return Estimate(f"explain (format json) {countable_rows_sql(plan.read, parameters, None)}", parameters.all, bound)


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


def _key_sql(plan: Plan) -> str | None:
    """Returns the key of an inserted row as a JSON list."""
    columns = ", ".join(f"{_ROW}.{quote_ident(name)}::text" for name in plan.location)
    return f"json_build_array({columns})" if columns else None


def _location_sql(key: str | None) -> str:
    return f"case when count(*) = 1 then (json_agg({key}) -> 0)::text end" if key else "null::text"


def _updated_sql(plan: Plan) -> str:
    """Counts the changed rows, including those that filters on embeds exclude from the body."""
    if isinstance(plan.action, WritePlan) and plan.action.verb != "insert":
        return f"(select count(*) from {quote_ident(WRITTEN)})::text"
    return _setting_sql(UPDATED)


def _setting_sql(name: str) -> str:
    return f"nullif(current_setting('{name}', true), '')"
