"""Inserts, updates and deletes, as the first CTE of the statement."""

from cairn.rest.plan import WRITTEN, WritePlan
from cairn.rest.request import Payload
from cairn.rest.statement.expressions import predicate_sql
from cairn.rest.statement.parameters import Parameters, ident, qualified

UPDATED = "cairn.updated"
"""A transaction-local setting that counts the rows that an upsert updated."""

_BODY = ident("cairn_body")
_COUNT_ONE = (
    f"set_config('{UPDATED}', (coalesce(nullif(current_setting('{UPDATED}', true), ''), '0')::int8 + 1)::text, true)"
    " is not null"
)


def write_sql(write: WritePlan, parameters: Parameters) -> str:
    return f"{ident(WRITTEN)} as ({_query_sql(write, parameters)})"


def _query_sql(write: WritePlan, parameters: Parameters) -> str:
    if write.verb == "delete":
        return f"delete from {_target(write)}{_where(write, parameters)}{_returning(write)}"
    if _rows(write) == 0 or (write.verb == "update" and not write.assigned):
        # Nothing to write, but the result must still have the right columns.
        return f"select {_returned(write)} from {_target(write)} where false"
    if write.verb == "update":
        pairs = ", ".join(
            f"{ident(assigned.column.name)} = {_BODY}.{ident(assigned.column.name)}" for assigned in write.assigned
        )
        source = _body_sql(write, parameters)
        return f"update {_target(write)} set {pairs} from {source}{_where(write, parameters)}{_returning(write)}"
    return f"insert into {_target(write)}{_inserted(write, parameters)}{_conflict(write)}{_returning(write)}"


def _rows(write: WritePlan) -> int:
    return write.body.rows if write.body else 0


def _target(write: WritePlan) -> str:
    return f"{qualified(write.table.key)} as {ident(write.table.name)}"


def _inserted(write: WritePlan, parameters: Parameters) -> str:
    if not write.assigned:
        return f" select from generate_series(1, {parameters.number(_rows(write))})"
    names = [ident(assigned.column.name) for assigned in write.assigned]
    chosen = ", ".join(f"{_BODY}.{name}" for name in names)
    return f" ({', '.join(names)}) select {chosen} from {_body_sql(write, parameters)}"


def _body_sql(write: WritePlan, parameters: Parameters) -> str:
    shape = ", ".join(f"{ident(assigned.column.name)} {assigned.column.type.sql}" for assigned in write.assigned)
    defaults = ", ".join(
        f"{parameters.text(assigned.column.name)}, {assigned.default}"
        for assigned in write.assigned
        if assigned.default is not None
    )
    if not defaults:
        return f"{_read_sql(write.body, parameters)} as {_BODY} ({shape})"
    return (
        f"jsonb_array_elements({_list_sql(write.body, parameters)}) as cairn_element,"
        f" lateral jsonb_to_record(jsonb_build_object({defaults}) || cairn_element) as {_BODY} ({shape})"
    )


def _read_sql(payload: Payload | None, parameters: Parameters) -> str:
    if payload is None:
        raise ValueError("only a delete has no body")
    function = "json_to_record" if payload.is_object else "json_to_recordset"
    return f"{function}(({parameters.body(payload.content)})::json)"


def _list_sql(payload: Payload | None, parameters: Parameters) -> str:
    if payload is None:
        raise ValueError("only a delete has no body")
    body = f"({parameters.body(payload.content)})::jsonb"
    return f"jsonb_build_array({body})" if payload.is_object else body


def _conflict(write: WritePlan) -> str:
    if not write.on_conflict:
        return ""
    target = ", ".join(ident(name) for name in write.conflict_columns)
    names = [assigned.column.name for assigned in write.assigned]
    # The key cannot change, and leaving it out means that the caller needs no UPDATE privilege for it.
    changed = [name for name in names if name not in write.conflict_columns] or names
    if write.on_conflict == "ignore" or not changed:
        return f" on conflict ({target}) do nothing"
    pairs = ", ".join(f"{ident(name)} = excluded.{ident(name)}" for name in changed)
    return f" on conflict ({target}) do update set {pairs} where {_COUNT_ONE}"


def _where(write: WritePlan, parameters: Parameters) -> str:
    conditions = " and ".join(f"({predicate_sql(assigned, parameters)})" for assigned in write.where)
    return f" where {conditions}" if conditions else ""


def _returning(write: WritePlan) -> str:
    return f" returning {_returned(write)}"


def _returned(write: WritePlan) -> str:
    alias = ident(write.table.name)
    if write.returned is None:
        return f"{alias}.*"
    return ", ".join(f"{alias}.{ident(name)}" for name in write.returned) or "1 as cairn_one"
