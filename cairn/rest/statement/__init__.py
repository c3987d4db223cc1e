"""Builds one SQL statement from a plan. Pure; identifiers come from the plan, values are parameters."""

from cairn.rest.statement.build import Counting, Statement, build_statement, csv_heading, write_lines

__all__ = ["Counting", "Statement", "build_statement", "csv_heading", "write_lines"]
