"""From a plan to one statement. Pure; identifiers come from the plan, values are parameters."""

from cairn.rest.sql.statement import Counting, Statement, csv_heading, write_lines, write_statement

__all__ = ["Counting", "Statement", "csv_heading", "write_lines", "write_statement"]
