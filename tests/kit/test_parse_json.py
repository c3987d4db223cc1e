"""JSON from strangers must not be nested so deeply that it could not be encoded again (12L6 in docs/security.md)."""

import pytest

from cairn.kit import parse_json


def test_json_is_parsed() -> None:
    assert parse_json('{"a": [1, 2.5, null, "\\u00e9"]}') == {"a": [1, 2.5, None, "\u00e9"]}
    assert parse_json(b"[true]") == [True]


def test_an_unpaired_surrogate_is_accepted() -> None:
    assert parse_json('["\\ud83d"]') == ["\ud83d"]


@pytest.mark.parametrize(
    "text", ["", "{", "nothing", b"\xff", "[" * 300, "[[]," * 300, "[NaN]", b"[-Infinity]", "[1e999]"]
)
def test_invalid_or_deeply_nested_json_is_refused(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_json(text)


def test_nan_in_a_long_list_is_refused() -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_json("[" + "[]," * 300 + "NaN]")


def test_a_long_list_of_objects_is_parsed() -> None:
    assert parse_json("[" + ",".join(['{"a": [1]}'] * 1_000) + "]") == [{"a": [1]}] * 1_000


@pytest.mark.parametrize(("depth", "is_accepted"), [(150, True), (300, False), (990, False), (100_000, False)])
def test_12l6_deeply_nested_json_is_refused(depth: int, is_accepted: bool) -> None:
    text = "[" * depth + "]" * depth
    if is_accepted:
        parse_json(text)
        return
    with pytest.raises(ValueError, match="recursion limit exceeded"):
        parse_json(text)
