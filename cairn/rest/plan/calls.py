"""Plans a function call: chooses the overload and the arguments."""

from collections.abc import Set as AbstractSet
from dataclasses import replace

from cairn.rest.catalog import Catalog, Function
from cairn.rest.errors import AmbiguousFunction, InvalidBody, MaxAffectedNeedsRows, NoSuchFunction
from cairn.rest.grammar import Condition, Level, Parameter, Query
from cairn.rest.plan.lookup import Rows, closest_name
from cairn.rest.plan.model import AllColumns, CallPlan, CteRows, Plan, ReadPlan
from cairn.rest.plan.reads import ReadPlanner
from cairn.rest.request import EMPTY_OR_INVALID, ParsedRequest, Payload

CALLED = "cairn_called"
"""The name of the CTE that calls the function."""

# A function whose only argument has no name and one of these types gets the whole body. The keys are the formats of the
# body.
_UNNAMED_TYPES = {
    "json": ("pg_catalog.json", "pg_catalog.jsonb"),
    "text": ("pg_catalog.text",),
    "xml": ("pg_catalog.xml",),
    "bytea": ("pg_catalog.bytea",),
}


def plan_call(catalog: Catalog, parsed: ParsedRequest, *, aggregates: bool) -> Plan:
    call_plan, query = (
        _call_with_body(catalog, parsed, parsed.payload) if parsed.payload else _call_with_query(catalog, parsed)
    )
    function = call_plan.function
    if parsed.prefer.max_affected is not None and not function.returns_set:
        raise MaxAffectedNeedsRows
    if function.returns == "void":
        return Plan(None, call_plan)
    if function.returns == "scalar":
        return Plan(_scalar_rows(catalog, function, query), call_plan)
    rows = Rows(function.name, function.columns, function.table)
    return Plan(ReadPlanner(catalog, query, aggregates=aggregates).plan_read(rows, CteRows(CALLED)), call_plan)


def _scalar_rows(catalog: Catalog, function: Function, query: Query) -> ReadPlan:
    """Scalar values support only limit and offset. Planning a filter or an order raises an error."""
    read_plan = ReadPlanner(catalog, replace(query, select=())).plan_read(
        Rows(function.name, {}, None), CteRows(CALLED)
    )
    return replace(read_plan, outputs=(AllColumns(read_plan.alias, (function.name,)),))


def _call_with_body(catalog: Catalog, parsed: ParsedRequest, payload: Payload) -> tuple[CallPlan, Query]:
    overloads = catalog.functions.get((parsed.schema, parsed.name), ())
    names = set(payload.keys if parsed.query.columns is None else parsed.query.columns)
    if payload.kind == "json" and (payload.is_object or payload.row_count == 1):
        function = _choose([function for function in overloads if _accepts(function, names)])
        if function:
            # supabase-js sends an argument without a name with the key "". The argument is then the body, with its key.
            whole_body = any(not argument.name for argument in function.arguments)
            argument_names = () if whole_body else tuple(sorted(names))
            return CallPlan(function, payload, argument_names, whole_body=whole_body), parsed.query
    function = _choose([function for function in overloads if _takes_whole_body(function, payload.kind)])
    if function:
        return CallPlan(function, payload, whole_body=True), parsed.query
    if payload.kind == "json" and not payload.is_object:
        raise InvalidBody(reason=EMPTY_OR_INVALID)
    raise _not_found(catalog, parsed, names, json_body=payload.kind == "json")


def _call_with_query(catalog: Catalog, parsed: ParsedRequest) -> tuple[CallPlan, Query]:
    """A parameter with the name of an argument is that argument. All other parameters filter the returned rows."""
    overloads = catalog.functions.get((parsed.schema, parsed.name), ())
    parameters = parsed.query.parameters
    # A value that is not a valid filter can only be an argument.
    argument_names = {parameter.name for parameter in parameters if parameter.condition is None}
    possible_names = {parameter.name for parameter in parameters} - argument_names
    function = _choose([function for function in overloads if _accepts(function, argument_names, possible_names)])
    if function is None:
        raise _not_found(catalog, parsed, argument_names or possible_names, json_body=False)
    names = {argument.name for argument in function.arguments}
    filters = tuple(
        parameter.condition for parameter in parameters if parameter.name not in names and parameter.condition
    )
    return CallPlan(function, None, values=_argument_values(function, parameters)), _with_filters(parsed.query, filters)


def _argument_values(
    function: Function, parameters: tuple[Parameter, ...]
) -> tuple[tuple[str, str | tuple[str, ...]], ...]:
    values: dict[str, str | tuple[str, ...]] = {}
    for argument in function.arguments:
        texts = tuple(parameter.value for parameter in parameters if parameter.name == argument.name)
        if texts:
            is_list = argument.variadic and not _is_array_literal(texts)
            values[argument.name] = texts if is_list else texts[-1]
    return tuple(values.items())


def _is_array_literal(texts: tuple[str, ...]) -> bool:
    """supabase-js sends a list as one array literal; other clients repeat the parameter."""
    return len(texts) == 1 and texts[0].startswith("{") and texts[0].endswith("}")


def _with_filters(query: Query, filters: tuple[Condition, ...]) -> Query:
    root = query.level(())
    level = Level((*filters, *root.conditions), root.order, root.limit, root.offset)
    return replace(query, levels={**query.levels, (): level})


def _accepts(
    function: Function, argument_names: AbstractSet[str], possible_names: AbstractSet[str] = frozenset()
) -> bool:
    """`possible_names` are parameters that may be arguments or filters."""
    names = {argument.name for argument in function.arguments}
    required = {argument.name for argument in function.arguments if argument.required}
    return argument_names <= names and required <= argument_names | possible_names


def _takes_whole_body(function: Function, kind: str) -> bool:
    argument = function.arguments[0] if len(function.arguments) == 1 else None
    return argument is not None and argument.name == "" and argument.type.sql in _UNNAMED_TYPES[kind]


def _choose(candidates: list[Function]) -> Function | None:
    if len(candidates) > 1:
        raise AmbiguousFunction(
            candidates=", ".join(_signature(function) for function in candidates),
            hint=(
                "Try renaming the parameters or the function itself in the database "
                "so function overloading can be resolved"
            ),
        )
    return candidates[0] if candidates else None


def _signature(function: Function) -> str:
    arguments = ", ".join(f"{argument.name} => {argument.type.name}" for argument in function.arguments)
    return f"{function.schema}.{function.name}({arguments})"


def _not_found(catalog: Catalog, parsed: ParsedRequest, names: set[str], *, json_body: bool) -> NoSuchFunction:
    function = f"{parsed.schema}.{parsed.name}"
    names_text = ", ".join(sorted(names))
    signature = f"{function}({names_text})" if names else f"{function} without parameters"
    noun = "parameter" if len(names) == 1 else "parameters"
    with_names = f" with {noun} {names_text}" if names else " without parameters"
    unnamed = " or with a single unnamed json/jsonb parameter" if json_body else ""
    return NoSuchFunction(
        signature=signature,
        details=(
            f"Searched for the function {function}{with_names}{unnamed}, but no matches were found in the schema cache."
        ),
        hint=_hint(catalog, parsed, names_text),
    )


def _hint(catalog: Catalog, parsed: ParsedRequest, names_text: str) -> str | None:
    overloads = catalog.functions.get((parsed.schema, parsed.name))
    if overloads:
        signatures = [", ".join(argument.name for argument in function.arguments) for function in overloads]
        similar = closest_name(names_text, signatures, min_similarity=0.33)
        return f"Perhaps you meant to call the function {parsed.schema}.{parsed.name}({similar})" if similar else None
    similar = closest_name(parsed.name, (name for schema, name in catalog.functions if schema == parsed.schema))
    return f"Perhaps you meant to call the function {parsed.schema}.{similar}" if similar else None
