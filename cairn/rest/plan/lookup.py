"""Looks names up in the catalog; an error suggests the most similar name."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from cairn.rest.catalog import Catalog, Column, Name, Table, Type
from cairn.rest.errors import NoSuchColumn, NoSuchTable, NoSuchType
from cairn.rest.grammar import Field
from cairn.rest.plan.model import ColumnRef


def find_table(catalog: Catalog, schema: str, name: str) -> Table:
    table = catalog.tables.get((schema, name))
    if table is None:
        close = closest(name, (other for where, other in catalog.tables if where == schema))
        hint = f"Perhaps you meant the table '{schema}.{close}'" if close else None
        raise NoSuchTable(schema=schema, table=name, hint=hint)
    return table


def find_ref(
    catalog: Catalog, table: Name | None, columns: Mapping[str, Column], alias: str, field: Field
) -> ColumnRef:
    if field.name in columns:
        return ColumnRef(alias, columns[field.name], field.steps)
    if table is not None and (table, field.name) in catalog.computed:
        return ColumnRef(
            alias, catalog.computed[table, field.name], field.steps, catalog.computed_in[table, field.name]
        )
    close = closest(field.name, columns)
    hint = f'Perhaps you meant to reference the column "{alias}.{close}".' if close else None
    raise NoSuchColumn(table=alias, column=field.name, hint=hint)


def find_type(catalog: Catalog, name: str | None) -> Type | None:
    if name is None:
        return None
    found = catalog.types.get(name) or catalog.types.get(name.lower())
    if found is None:
        raise NoSuchType(name=name)
    return found


def closest(name: str, candidates: Iterable[str], *, at_least: float = 0.75) -> str | None:
    return next(iter(get_close_matches(name, list(candidates), n=1, cutoff=at_least)), None)
