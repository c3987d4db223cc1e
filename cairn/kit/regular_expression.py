"""Checks regular expressions that callers send, before PostgreSQL compares them with rows."""

import re

_BACKREFERENCE = re.compile(r"\\[1-9]")


def has_backreference(pattern: str) -> bool:
    """A backreference such as `\\1` can keep PostgreSQL busy for any length of time, even with a short text."""
    return _BACKREFERENCE.search(pattern) is not None
