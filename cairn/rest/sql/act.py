"""What changes something: inserts, updates, deletes and calls, each as the first part of its statement."""

from cairn.rest.body import Payload
from cairn.rest.catalog import Argument
from cairn.rest.plan import CALLED, WRITTEN, Calling, Writing
from cairn.rest.sql.terms import predicate_sql
from cairn.rest.sql.values import Values, ident, qualified

UPDATED = "cairn.updated"
"""A transaction-local setting that counts the rows an upsert found already there."""

_BODY = ident("cairn_body")
_COUNT_ONE = (
    f"set_config('{UPDATED}', (coalesce(nullif(current_setting('{UPDATED}', true), ''), '0')::int8 + 1)::text, true)"
    " is not null"
)


def writing_sql(writing: Writing, values: Values) -> str:
    return f"{ident(WRITTEN)} as ({_write_sql(writing, values)})"


def _write_sql(writing: Writing, values: Values) -> str:
    if writing.verb == "delete":
        return f"delete from {_target(writing)}{_where(writing, values)}{_returning(writing)}"
    if _rows(writing) == 0 or (writing.verb == "update" and not writing.assigned):
        # Nothing to write, and still a result of the right shape.
        return f"select {_returned(writing)} from {_target(writing)} where false"
    if writing.verb == "update":
        pairs = ", ".join(f"{ident(one.column.name)} = {_BODY}.{ident(one.column.name)}" for one in writing.assigned)
        source = _body_sql(writing, values)
        return f"update {_target(writing)} set {pairs} from {source}{_where(writing, values)}{_returning(writing)}"
    return f"insert into {_target(writing)}{_inserted(writing, values)}{_conflict(writing)}{_returning(writing)}"


def _rows(writing: Writing) -> int:
    return writing.body.rows if writing.body else 0


def _target(writing: Writing) -> str:
    return f"{qualified(writing.table.key)} as {ident(writing.table.name)}"


def _inserted(writing: Writing, values: Values) -> str:
    if not writing.assigned:
        return f" select from generate_series(1, {values.number(_rows(writing))})"
    names = [ident(one.column.name) for one in writing.assigned]
    chosen = ", ".join(f"{_BODY}.{name}" for name in names)
    return f" ({', '.join(names)}) select {chosen} from {_body_sql(writing, values)}"


def _body_sql(writing: Writing, values: Values) -> str:
    shape = ", ".join(f"{ident(one.column.name)} {one.column.type.sql}" for one in writing.assigned)
    defaults = ", ".join(
        f"{values.text(one.column.name)}, {one.default}" for one in writing.assigned if one.default is not None
    )
    if not defaults:
        return f"{_read_sql(writing.body, values)} as {_BODY} ({shape})"
    return (
        f"jsonb_array_elements({_list_sql(writing.body, values)}) as cairn_element,"
        f" lateral jsonb_to_record(jsonb_build_object({defaults}) || cairn_element) as {_BODY} ({shape})"
    )


def _read_sql(payload: Payload | None, values: Values) -> str:
    if payload is None:
        raise ValueError("only deletes come without a body")
    function = "json_to_record" if payload.is_object else "json_to_recordset"
    return f"{function}(({values.body(payload.content)})::json)"


def _list_sql(payload: Payload | None, values: Values) -> str:
    if payload is None:
        raise ValueError("only deletes come without a body")
    body = f"({values.body(payload.content)})::jsonb"
    return f"jsonb_build_array({body})" if payload.is_object else body


def _conflict(writing: Writing) -> str:
    if not writing.on_conflict:
        return ""
    target = ", ".join(ident(name) for name in writing.conflict_columns)
    names = [one.column.name for one in writing.assigned]
    # The key is equal by definition; leaving it out spares the caller the right to change it.
    changed = [name for name in names if name not in writing.conflict_columns] or names
    if writing.on_conflict == "ignore" or not changed:
        return f" on conflict ({target}) do nothing"
    pairs = ", ".join(f"{ident(name)} = excluded.{ident(name)}" for name in changed)
    return f" on conflict ({target}) do update set {pairs} where {_COUNT_ONE}"


def _where(writing: Writing, values: Values) -> str:
    conditions = " and ".join(f"({predicate_sql(one, values)})" for one in writing.where)
    return f" where {conditions}" if conditions else ""


def _returning(writing: Writing) -> str:
    return f" returning {_returned(writing)}"


def _returned(writing: Writing) -> str:
    alias = ident(writing.table.name)
    if writing.returned is None:
        return f"{alias}.*"
    return ", ".join(f"{alias}.{ident(name)}" for name in writing.returned) or "1 as cairn_one"


def calling_sql(calling: Calling, values: Values) -> str:
    function = calling.function
    row = function.returns == "row"
    call = f"{qualified((function.schema, function.name))}({_arguments(calling, values)})"
    alias = "cairn_call" if row else f"cairn_call ({ident(function.name)})"
    return f"{ident(CALLED)} as (select cairn_call.* from {_given(calling, values)}{call} as {alias})"


def _given(calling: Calling, values: Values) -> str:
    """The arguments of a json body, converted by Postgres, standing before the call that uses them."""
    shape = ", ".join(f"{ident(one.name)} {one.type.sql}" for one in _named(calling))
    if calling.body is None or calling.whole_body or not shape:
        return ""
    body = f"({values.body(calling.body.content)})::json"
    # A list of one object is taken for the object.
    return f"json_to_record({body if calling.body.is_object else f'{body} -> 0'}) as {_BODY} ({shape}), lateral "


def _arguments(calling: Calling, values: Values) -> str:
    if calling.body is not None and calling.whole_body:
        content = calling.body.content
        whole = values.bytes(content) if calling.body.kind == "bytea" else values.body(content)
        return f"({whole})::{calling.function.arguments[0].type.sql}"
    if calling.body is not None:
        return ", ".join(f"{_assigned(one)}{_BODY}.{ident(one.name)}" for one in _named(calling))
    types = {one.name: one for one in calling.function.arguments}
    return ", ".join(
        f"{_assigned(types[name])}({_value(value, values)})::{types[name].type.sql}" for name, value in calling.values
    )


def _value(value: str | tuple[str, ...], values: Values) -> str:
    return values.texts(value) if isinstance(value, tuple) else values.text(value)


def _assigned(argument: Argument) -> str:
    return f"{'variadic ' if argument.variadic else ''}{ident(argument.name)} => "


def _named(calling: Calling) -> list[Argument]:
    return [one for one in calling.function.arguments if one.name in calling.given]
