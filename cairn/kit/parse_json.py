"""Parses JSON that strangers send."""

import json
from typing import Any

from pydantic_core import from_json

_MAX_DEPTH = 200


def parse_json(text: str | bytes) -> Any:
    """Raises ValueError for a text that is not JSON, or that is nested more than 200 levels deep.

    How deep `json` can parse or encode depends on the depth of the call stack. So a value that it has just parsed might
    not be encoded again later, where no one expects an error. `from_json` has a fixed limit, but it refuses unpaired
    surrogates, such as half of an emoji, which browsers send. So it only parses texts that may be nested too deeply.
    """
    return json.loads(text) if _count_openings(text) <= _MAX_DEPTH else from_json(text)


def _count_openings(text: str | bytes) -> int:
    """Returns a number that is at least the depth of the nesting. Counting is much faster than parsing."""
    if isinstance(text, str):
        return text.count("[") + text.count("{")
    return text.count(b"[") + text.count(b"{")
