"""Parses the query language into a syntax tree. An error reports the position of the unexpected text."""

from cairn.rest.grammar.filters import FULL_TEXT_OPERATORS
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
    "FULL_TEXT_OPERATORS",
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
