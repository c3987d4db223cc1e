"""Parses JSON that strangers send."""

import json
from math import isfinite
from typing import Any, Never

from pydantic_core import from_json

_MAX_DEPTH = 200


def parse_json(text: str | bytes) -> Any:
    """Raises ValueError for a text that is not JSON, or that is nested more than 200 levels deep.

    NaN and numbers that are too large, such as 1e999, are refused too. Python would accept them, and write them as
    `NaN` and `Infinity`, which other programs cannot read.

    How deep `json` can parse or encode depends on the depth of the call stack, so a value that was parsed might fail
    when it is encoded later. `from_json` has a fixed limit, but it refuses unpaired surrogates, such as half of an
    emoji, which browsers send. So `from_json` parses only texts that may be nested too deeply.
    """
    if _count_openings(text) > _MAX_DEPTH:
        return from_json(text, allow_inf_nan=False)
    return _decode(text if isinstance(text, str) else text.decode(errors="surrogatepass"))


def _finite_number(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError("a number is out of range")
    return number


def _refuse_constant(name: str) -> Never:
    raise ValueError(f"{name} is not JSON")


# `json.loads` would make a new decoder for each text if it were given these functions.
_decode = json.JSONDecoder(parse_float=_finite_number, parse_constant=_refuse_constant).decode


def _count_openings(text: str | bytes) -> int:
    """Returns a number that is at least the depth of the nesting. Counting is much faster than parsing."""
    if isinstance(text, str):
        return text.count("[") + text.count("{")
    return text.count(b"[") + text.count(b"{")
