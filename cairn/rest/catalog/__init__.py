"""The catalog describes the tables, views, keys, relationships and functions of the exposed schemas."""

from cairn.rest.catalog.build import build_catalog
from cairn.rest.catalog.live import LiveCatalog
from cairn.rest.catalog.model import (
    JSON,
    JSONB,
    TEXT,
    Argument,
    Catalog,
    Column,
    Function,
    Junction,
    Name,
    Relationship,
    Table,
    Type,
)

__all__ = [
    "JSON",
    "JSONB",
    "TEXT",
    "Argument",
    "Catalog",
    "Column",
    "Function",
    "Junction",
    "LiveCatalog",
    "Name",
    "Relationship",
    "Table",
    "Type",
    "build_catalog",
]
