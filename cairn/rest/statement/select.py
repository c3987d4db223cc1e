"""Writes the SELECT of a read plan. Embeds are lateral joins that return JSON."""

from cairn.rest.plan.model import (
    AllColumns,
    CteRows,
    Embedded,
    EmbedTest,
    FunctionRows,
    LogicGroup,
    Output,
    Predicate,
    ReadPlan,
    Sort,
    TableRows,
    Value,
)
from cairn.rest.statement.expressions import HAS_ROWS, predicate_sql, ref_sql, row_sql
from cairn.rest.statement.parameters import Parameters, qualified_name, quote_ident
from cairn.rest.statement.size_limit import within_limit_sql

_VALUE = "cairn_value"
_INNER = "cairn_inner"
MAX_LITERAL_LIMIT = 1000
"""A limit up to this value is written as a literal. With a parameter, PostgreSQL would plan every execution again."""

TRUNCATED = "cairn.truncated"
"""A transaction-local setting that is set when an embed reaches `max_rows`."""


def select_sql(
    read_plan: ReadPlan, parameters: Parameters, link: Embedded | None = None, *, max_bytes: int | None = None
) -> str:
    """`link` is the embed that connects the rows to the parent row. It is None for the root.

    `max_bytes` is the limit for the bytes of embedded rows. None means that they are not counted.
    """
    outputs = ", ".join(column for output in read_plan.outputs for column in _output_sql(output, read_plan, parameters))
    rows = _rows_sql(read_plan, read_plan.embeds, parameters, link, max_bytes=max_bytes)
    return f"select {outputs} {rows}{_tail_sql(read_plan, parameters)}"


def countable_rows_sql(read_plan: ReadPlan, parameters: Parameters, max_bytes: int | None) -> str:
    """Selects all rows without limit and offset, to count them. Joins that cannot change the count are omitted.

    The bytes of embeds are limited only if rows are grouped by them, because otherwise PostgreSQL does not build their
    text.
    """
    counted_bytes = max_bytes if read_plan.groups_embeds else None
    embeds = _filtering_embeds(read_plan)
    return f"select {_rows_sql(read_plan, embeds, parameters, None, max_bytes=counted_bytes)}"


def output_labels(read_plan: ReadPlan, *, include_hidden: bool = False) -> list[str]:
    """Returns the labels of the selected columns, as far as the catalog knows them."""
    labels: list[str] = []
    for output in read_plan.outputs:
        if isinstance(output, AllColumns):
            labels.extend(output.columns)
        elif isinstance(output, Value):
            labels.extend([output.label] if include_hidden or not output.hidden else [])
        elif not output.spread:
            labels.extend([output.label] if output.shown else [])
        else:
            labels.extend(output_labels(output.read))
    return labels


def _output_sql(output: Output, read_plan: ReadPlan, parameters: Parameters) -> list[str]:
    if isinstance(output, AllColumns):
        return [f"{quote_ident(output.alias)}.*"]
    if isinstance(output, Value):
        return [f"{_value_sql(output, parameters)} as {quote_ident(output.label)}"]
    if not output.shown:
        return []
    columns = _embedded_columns(output)
    if read_plan.has_aggregates and _is_json(output):
        # JSON values cannot be compared, so rows are grouped by their text.
        columns = [f"({column}::text)::json" for column in columns]
    if not output.relationship.to_one:
        columns = [f"coalesce({column}, '[]')" for column in columns]
    labels = output_labels(output.read) if output.spread else [output.label]
    return [f"{column} as {quote_ident(label)}" for column, label in zip(columns, labels, strict=True)]


def _embedded_columns(embed: Embedded) -> list[str]:
    labels = output_labels(embed.read) if embed.spread else [_VALUE]
    return [f"{quote_ident(embed.lateral)}.{quote_ident(label)}" for label in labels]


def _is_json(embed: Embedded) -> bool:
    return not (embed.spread and embed.relationship.to_one)


def _value_sql(value: Value, parameters: Parameters) -> str:
    # Only count() has no column. If it is hoisted out of an embed, it counts the constants that the embed returns.
    expression = "*" if value.aggregate else "true"
    if value.ref:
        expression = ref_sql(value.ref, parameters)
    if value.cast:
        expression = f"({expression})::{value.cast.sql}"
    if value.aggregate:
        expression = f"{value.aggregate}({expression})"
    return f"({expression})::{value.aggregate_cast.sql}" if value.aggregate_cast else expression


def _rows_sql(
    read_plan: ReadPlan,
    embeds: tuple[Embedded, ...],
    parameters: Parameters,
    link: Embedded | None,
    *,
    max_bytes: int | None = None,
) -> str:
    """Writes the part of the SELECT from FROM to GROUP BY."""
    joins = "".join(_join_sql(embed, parameters, max_bytes) for embed in embeds)
    conditions = [
        *_link_conditions(link),
        *(f"({predicate_sql(predicate, parameters)})" for predicate in read_plan.where),
    ]
    where = f" where {' and '.join(conditions)}" if conditions else ""
    return f"from {_source_sql(read_plan)}{_junction_sql(link)}{joins}{where}{_group_sql(read_plan, parameters)}"


def _source_sql(read_plan: ReadPlan) -> str:
    source, alias = read_plan.source, quote_ident(read_plan.alias)
    if isinstance(source, TableRows):
        return f"{qualified_name(source.name)} as {alias}"
    if isinstance(source, CteRows):
        return f"{quote_ident(source.cte)} as {alias}"
    return f"{qualified_name(source.function)}({row_sql(source.parent, source.row_type)}) as {alias}"


def _junction_sql(link: Embedded | None) -> str:
    junction = link.relationship.junction if link else None
    return f" cross join {qualified_name(junction.table)} as {_junction_alias(link)}" if junction and link else ""


def _junction_alias(link: Embedded) -> str:
    return quote_ident(f"{link.lateral}_junction")


def _link_conditions(link: Embedded | None) -> list[str]:
    if link is None or isinstance(link.read.source, FunctionRows):
        return []
    parent, child = quote_ident(link.parent), quote_ident(link.read.alias)
    junction = link.relationship.junction
    if junction is None:
        return [
            f"{child}.{quote_ident(target)} = {parent}.{quote_ident(source)}"
            for source, target in link.relationship.columns
        ]
    junction_alias = _junction_alias(link)
    return [
        *(
            f"{junction_alias}.{quote_ident(target)} = {parent}.{quote_ident(source)}"
            for source, target in junction.source_columns
        ),
        *(
            f"{child}.{quote_ident(target)} = {junction_alias}.{quote_ident(source)}"
            for source, target in junction.target_columns
        ),
    ]


def _join_sql(embed: Embedded, parameters: Parameters, max_bytes: int | None) -> str:
    join_type = "inner" if embed.inner else "left"
    condition = f"{quote_ident(embed.lateral)}.{quote_ident(HAS_ROWS)}" if embed.inner else "true"
    rows = f"({select_sql(embed.read, parameters, embed, max_bytes=max_bytes)}) as {quote_ident(_INNER)}"
    if max_bytes is not None and _must_count_bytes(embed):
        rows += f" where {within_limit_sql(f'row_to_json({quote_ident(_INNER)}.*)::text', max_bytes)}"
    columns = ", ".join([*_result_columns(embed), f"{_has_rows_sql(embed)} as {quote_ident(HAS_ROWS)}"])
    return f" {join_type} join lateral (select {columns} from {rows}) as {quote_ident(embed.lateral)} on {condition}"


def _must_count_bytes(embed: Embedded) -> bool:
    """A single row without embeds is not counted here, but as a part of the row around it."""
    return embed.shown and (not embed.relationship.to_one or bool(embed.read.embeds))


def _has_rows_sql(embed: Embedded) -> str:
    if embed.relationship.to_one:
        return "true"
    if not embed.capped:
        return "count(*) > 0"
    report_truncation = f"set_config('{TRUNCATED}', 'true', true) is not null"
    return f"case when count(*) < {embed.read.limit} then count(*) > 0 else {report_truncation} end"


def _result_columns(embed: Embedded) -> list[str]:
    if not embed.shown:
        return []
    row = quote_ident(_INNER)
    to_one = embed.relationship.to_one
    if not embed.spread:
        return [f"{'row_to_json' if to_one else 'json_agg'}({row}.*) as {quote_ident(_VALUE)}"]
    labels = [quote_ident(label) for label in output_labels(embed.read, include_hidden=True)]
    return [f"{row}.{label}" if to_one else f"json_agg({row}.{label}) as {label}" for label in labels]


def _group_sql(read_plan: ReadPlan, parameters: Parameters) -> str:
    if not read_plan.has_aggregates:
        return ""
    keys: list[str] = []
    for output in read_plan.outputs:
        if isinstance(output, Value) and not output.aggregate:
            keys.append(_value_sql(output, parameters))
        elif isinstance(output, AllColumns):
            keys.extend(f"{quote_ident(output.alias)}.{quote_ident(name)}" for name in output.columns)
        elif isinstance(output, Embedded) and output.shown:
            columns = _embedded_columns(output)
            keys.extend(f"{column}::text" if _is_json(output) else column for column in columns)
    # Without keys, all rows form one group. `having true` ensures this even if the select list contains no aggregate,
    # as when rows are counted.
    return f" group by {', '.join(keys)}" if keys else " having true"


def _tail_sql(read_plan: ReadPlan, parameters: Parameters) -> str:
    """Writes the part of the SELECT from ORDER BY to OFFSET."""
    order = ", ".join(_sort_sql(sort, parameters) for sort in read_plan.order)
    return "".join(
        (
            f" order by {order}" if order else "",
            f" limit {_limit_sql(read_plan.limit, parameters)}" if read_plan.limit is not None else "",
            f" offset {parameters.number(read_plan.offset)}" if read_plan.offset else "",
        )
    )


def _limit_sql(limit: int, parameters: Parameters) -> str:
    return str(limit) if limit <= MAX_LITERAL_LIMIT else parameters.number(limit)


def _sort_sql(sort: Sort, parameters: Parameters) -> str:
    key = ref_sql(sort.ref, parameters)
    if sort.through:
        through = sort.through.read
        rows = _rows_sql(through, _filtering_embeds(through), parameters, sort.through)
        key = parameters.count_repeated(f"(select {key} {rows} limit 1)")
    direction = " desc" if sort.descending else ""
    return f"{key}{direction}{f' nulls {sort.nulls}' if sort.nulls else ''}"


def _filtering_embeds(read_plan: ReadPlan) -> tuple[Embedded, ...]:
    """Returns the embeds that decide which parent rows are selected.

    These are embeds with an inner join or a null test. If rows are grouped, they are all embeds.
    """
    if read_plan.has_aggregates:
        return read_plan.embeds
    tested_embeds = _tested_embeds(read_plan.where)
    return tuple(embed for embed in read_plan.embeds if embed.inner or embed.lateral in tested_embeds)


def _tested_embeds(predicates: tuple[Predicate, ...]) -> set[str]:
    laterals: set[str] = set()
    for predicate in predicates:
        if isinstance(predicate, EmbedTest):
            laterals.add(predicate.lateral)
        elif isinstance(predicate, LogicGroup):
            laterals |= _tested_embeds(predicate.parts)
    return laterals
