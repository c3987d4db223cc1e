"""Looks names up in the catalog. An error suggests the most similar name."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from cairn.kit import frozen_dataclass
from cairn.rest.catalog import Catalog, Column, Name, Table, Type
from cairn.rest.errors import NoSuchColumn, NoSuchTable, NoSuchType
from cairn.rest.grammar import Field
from cairn.rest.plan.model import ColumnRef


@frozen_dataclass
class Rows:
    """The rows to select from: those of a table, or those that a function returns."""

    name: str
    columns: Mapping[str, Column]
    table: Name | None
    from_cte: bool = False

    @property
    def row_type(self) -> Name | None:
        """Returns the type that rows of a CTE must be cast to, because they have lost the row type of their table."""
        return self.table if self.from_cte else None


def find_table(catalog: Catalog, schema: str, name: str) -> Table:
    table = catalog.tables.get((schema, name))
    if table is None:
        similar = closest_name(
            name, (other_name for other_schema, other_name in catalog.tables if other_schema == schema)
        )
        hint = f"Perhaps you meant the table '{schema}.{similar}'" if similar else None
        raise NoSuchTable(schema=schema, table=name, hint=hint)
    return table


def find_column(catalog: Catalog, rows: Rows, alias: str, field: Field) -> ColumnRef:
    if field.name in rows.columns:
        return ColumnRef(alias, rows.columns[field.name], field.steps)
    if rows.table is not None and (rows.table, field.name) in catalog.computed_columns:
        column = rows.table, field.name
        return ColumnRef(
            alias, catalog.computed_columns[column], field.steps, catalog.computed_by[column], rows.row_type
        )
    similar = closest_name(field.name, rows.columns)
    hint = f'Perhaps you meant to reference the column "{alias}.{similar}".' if similar else None
    raise NoSuchColumn(table=alias, column=field.name, hint=hint)


def find_type(catalog: Catalog, name: str | None) -> Type | None:
    if name is None:
        return None
    type_ = catalog.types.get(name) or catalog.types.get(name.lower())
    if type_ is None:
        raise NoSuchType(name=name)
    return type_


def closest_name(name: str, candidates: Iterable[str], *, min_similarity: float = 0.75) -> str | None:
    return next(iter(get_close_matches(name, list(candidates), n=1, cutoff=min_similarity)), None)
