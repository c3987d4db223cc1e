"""Builds the functions of the catalog, and finds those that act as computed columns or relationships."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from cairn.rest.catalog.model import Argument, Column, Function, Name, Relationship, Table, Type

JsonObject = dict[str, Any]
# The argument modes of pg_proc: i = in, o = out, b = in and out, v = variadic, t = column of the returned table.
_INPUT_MODES = frozenset("ibv")
_OUTPUT_MODES = frozenset("obt")
_WHOLE_BODY_TYPES = frozenset(f"pg_catalog.{name}" for name in ("json", "jsonb", "text", "xml", "bytea"))


def build_functions(
    rows: list[JsonObject],
    types: Mapping[int, Type],
    row_types: Mapping[int, Name],
    tables: Mapping[Name, Table],
    type_rows: list[JsonObject],
) -> dict[Name, tuple[Function, ...]]:
    types_by_oid = {type_["oid"]: type_ for type_ in type_rows}
    functions: dict[Name, tuple[Function, ...]] = {}
    for row in rows:
        if not all(type_ in types for type_ in row["types"]):
            continue
        table = row_types.get(row["returns"])
        columns = tables[table].columns if table else _output_columns(row, types)
        function = Function(
            row["schema"],
            row["name"],
            tuple(_arguments(row, types)),
            row["volatile"],
            _result_kind(types_by_oid.get(row["returns"]), columns),
            row["returns_set"],
            columns,
            table,
        )
        name = (function.schema, function.name)
        if _is_callable(function):
            functions[name] = (*functions.get(name, ()), function)
    return {name: tuple(sorted(overloads, key=_order_of_overloads)) for name, overloads in functions.items()}


def _is_callable(function: Function) -> bool:
    """Clients name the arguments. Only a single argument without a name can be called: it takes the whole body."""
    unnamed = [argument for argument in function.arguments if not argument.name]
    return not unnamed or (len(function.arguments) == 1 and unnamed[0].type.sql in _WHOLE_BODY_TYPES)


def _order_of_overloads(function: Function) -> tuple[int, list[tuple[str, str]]]:
    """Errors list the overloads with the fewest arguments first."""
    return len(function.arguments), [(argument.name, argument.type.name) for argument in function.arguments]


def computed_relationships(rows: list[JsonObject], row_types: Mapping[int, Name]) -> Iterator[Relationship]:
    for row in rows:
        source, target = _table_of_only_argument(row, row_types), row_types.get(row["returns"])
        if source and target:
            to_one = not row["returns_set"] or row["rows"] == 1
            yield Relationship(
                row["name"],
                source,
                target,
                "many-to-one" if to_one else "one-to-many",
                function=(row["schema"], row["name"]),
            )


def computed_columns(
    rows: list[JsonObject], types: Mapping[int, Type], row_types: Mapping[int, Name]
) -> tuple[dict[tuple[Name, str], Column], dict[tuple[Name, str], Name]]:
    """Returns the computed columns by table and name, and for each of them the function that computes it."""
    columns: dict[tuple[Name, str], Column] = {}
    computed_by: dict[tuple[Name, str], Name] = {}
    for row in rows:
        table = _table_of_only_argument(row, row_types)
        if table and not row["returns_set"] and row["returns"] not in row_types and row["returns"] in types:
            columns[table, row["name"]] = Column(row["name"], types[row["returns"]])
            computed_by[table, row["name"]] = (row["schema"], row["name"])
    return columns, computed_by


def _table_of_only_argument(row: JsonObject, row_types: Mapping[int, Name]) -> Name | None:
    """Returns the table, if the only argument of the function is a row of a table."""
    input_types = [type_ for _, type_, _ in _inputs(row)]
    return row_types.get(input_types[0]) if len(input_types) == 1 else None


def _inputs(row: JsonObject) -> list[tuple[str, int, str]]:
    """Returns the name, type and mode of each input argument."""
    modes = row["modes"] or ["i"] * len(row["types"])
    names = row["names"] or [""] * len(row["types"])
    arguments = zip(names, row["types"], modes, strict=False)
    return [(name, type_, mode) for name, type_, mode in arguments if mode in _INPUT_MODES]


def _arguments(row: JsonObject, types: Mapping[int, Type]) -> Iterator[Argument]:
    inputs = _inputs(row)
    required_count = len(inputs) - row["defaults"]
    for index, (name, type_, mode) in enumerate(inputs):
        yield Argument(name, types[type_], index < required_count and mode != "v", mode == "v")


def _output_columns(row: JsonObject, types: Mapping[int, Type]) -> dict[str, Column]:
    outputs = [
        (name, types[type_])
        for name, type_, mode in zip(row["names"] or (), row["types"], row["modes"] or (), strict=False)
        if mode in _OUTPUT_MODES
    ]
    # A function with a single OUT argument returns a scalar; a table of one column is still a table.
    if len(outputs) == 1 and "t" not in row["modes"]:
        return {}
    return {name: Column(name, type_) for name, type_ in outputs}


def _result_kind(result_type: JsonObject | None, columns: Mapping[str, Column]) -> Literal["void", "scalar", "row"]:
    if result_type is None or columns or result_type["kind"] == "c" or result_type["name"] == "record":
        return "row"
    return "void" if result_type["name"] == "void" else "scalar"
