"""Builds the types of the catalog: their SQL in a cast, and the names by which a request may refer to them."""

from collections.abc import Mapping
from typing import Any

from cairn.rest.catalog.model import Type

# Maps names of the SQL standard to the names under which PostgreSQL stores these types.
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
_NOT_CASTABLE_KINDS = frozenset("pc")
"""A request cannot cast to pseudo-types (p) and composite types (c)."""


def build_types(rows: list[dict[str, Any]]) -> dict[int, Type]:
    by_oid = {row["oid"]: row for row in rows}

    def build(oid: int) -> Type:
        row = by_oid[oid]
        array = by_oid.get(row["array"])
        base = build(row["base"]) if row["base"] in by_oid else None
        return Type(_sql(row), _sql(array) if array else "", row["category"], row["display"], base)

    return {oid: build(oid) for oid in by_oid}


def castable_types(rows: list[dict[str, Any]], types: Mapping[int, Type]) -> dict[str, Type]:
    """Returns the types by name. If a name exists in several schemas, the type of pg_catalog wins."""
    by_name = {
        row["name"]: types[row["oid"]]
        for row in sorted(rows, key=lambda row: row["schema"] == "pg_catalog")
        if row["kind"] not in _NOT_CASTABLE_KINDS and not row["name"].startswith("_")
    }
    by_name |= {standard: by_name[stored] for standard, stored in _STANDARD_NAMES.items() if stored in by_name}
    arrays = {
        f"{name}[]": Type(type_.array_sql, "", "A", f"{name}[]") for name, type_ in by_name.items() if type_.array_sql
    }
    return by_name | arrays


def _sql(row: Mapping[str, Any]) -> str:
    schema, name = (str(part).replace('"', '""') for part in (row["schema"], row["name"]))
    return f"pg_catalog.{name}" if schema == "pg_catalog" and name.isidentifier() else f'"{schema}"."{name}"'
