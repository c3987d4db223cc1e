"""Functions: what they take, what they return, and which of them are really columns or relationships."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from cairn.rest.catalog.model import Argument, Column, Function, Name, Relationship, Table, Type

Fact = dict[str, Any]
_INPUT_MODES = frozenset("ibv")
_OUTPUT_MODES = frozenset("obt")


def build_functions(
    facts: list[Fact],
    types: Mapping[int, Type],
    row_types: Mapping[int, Name],
    tables: Mapping[Name, Table],
    type_facts: list[Fact],
) -> dict[Name, tuple[Function, ...]]:
    kinds = {fact["oid"]: fact for fact in type_facts}
    functions: dict[Name, tuple[Function, ...]] = {}
    for fact in facts:
        if not all(type_ in types for type_ in fact["types"]):
            continue
        table = row_types.get(fact["returns"])
        columns = tables[table].columns if table else _output_columns(fact, types)
        function = Function(
            fact["schema"],
            fact["name"],
            tuple(_arguments(fact, types)),
            fact["volatile"],
            _returns(kinds.get(fact["returns"]), columns),
            fact["returns_set"],
            columns,
            table,
        )
        name = (function.schema, function.name)
        functions[name] = (*functions.get(name, ()), function)
    return functions


def computed_relationships(facts: list[Fact], row_types: Mapping[int, Name]) -> Iterator[Relationship]:
    for fact in facts:
        source, target = _only_row(fact, row_types), row_types.get(fact["returns"])
        if source and target:
            one = not fact["returns_set"] or fact["rows"] == 1
            yield Relationship(
                fact["name"],
                source,
                target,
                "many-to-one" if one else "one-to-many",
                function=(fact["schema"], fact["name"]),
            )


def computed_columns(
    facts: list[Fact], types: Mapping[int, Type], row_types: Mapping[int, Name]
) -> tuple[dict[tuple[Name, str], Column], dict[tuple[Name, str], Name]]:
    columns: dict[tuple[Name, str], Column] = {}
    places: dict[tuple[Name, str], Name] = {}
    for fact in facts:
        table = _only_row(fact, row_types)
        if table and not fact["returns_set"] and fact["returns"] not in row_types and fact["returns"] in types:
            columns[table, fact["name"]] = Column(fact["name"], types[fact["returns"]])
            places[table, fact["name"]] = (fact["schema"], fact["name"])
    return columns, places


def _only_row(fact: Fact, row_types: Mapping[int, Name]) -> Name | None:
    taken = [type_ for _, type_, _ in _inputs(fact)]
    return row_types.get(taken[0]) if len(taken) == 1 else None


def _inputs(fact: Fact) -> list[tuple[str, int, str]]:
    """Name, type and mode of each."""
    modes = fact["modes"] or ["i"] * len(fact["types"])
    names = fact["names"] or [""] * len(fact["types"])
    every = zip(names, fact["types"], modes, strict=False)
    return [(name, type_, mode) for name, type_, mode in every if mode in _INPUT_MODES]


def _arguments(fact: Fact, types: Mapping[int, Type]) -> Iterator[Argument]:
    inputs = _inputs(fact)
    required = len(inputs) - fact["defaults"]
    for place, (name, type_, mode) in enumerate(inputs):
        yield Argument(name, types[type_], place < required and mode != "v", mode == "v")


def _output_columns(fact: Fact, types: Mapping[int, Type]) -> dict[str, Column]:
    outputs = [
        (name, types[type_])
        for name, type_, mode in zip(fact["names"] or (), fact["types"], fact["modes"] or (), strict=False)
        if mode in _OUTPUT_MODES
    ]
    # A single OUT argument makes the function a scalar one; a table of one column is still a table.
    if len(outputs) == 1 and "t" not in fact["modes"]:
        return {}
    return {name: Column(name, type_) for name, type_ in outputs}


def _returns(returned: Fact | None, columns: Mapping[str, Column]) -> Literal["void", "scalar", "row"]:
    if returned is None or columns or returned["kind"] == "c" or returned["name"] == "record":
        return "row"
    return "void" if returned["name"] == "void" else "scalar"
