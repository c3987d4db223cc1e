"""The call of a SQL function, as the first CTE of the statement."""

from cairn.rest.catalog import Argument
from cairn.rest.plan import CALLED, CallPlan
from cairn.rest.statement.parameters import Parameters, ident, qualified

_BODY = ident("cairn_body")


def call_sql(call_plan: CallPlan, parameters: Parameters) -> str:
    function = call_plan.function
    row = function.returns == "row"
    call = f"{qualified((function.schema, function.name))}({_arguments(call_plan, parameters)})"
    alias = "cairn_call" if row else f"cairn_call ({ident(function.name)})"
    return f"{ident(CALLED)} as (select cairn_call.* from {_given(call_plan, parameters)}{call} as {alias})"


def _given(call_plan: CallPlan, parameters: Parameters) -> str:
    """A FROM item before the call that converts the JSON body to typed arguments."""
    shape = ", ".join(f"{ident(argument.name)} {argument.type.sql}" for argument in _named(call_plan))
    if call_plan.body is None or call_plan.whole_body or not shape:
        return ""
    body = f"({parameters.body(call_plan.body.content)})::json"
    # A list of one object is treated as that object.
    return f"json_to_record({body if call_plan.body.is_object else f'{body} -> 0'}) as {_BODY} ({shape}), lateral "


def _arguments(call_plan: CallPlan, parameters: Parameters) -> str:
    if call_plan.body is not None and call_plan.whole_body:
        content = call_plan.body.content
        whole = parameters.bytes(content) if call_plan.body.kind == "bytea" else parameters.body(content)
        return f"({whole})::{call_plan.function.arguments[0].type.sql}"
    if call_plan.body is not None:
        return ", ".join(f"{_assigned(argument)}{_BODY}.{ident(argument.name)}" for argument in _named(call_plan))
    types = {argument.name: argument for argument in call_plan.function.arguments}
    return ", ".join(
        f"{_assigned(types[name])}({_value(value, parameters)})::{types[name].type.sql}"
        for name, value in call_plan.values
    )


def _value(value: str | tuple[str, ...], parameters: Parameters) -> str:
    return parameters.texts(value) if isinstance(value, tuple) else parameters.text(value)


def _assigned(argument: Argument) -> str:
    return f"{'variadic ' if argument.variadic else ''}{ident(argument.name)} => "


def _named(call_plan: CallPlan) -> list[Argument]:
    return [argument for argument in call_plan.function.arguments if argument.name in call_plan.given]
