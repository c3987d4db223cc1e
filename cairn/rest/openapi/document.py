"""Builds the OpenAPI 2.0 document of the tables that the caller may use and the functions that they may call."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cairn import __version__
from cairn.kit import frozen_dataclass
from cairn.rest.catalog import Catalog, Column, Function, Table, Type

Json = dict[str, Any]
MEDIA_TYPE = "application/openapi+json"
_MEDIA_TYPES = ["application/json", "application/vnd.pgrst.object+json", "text/csv"]
_PRIVILEGES = {"get": "select", "post": "insert", "patch": "update", "delete": "delete"}
_SUCCESS_STATUSES = {"get": "200", "post": "201", "patch": "204", "delete": "204"}
_NUMBER_TYPES = {"int2": "integer", "int4": "integer", "int8": "integer", "float4": "number", "float8": "number"}
_PARAMETERS = {
    "select": ("query", "Columns to return and tables to embed"),
    "order": ("query", "Sort order"),
    "offset": ("query", "Number of rows to skip"),
    "limit": ("query", "Maximum number of rows"),
    "on_conflict": ("query", "Columns that identify duplicates in an upsert"),
    "Range": ("header", "First and last row, instead of limit and offset"),
    "Prefer": ("header", "What to return, whether to count rows, and how to handle duplicates"),
}
_READ_PARAMETERS = ("select", "order", "offset", "limit", "Range", "Prefer")


@frozen_dataclass
class Rights:
    tables: Mapping[str, list[str]]
    """The privileges of the caller, by table."""

    functions: frozenset[str]
    """The functions that the caller may execute."""

    comments: Mapping[str, str]
    """The comments in the database, by `table` or `table.column`."""


def describe(catalog: Catalog, schema: str, rights: Rights, *, base_path: str) -> Json:
    tables = [
        table
        for (table_schema, name), table in catalog.tables.items()
        if table_schema == schema and rights.tables.get(name)
    ]
    functions = {
        name: overloads
        for (function_schema, name), overloads in catalog.functions.items()
        if function_schema == schema and name in rights.functions
    }
    return {
        "swagger": "2.0",
        "info": {"title": "Cairn", "description": f"Schema {schema}", "version": __version__},
        "basePath": base_path or "/",
        "consumes": _MEDIA_TYPES,
        "produces": _MEDIA_TYPES,
        "paths": {
            "/": {"get": {"tags": ["Introspection"], "responses": _response("200", "This document")}},
            **{f"/{table.name}": _table_paths(table, rights) for table in tables},
            **{f"/rpc/{name}": _call_paths(overloads) for name, overloads in functions.items()},
        },
        "definitions": {table.name: _definition(catalog, table, rights) for table in tables},
        "parameters": {
            **{name: _shared_parameter(name, place, text) for name, (place, text) in _PARAMETERS.items()},
            **{f"body.{table.name}": _body_parameter(table) for table in tables},
            **{f"rowFilter.{table.name}.{name}": _filter_parameter(name) for table in tables for name in table.columns},
        },
    }


def _table_paths(table: Table, rights: Rights) -> Json:
    granted = rights.tables[table.name]
    return {
        method: _table_path(table, method, rights)
        for method, privilege in _PRIVILEGES.items()
        if privilege in granted and (method == "get" or privilege in table.supported_writes)
    }


def _table_path(table: Table, method: str, rights: Rights) -> Json:
    parameters = [f"rowFilter.{table.name}.{name}" for name in table.columns] if method != "post" else []
    parameters += [f"body.{table.name}"] if method in ("post", "patch") else []
    parameters += _READ_PARAMETERS if method == "get" else ["Prefer"]
    rows = {"type": "array", "items": {"$ref": f"#/definitions/{table.name}"}}
    response: Json = {"description": "The rows", "schema": rows} if method == "get" else {"description": "Done"}
    return {
        "tags": [table.name],
        "summary": rights.comments.get(table.name, ""),
        "parameters": [{"$ref": f"#/parameters/{name}"} for name in parameters],
        "responses": {_SUCCESS_STATUSES[method]: response},
    }


def _call_paths(overloads: tuple[Function, ...]) -> Json:
    function = overloads[0]
    arguments = [argument for argument in function.arguments if argument.name]
    schema = {
        "type": "object",
        "properties": {argument.name: _type(argument.type) for argument in arguments},
        "required": [argument.name for argument in arguments if argument.required],
    }
    body = {"name": "args", "in": "body", "required": True, "schema": schema}
    post = {"tags": [f"(rpc) {function.name}"], "parameters": [body], "responses": _response("200", "Its result")}
    if function.volatile:
        return {"post": post}
    query = [
        {"name": argument.name, "in": "query", "required": argument.required, "type": "string"}
        for argument in arguments
    ]
    return {"get": {**post, "parameters": query}, "post": post}


def _definition(catalog: Catalog, table: Table, rights: Rights) -> Json:
    properties = {
        name: {**_type(column.type), **_description(_notes(catalog, table, column, rights))}
        for name, column in table.columns.items()
    }
    return {"type": "object", **_description([rights.comments.get(table.name, "")]), "properties": properties}


def _notes(catalog: Catalog, table: Table, column: Column, rights: Rights) -> Iterator[str]:
    """Yields the comment of the column and notes about its keys. Code generators look for the tags in the notes."""
    yield rights.comments.get(f"{table.name}.{column.name}", "")
    if column.name in table.primary_key:
        yield "Note:\nThis is a Primary Key.<pk/>"
    for relationship in catalog.relationships.get(table.key, ()):
        columns = relationship.columns
        is_to_table = relationship.to_one and not relationship.target_is_view
        if is_to_table and len(columns) == 1 and columns[0][0] == column.name:
            target, key = relationship.target[1], columns[0][1]
            yield f"Note:\nThis is a Foreign Key to `{target}.{key}`.<fk table='{target}' column='{key}'/>"


def _description(paragraphs: Iterable[str]) -> Json:
    text = "\n\n".join(paragraph for paragraph in paragraphs if paragraph)
    return {"description": text} if text else {}


def _type(type_: Type) -> Json:
    name = type_.comparison_type.sql.removeprefix("pg_catalog.")
    if type_.category == "A":
        return {"format": type_.name, "type": "array", "items": {}}
    if name in ("json", "jsonb"):
        return {"format": type_.name}
    kind = _NUMBER_TYPES.get(name) or {"N": "number", "B": "boolean"}.get(type_.category, "string")
    return {"format": type_.name, "type": kind}


def _shared_parameter(name: str, place: str, description: str) -> Json:
    return {"name": name, "in": place, "required": False, "type": "string", "description": description}


def _body_parameter(table: Table) -> Json:
    return {
        "name": table.name,
        "in": "body",
        "required": False,
        "schema": {"$ref": f"#/definitions/{table.name}"},
    }


def _filter_parameter(name: str) -> Json:
    return {"name": name, "in": "query", "required": False, "type": "string"}


def _response(status: str, description: str) -> Json:
    return {status: {"description": description}}
