"""Builds one SQL statement from a plan. Identifiers come from the plan, and values are parameters."""

from cairn.rest.statement.build import (
    Counting,
    SizeLimit,
    Statement,
    build_statement,
    csv_header,
    csv_statements,
)
from cairn.rest.statement.size_limit import TOO_LARGE_SQLSTATE, TOO_LARGE_TEXT

__all__ = [
    "TOO_LARGE_SQLSTATE",
    "TOO_LARGE_TEXT",
    "Counting",
    "SizeLimit",
    "Statement",
    "build_statement",
    "csv_header",
    "csv_statements",
]
