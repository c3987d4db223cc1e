"""From a plan to one statement. Pure; identifiers come from the plan, values are parameters."""

from cairn.rest.sql.statement import Counting, Statement, write_lines, write_statement

__all__ = ["Counting", "Statement", "write_lines", "write_statement"]
