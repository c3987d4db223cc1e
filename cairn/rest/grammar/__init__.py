"""The query language: text in, words out. Pure, and refuses with the position of what it did not understand."""

from cairn.rest.grammar.model import (
    Column,
    Comparison,
    Condition,
    Embed,
    Field,
    Item,
    Level,
    Logic,
    Ordering,
    Parameter,
    Path,
    Query,
    Star,
    Step,
)
from cairn.rest.grammar.query import parse_query

__all__ = [
    "Column",
    "Comparison",
    "Condition",
    "Embed",
    "Field",
    "Item",
    "Level",
    "Logic",
    "Ordering",
    "Parameter",
    "Path",
    "Query",
    "Star",
    "Step",
    "parse_query",
]
