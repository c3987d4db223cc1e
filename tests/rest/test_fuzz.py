"""Each random query is parsed or rejected with a position, and no value becomes part of a statement."""

import random

import pytest

from cairn.rest.errors import InvalidQuery, RangeNotSatisfiable, RestProblem
from cairn.rest.grammar import parse_query
from cairn.rest.plan import make_plan
from cairn.rest.request import parse_request
from cairn.rest.statement import build_statement
from tests.rest.test_sql import CATALOG

MARKER = "zq7"
PIECES = [
    *("id", "name", "attributes", "guides", "trips", "a b", "é", "\U0001f6f6"),
    *(MARKER, f"'{MARKER}", f"{MARKER}--", f'"{MARKER}"', f"${MARKER}"),
    *("eq.", "neq.", "gt.", "like.", "in.", "is.", "not.", "fts(english).", "cs.", "ov.", "eq(any).", "null", "true"),
    *(
        "and",
        "or",
        "(",
        ")",
        ",",
        ".",
        ":",
        "::",
        "!",
        "!inner",
        "...",
        "*",
        "->",
        "->>",
        '"',
        "\\",
        "{",
        "}",
        "[",
        "]",
    ),
    *("'", ";", "--", "/*", "count()", "sum()", "::text", "desc", "asc", ".nullslast", "0", "-1"),
    *("99999999999999999999", " ", "\x00", "\n", "%", "=", "&"),
]
PARAMETERS = [
    "select",
    "order",
    "limit",
    "offset",
    "and",
    "or",
    "not.and",
    "columns",
    "on_conflict",
    "id",
    "name",
    "attributes->a",
]


@pytest.mark.parametrize("query_count", [20_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_every_query_is_parsed_or_rejected_with_a_position(query_count: int) -> None:
    dice = random.Random(query_count)  # noqa: S311  (a fixed seed gives the same queries every time)
    accepted_count = without_position_count = 0
    for _ in range(query_count):
        key = dice.choice(PARAMETERS) if dice.random() < 0.8 else _random_text(dice, 3)
        value = _random_text(dice, 8)
        try:
            parse_query([(key, value)], is_call=dice.random() < 0.1)
        except InvalidQuery as error:
            without_position_count += not has_position(error)
        except RangeNotSatisfiable:
            assert key in ("limit", "offset") or key.endswith((".limit", ".offset"))
        else:
            accepted_count += 1
    assert without_position_count == 0
    # The test would prove little if nearly all queries were rejected at their first character.
    assert accepted_count > query_count / 50


@pytest.mark.parametrize("query_count", [5_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_no_value_becomes_part_of_a_statement(query_count: int) -> None:
    dice = random.Random(query_count)  # noqa: S311  (a fixed seed gives the same queries every time)
    statement_count = 0
    for _ in range(query_count):
        query = "&".join(
            f"{dice.choice(PARAMETERS[:7] + PARAMETERS[9:])}={_plausible_value(dice)}"
            for _ in range(dice.randint(1, 3))
        )
        try:
            parsed = parse_request("GET", "/trips", query, {})
            plan = make_plan(CATALOG, parsed, aggregates=True, max_rows=None)
        except RestProblem:
            continue
        statement = build_statement(plan, parsed.media, with_body=True)
        without_escapes = statement.sql.replace('""', "")
        assert MARKER not in _outside_quotes(without_escapes), query
        statement_count += 1
    assert statement_count > query_count / 50


def has_position(error: InvalidQuery) -> bool:
    column, text = error.parameters["column"], str(error.parameters["text"])
    return isinstance(column, int) and 1 <= column <= len(text) + 1 and "expecting" in str(error.details)


def _random_text(dice: random.Random, max_pieces: int) -> str:
    return "".join(dice.choices(PIECES, k=dice.randint(0, max_pieces)))


def _plausible_value(dice: random.Random) -> str:
    """Returns a nearly valid value, so that the grammar accepts more than a few values."""
    value = f"{dice.choice(['', 'not.'])}{dice.choice(['eq', 'neq', 'like', 'gt', 'cs'])}.{_random_text(dice, 4)}"
    choices = [
        value,
        f"(id.{value},name.eq.{MARKER})",
        f"attributes->{MARKER}",
        f"{MARKER}:name,id",
        "id.desc",
        f"in.({MARKER},1)",
    ]
    return dice.choice(choices).replace("&", "%26").replace("=", "%3D").replace("+", "%2B")


def _outside_quotes(sql: str) -> str:
    """Removes the identifiers from the statement, because the caller may choose an alias."""
    return "".join(sql.split('"')[::2])
