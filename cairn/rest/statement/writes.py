"""Writes an insert, update or delete as the first CTE of the statement."""

from cairn.rest.plan import WRITTEN, WritePlan
from cairn.rest.request import Payload
from cairn.rest.statement.expressions import predicate_sql
from cairn.rest.statement.parameters import Parameters, qualified_name, quote_ident

UPDATED = "cairn.updated"
"""A transaction-local setting in which an upsert counts the rows that it updates."""

_BODY = quote_ident("cairn_body")
_COUNT_UPDATED_ROW = (
    f"set_config('{UPDATED}', (coalesce(nullif(current_setting('{UPDATED}', true), ''), '0')::int8 + 1)::text, true)"
    " is not null"
)


def write_sql(write: WritePlan, parameters: Parameters) -> str:
    return f"{quote_ident(WRITTEN)} as ({_query_sql(write, parameters)})"


def _query_sql(write: WritePlan, parameters: Parameters) -> str:
    if write.verb == "delete":
        return f"delete from {_target_sql(write)}{_where_sql(write, parameters)}{_returning_sql(write)}"
    if _row_count(write) == 0 or (write.verb == "update" and not write.assigned_columns):
        # There is nothing to write, but the result must still have the right columns.
        return f"select {_returned_columns_sql(write)} from {_target_sql(write)} where false"
    if write.verb == "update":
        pairs = ", ".join(
            f"{quote_ident(assigned.column.name)} = {_BODY}.{quote_ident(assigned.column.name)}"
            for assigned in write.assigned_columns
        )
        body, where = _body_sql(write, parameters), _where_sql(write, parameters)
        return f"update {_target_sql(write)} set {pairs} from {body}{where}{_returning_sql(write)}"
    source = _insert_source_sql(write, parameters)
    return f"insert into {_target_sql(write)}{source}{_on_conflict_sql(write)}{_returning_sql(write)}"


def _row_count(write: WritePlan) -> int:
    return write.body.row_count if write.body else 0


def _target_sql(write: WritePlan) -> str:
    return f"{qualified_name(write.table.key)} as {quote_ident(write.table.name)}"


def _insert_source_sql(write: WritePlan, parameters: Parameters) -> str:
    if not write.assigned_columns:
        return f" select from generate_series(1, {parameters.number(_row_count(write))})"
    names = [quote_ident(assigned.column.name) for assigned in write.assigned_columns]
    values = ", ".join(f"{_BODY}.{name}" for name in names)
    return f" ({', '.join(names)}) select {values} from {_body_sql(write, parameters)}"


def _body_sql(write: WritePlan, parameters: Parameters) -> str:
    column_types = ", ".join(
        f"{quote_ident(assigned.column.name)} {assigned.column.type.sql}" for assigned in write.assigned_columns
    )
    defaults = ", ".join(
        f"{parameters.text(assigned.column.name)}, {assigned.default}"
        for assigned in write.assigned_columns
        if assigned.default is not None
    )
    if not defaults:
        return f"{_record_sql(write.body, parameters)} as {_BODY} ({column_types})"
    return (
        f"jsonb_array_elements({_list_sql(write.body, parameters)}) as cairn_element,"
        f" lateral jsonb_to_record(jsonb_build_object({defaults}) || cairn_element) as {_BODY} ({column_types})"
    )


def _record_sql(payload: Payload | None, parameters: Parameters) -> str:
    if payload is None:
        raise ValueError("only a delete has no body")
    function = "json_to_record" if payload.is_object else "json_to_recordset"
    return f"{function}(({parameters.body(payload.content)})::json)"


def _list_sql(payload: Payload | None, parameters: Parameters) -> str:
    if payload is None:
        raise ValueError("only a delete has no body")
    body = f"({parameters.body(payload.content)})::jsonb"
    return f"jsonb_build_array({body})" if payload.is_object else body


def _on_conflict_sql(write: WritePlan) -> str:
    if not write.on_conflict:
        return ""
    target = ", ".join(quote_ident(name) for name in write.conflict_columns)
    names = [assigned.column.name for assigned in write.assigned_columns]
    # The key cannot change, and leaving it out means that the caller needs no UPDATE privilege for it.
    updated_names = [name for name in names if name not in write.conflict_columns] or names
    if write.on_conflict == "ignore" or not updated_names:
        return f" on conflict ({target}) do nothing"
    pairs = ", ".join(f"{quote_ident(name)} = excluded.{quote_ident(name)}" for name in updated_names)
    return f" on conflict ({target}) do update set {pairs} where {_COUNT_UPDATED_ROW}"


def _where_sql(write: WritePlan, parameters: Parameters) -> str:
    conditions = " and ".join(f"({predicate_sql(predicate, parameters)})" for predicate in write.where)
    return f" where {conditions}" if conditions else ""


def _returning_sql(write: WritePlan) -> str:
    return f" returning {_returned_columns_sql(write)}"


def _returned_columns_sql(write: WritePlan) -> str:
    alias = quote_ident(write.table.name)
    if write.returned_columns is None:
        return f"{alias}.*"
    return ", ".join(f"{alias}.{quote_ident(name)}" for name in write.returned_columns) or "1 as cairn_one"
