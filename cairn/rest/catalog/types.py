"""Types: how each is written in a cast, and by which names a request may refer to it."""

from collections.abc import Mapping
from typing import Any

from cairn.rest.catalog.model import Type

# Names of the SQL standard, and the names under which PostgreSQL stores these types.
_STANDARD_NAMES = {
    "bigint": "int8",
    "boolean": "bool",
    "character": "bpchar",
    "character varying": "varchar",
    "decimal": "numeric",
    "double precision": "float8",
    "int": "int4",
    "integer": "int4",
    "real": "float4",
    "smallint": "int2",
    "time with time zone": "timetz",
    "time without time zone": "time",
    "timestamp with time zone": "timestamptz",
    "timestamp without time zone": "timestamp",
}
_NOT_A_TARGET = frozenset("pc")
"""Kinds of types that a request cannot cast to: pseudo-types and composite types."""


def build_types(rows: list[dict[str, Any]]) -> dict[int, Type]:
    by_oid = {row["oid"]: row for row in rows}

    def build(oid: int) -> Type:
        row = by_oid[oid]
        array = by_oid.get(row["array"])
        base = build(row["base"]) if row["base"] in by_oid else None
        return Type(_sql(row), _sql(array) if array else "", row["category"], row["display"], base)

    return {oid: build(oid) for oid in by_oid}


def castable(rows: list[dict[str, Any]], types: Mapping[int, Type]) -> dict[str, Type]:
    named = {
        row["name"]: types[row["oid"]]
        for row in sorted(rows, key=lambda row: row["schema"] == "pg_catalog")
        if row["kind"] not in _NOT_A_TARGET and not row["name"].startswith("_")
    }
    named |= {standard: named[stored] for standard, stored in _STANDARD_NAMES.items() if stored in named}
    arrays = {
        f"{name}[]": Type(type_.array_sql, "", "A", f"{name}[]") for name, type_ in named.items() if type_.array_sql
    }
    return named | arrays


def _sql(row: Mapping[str, Any]) -> str:
    schema, name = (str(part).replace('"', '""') for part in (row["schema"], row["name"]))
    return f"pg_catalog.{name}" if schema == "pg_catalog" and name.isidentifier() else f'"{schema}"."{name}"'
