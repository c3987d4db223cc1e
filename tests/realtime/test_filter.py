"""The filters of a subscription, by examples."""

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cairn.realtime.errors import FilterUnreadable
from cairn.realtime.filter import conditions

TYPES = {"name": "text", "age": "int4", "paid": "bool", "id": "uuid", "price": "numeric", "at": "timestamptz"}
ID = "0b2f1e4c-0000-4000-8000-00000000000a"


@pytest.mark.parametrize(
    ("text", "row", "holds"),
    [
        ("name=eq.Gil", {"name": "Gil"}, True),
        ("name=eq.Gil", {"name": "gil"}, False),
        ("name=eq.", {"name": ""}, True),
        ("name=eq.a.b=c", {"name": "a.b=c"}, True),
        ("name=neq.Gil", {"name": "Ana"}, True),
        ("name=neq.Gil", {"name": "Gil"}, False),
        ("name=eq.Gil", {"name": None}, False),
        ("name=neq.Gil", {"name": None}, False),
        ("name=eq.Gil", {}, False),
        ("name=in.(Ana,Gil)", {"name": "Gil"}, True),
        ("name=in.(Ana,Gil)", {"name": "Ana,Gil"}, False),
        ('name=in.("Okafor, Gil",Ana)', {"name": "Okafor, Gil"}, True),
        ('name=eq."say \\"hi\\", twice"', {"name": 'say "hi", twice'}, True),
        ('name=eq."a\\\\b"', {"name": "a\\b"}, True),
        ("age=eq.7", {"age": 7}, True),
        ("age=eq.7.0", {"age": 7}, True),
        ("price=eq.1.10", {"price": 1.1}, True),
        ("paid=eq.true", {"paid": True}, True),
        ("paid=eq.f", {"paid": False}, True),
        ("paid=neq.true", {"paid": True}, False),
        (f"id=eq.{ID.upper()}", {"id": ID}, True),
        ("name=eq.Gil,age=neq.7", {"name": "Gil", "age": 8}, True),
        ("name=eq.Gil,age=neq.7", {"name": "Gil", "age": 7}, False),
    ],
)
def test_a_row_passes_or_not(text: str, row: dict[str, Any], holds: bool) -> None:
    assert all(condition.holds(row) for condition in conditions(text, TYPES)) is holds


@pytest.mark.parametrize(
    "text",
    [
        "name",
        "name=Gil",
        "nobody=eq.1",
        "age=gt.5",
        "name=not.eq.Gil",
        "name=is.null",
        "name=in.Gil",
        "name=in.(Gil",
        'name=eq."Gil',
        "age=eq.seven",
        "age=eq.sNaN",
        "paid=eq.maybe",
        "id=eq.7",
        "at=eq.2026-01-01",
        "name=eq.Gil,",
    ],
)
def test_what_is_not_understood_is_refused_and_never_ignored(text: str) -> None:
    with pytest.raises(FilterUnreadable, match="Error parsing `filter` params"):
        conditions(text, TYPES)


@given(st.text(), st.sampled_from(sorted(TYPES)), st.sampled_from(["eq", "neq", "in"]))
def test_no_filter_does_worse_than_be_refused(value: str, column: str, operator: str) -> None:
    with contextlib.suppress(FilterUnreadable):
        conditions(f"{column}={operator}.{value}", TYPES)
