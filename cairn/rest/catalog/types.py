"""Types: how each is written in a cast, and under which names a request may ask for it."""

from collections.abc import Mapping
from typing import Any

from cairn.rest.catalog.model import Type

# The names the SQL standard gives to types that Postgres stores under shorter ones.
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
"""Kinds no value can be cast to from a request: pseudo-types and rows."""


def build_types(facts: list[dict[str, Any]]) -> dict[int, Type]:
    by_oid = {fact["oid"]: fact for fact in facts}

    def build(oid: int) -> Type:
        fact = by_oid[oid]
        array = by_oid.get(fact["array"])
        base = build(fact["base"]) if fact["base"] in by_oid else None
        return Type(_sql(fact), _sql(array) if array else "", fact["category"], fact["display"], base)

    return {oid: build(oid) for oid in by_oid}


def castable(facts: list[dict[str, Any]], types: Mapping[int, Type]) -> dict[str, Type]:
    named = {
        fact["name"]: types[fact["oid"]]
        for fact in sorted(facts, key=lambda fact: fact["schema"] == "pg_catalog")
        if fact["kind"] not in _NOT_A_TARGET and not fact["name"].startswith("_")
    }
    named |= {standard: named[ours] for standard, ours in _STANDARD_NAMES.items() if ours in named}
    arrays = {
        f"{name}[]": Type(type_.array_sql, "", "A", f"{name}[]") for name, type_ in named.items() if type_.array_sql
    }
    return named | arrays


def _sql(fact: Mapping[str, Any]) -> str:
    schema, name = (str(part).replace('"', '""') for part in (fact["schema"], fact["name"]))
    return f"pg_catalog.{name}" if schema == "pg_catalog" and name.isidentifier() else f'"{schema}"."{name}"'
