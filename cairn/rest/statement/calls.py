"""Writes the call of a SQL function as the first CTE of the statement."""

from cairn.rest.catalog import Argument
from cairn.rest.plan import CALLED, CallPlan
from cairn.rest.statement.parameters import Parameters, qualified_name, quote_ident

_BODY = quote_ident("cairn_body")


def call_sql(call_plan: CallPlan, parameters: Parameters) -> str:
    function = call_plan.function
    returns_row = function.returns == "row"
    call = f"{qualified_name((function.schema, function.name))}({_arguments_sql(call_plan, parameters)})"
    alias = "cairn_call" if returns_row else f"cairn_call ({quote_ident(function.name)})"
    return f"{quote_ident(CALLED)} as (select cairn_call.* from {_body_sql(call_plan, parameters)}{call} as {alias})"


def _body_sql(call_plan: CallPlan, parameters: Parameters) -> str:
    """Returns a FROM item that precedes the call and converts the JSON body to typed arguments."""
    column_types = ", ".join(
        f"{quote_ident(argument.name)} {argument.type.sql}" for argument in _named_arguments(call_plan)
    )
    if call_plan.body is None or call_plan.whole_body or not column_types:
        return ""
    body = f"({parameters.body(call_plan.body.content)})::json"
    # A list of one object is treated as that object.
    return (
        f"json_to_record({body if call_plan.body.is_object else f'{body} -> 0'}) as {_BODY} ({column_types}), lateral "
    )


def _arguments_sql(call_plan: CallPlan, parameters: Parameters) -> str:
    if call_plan.body is not None and call_plan.whole_body:
        content, type_sql = call_plan.body.content, call_plan.function.arguments[0].type.sql
        body = parameters.bytes(content) if type_sql == "pg_catalog.bytea" else parameters.body(content)
        return f"({body})::{type_sql}"
    if call_plan.body is not None:
        return ", ".join(
            f"{_argument_prefix(argument)}{_BODY}.{quote_ident(argument.name)}"
            for argument in _named_arguments(call_plan)
        )
    arguments = {argument.name: argument for argument in call_plan.function.arguments}
    return ", ".join(
        f"{_argument_prefix(arguments[name])}({_value_sql(value, parameters)})::{arguments[name].type.sql}"
        for name, value in call_plan.values
    )


def _value_sql(value: str | tuple[str, ...], parameters: Parameters) -> str:
    return parameters.texts(value) if isinstance(value, tuple) else parameters.text(value)


def _argument_prefix(argument: Argument) -> str:
    name = f"{quote_ident(argument.name)} => " if argument.name else ""
    return f"{'variadic ' if argument.variadic else ''}{name}"


def _named_arguments(call_plan: CallPlan) -> list[Argument]:
    return [argument for argument in call_plan.function.arguments if argument.name in call_plan.argument_names]
