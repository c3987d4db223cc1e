"""Builds one SQL statement from a plan. Identifiers come from the plan, and values are parameters."""

from cairn.rest.statement.build import Counting, Statement, build_statement, csv_header, csv_statements

__all__ = ["Counting", "Statement", "build_statement", "csv_header", "csv_statements"]
