"""From a plan to one statement. Pure; identifiers come from the plan, values are parameters."""

from cairn.rest.statement.build import Counting, Statement, build_statement, csv_heading, write_lines

__all__ = ["Counting", "Statement", "build_statement", "csv_heading", "write_lines"]
