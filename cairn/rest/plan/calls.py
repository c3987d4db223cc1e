"""Plans function calls: which overload is called, and with which arguments."""

from dataclasses import replace

from cairn.rest.catalog import Catalog, Function
from cairn.rest.errors import AmbiguousFunction, BodyNotUnderstood, MaxAffectedNeedsRows, NoSuchFunction
from cairn.rest.grammar import Condition, Level, Parameter, Query
from cairn.rest.plan.lookup import closest
from cairn.rest.plan.model import AllColumns, CallPlan, CteRows, Plan, ReadPlan
from cairn.rest.plan.reads import Rows, Tree
from cairn.rest.request import EMPTY_OR_INVALID, ParsedRequest, Payload

CALLED = "cairn_called"
_UNNAMED_TYPES = {
    "json": ("pg_catalog.json", "pg_catalog.jsonb"),
    "text": ("pg_catalog.text",),
    "xml": ("pg_catalog.xml",),
    "bytea": ("pg_catalog.bytea",),
}


def plan_call(catalog: Catalog, parsed: ParsedRequest, *, aggregates: bool) -> Plan:
    call_plan, query = _by_body(catalog, parsed, parsed.payload) if parsed.payload else _by_query(catalog, parsed)
    function = call_plan.function
    if parsed.prefer.max_affected is not None and not function.returns_set:
        raise MaxAffectedNeedsRows
    if function.returns == "void":
        return Plan(None, call_plan)
    if function.returns == "scalar":
        return Plan(_scalar_rows(catalog, function, query), call_plan)
    rows = Rows(function.name, function.columns, function.table)
    return Plan(Tree(catalog, query, aggregates=aggregates).read(rows, CteRows(CALLED)), call_plan)


def _scalar_rows(catalog: Catalog, function: Function, query: Query) -> ReadPlan:
    """Scalar values support limit and offset only; a filter is an error, not silently ignored."""
    paged = Tree(catalog, replace(query, select=())).read(Rows(function.name, {}, None), CteRows(CALLED))
    return replace(paged, outputs=(AllColumns(paged.alias, (function.name,)),))


def _by_body(catalog: Catalog, parsed: ParsedRequest, payload: Payload) -> tuple[CallPlan, Query]:
    overloads = catalog.functions.get((parsed.schema, parsed.name), ())
    names = set(payload.keys if parsed.query.columns is None else parsed.query.columns)
    if payload.kind == "json" and (payload.is_object or payload.rows == 1):
        chosen = _choose([function for function in overloads if _accepts(function, names, set())])
        if chosen:
            return CallPlan(chosen, payload, given=tuple(sorted(names))), parsed.query
    whole = _choose([function for function in overloads if _takes_whole(function, payload.kind)])
    if whole:
        return CallPlan(whole, payload, whole_body=True), parsed.query
    if payload.kind == "json" and not payload.is_object:
        raise BodyNotUnderstood(reason=EMPTY_OR_INVALID)
    raise _not_found(catalog, parsed, names, json_body=payload.kind == "json")


def _by_query(catalog: Catalog, parsed: ParsedRequest) -> tuple[CallPlan, Query]:
    """A parameter is an argument if the function has one of that name; the others are filters on its rows."""
    overloads = catalog.functions.get((parsed.schema, parsed.name), ())
    parameters = parsed.query.parameters
    # A value that is not a valid filter can only be an argument.
    certain = {parameter.name for parameter in parameters if parameter.condition is None}
    possible = {parameter.name for parameter in parameters} - certain
    chosen = _choose([function for function in overloads if _accepts(function, certain, possible)])
    if chosen is None:
        raise _not_found(catalog, parsed, certain or possible, json_body=False)
    names = {argument.name for argument in chosen.arguments}
    filters = tuple(
        parameter.condition for parameter in parameters if parameter.name not in names and parameter.condition
    )
    return CallPlan(chosen, None, values=_argument_values(chosen, parameters)), _with_filters(parsed.query, filters)


def _argument_values(
    function: Function, parameters: tuple[Parameter, ...]
) -> tuple[tuple[str, str | tuple[str, ...]], ...]:
    values: dict[str, str | tuple[str, ...]] = {}
    for argument in function.arguments:
        given = tuple(parameter.value for parameter in parameters if parameter.name == argument.name)
        if given:
            listed = argument.variadic and not _is_array_literal(given)
            values[argument.name] = given if listed else given[-1]
    return tuple(values.items())


def _is_array_literal(given: tuple[str, ...]) -> bool:
    """supabase-js sends a list as one array literal; other clients repeat the parameter."""
    return len(given) == 1 and given[0].startswith("{") and given[0].endswith("}")


def _with_filters(query: Query, filters: tuple[Condition, ...]) -> Query:
    root = query.level(())
    level = Level((*filters, *root.conditions), root.order, root.limit, root.offset)
    return replace(query, levels={**query.levels, (): level})


def _accepts(function: Function, certain: set[str], possible: set[str]) -> bool:
    names = {argument.name for argument in function.arguments}
    required = {argument.name for argument in function.arguments if argument.required}
    return "" not in names and certain <= names and required <= certain | possible


def _takes_whole(function: Function, kind: str) -> bool:
    only = function.arguments[0] if len(function.arguments) == 1 else None
    return only is not None and only.name == "" and only.type.sql in _UNNAMED_TYPES[kind]


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
    listed = ", ".join(sorted(names))
    signature = f"{function}({listed})" if names else f"{function} without parameters"
    noun = "parameter" if len(names) == 1 else "parameters"
    with_names = f" with {noun} {listed}" if names else " without parameters"
    unnamed = " or with a single unnamed json/jsonb parameter" if json_body else ""
    return NoSuchFunction(
        signature=signature,
        details=(
            f"Searched for the function {function}{with_names}{unnamed}, but no matches were found in the schema cache."
        ),
        hint=_hint(catalog, parsed, listed),
    )


def _hint(catalog: Catalog, parsed: ParsedRequest, listed: str) -> str | None:
    overloads = catalog.functions.get((parsed.schema, parsed.name))
    if overloads:
        lists = [", ".join(argument.name for argument in function.arguments) for function in overloads]
        close = closest(listed, lists, at_least=0.33)
        return f"Perhaps you meant to call the function {parsed.schema}.{parsed.name}({close})" if close else None
    close = closest(parsed.name, (name for schema, name in catalog.functions if schema == parsed.schema))
    return f"Perhaps you meant to call the function {parsed.schema}.{close}" if close else None
