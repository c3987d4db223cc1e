"""Functions: their arguments and results, and which of them act as computed columns or relationships."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from cairn.rest.catalog.model import Argument, Column, Function, Name, Relationship, Table, Type

JsonObject = dict[str, Any]
_INPUT_MODES = frozenset("ibv")
_OUTPUT_MODES = frozenset("obt")


def build_functions(
    rows: list[JsonObject],
    types: Mapping[int, Type],
    row_types: Mapping[int, Name],
    tables: Mapping[Name, Table],
    type_rows: list[JsonObject],
) -> dict[Name, tuple[Function, ...]]:
    kinds = {type_["oid"]: type_ for type_ in type_rows}
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
            _returns(kinds.get(row["returns"]), columns),
            row["returns_set"],
            columns,
            table,
        )
        name = (function.schema, function.name)
        functions[name] = (*functions.get(name, ()), function)
    return functions


def computed_relationships(rows: list[JsonObject], row_types: Mapping[int, Name]) -> Iterator[Relationship]:
    for row in rows:
        source, target = _only_row(row, row_types), row_types.get(row["returns"])
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
    columns: dict[tuple[Name, str], Column] = {}
    places: dict[tuple[Name, str], Name] = {}
    for row in rows:
        table = _only_row(row, row_types)
        if table and not row["returns_set"] and row["returns"] not in row_types and row["returns"] in types:
            columns[table, row["name"]] = Column(row["name"], types[row["returns"]])
            places[table, row["name"]] = (row["schema"], row["name"])
    return columns, places


def _only_row(row: JsonObject, row_types: Mapping[int, Name]) -> Name | None:
    taken = [type_ for _, type_, _ in _inputs(row)]
    return row_types.get(taken[0]) if len(taken) == 1 else None


def _inputs(row: JsonObject) -> list[tuple[str, int, str]]:
    """Name, type and mode of each input argument."""
    modes = row["modes"] or ["i"] * len(row["types"])
    names = row["names"] or [""] * len(row["types"])
    every = zip(names, row["types"], modes, strict=False)
    return [(name, type_, mode) for name, type_, mode in every if mode in _INPUT_MODES]


def _arguments(row: JsonObject, types: Mapping[int, Type]) -> Iterator[Argument]:
    inputs = _inputs(row)
    required = len(inputs) - row["defaults"]
    for place, (name, type_, mode) in enumerate(inputs):
        yield Argument(name, types[type_], place < required and mode != "v", mode == "v")


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


def _returns(returned: JsonObject | None, columns: Mapping[str, Column]) -> Literal["void", "scalar", "row"]:
    if returned is None or columns or returned["kind"] == "c" or returned["name"] == "record":
        return "row"
    return "void" if returned["name"] == "void" else "scalar"
