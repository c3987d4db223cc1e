"""Parses JSON that strangers send."""

import json
from typing import Any

from pydantic_core import from_json

_MAX_DEPTH = 200


def parse_json(text: str | bytes) -> Any:
    """Raises ValueError for a text that is not JSON, or that is nested more than 200 levels deep.

    How deep `json` can parse or encode depends on the calls around it. So a value that it just accepts could often not
    be encoded again, and the error would come where no one expects it. Only `from_json` has a fixed limit, but it
    refuses half of an emoji, which browsers send. So it parses only texts that may be nested too deeply.
    """
    return json.loads(text) if _count_openings(text) <= _MAX_DEPTH else from_json(text)


def _count_openings(text: str | bytes) -> int:
    """Returns how many lists and objects the text begins, at most. Counting is much faster than parsing."""
    if isinstance(text, str):
        return text.count("[") + text.count("{")
    return text.count(b"[") + text.count(b"{")
