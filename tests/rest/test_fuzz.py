"""Random queries: each is parsed or rejected with a position, and no value becomes part of a statement."""

import random

import pytest

from cairn.rest.errors import InvalidQuery, RangeNotSatisfiable, RestProblem
from cairn.rest.grammar import parse_query
from cairn.rest.plan import make_plan
from cairn.rest.request import parse_request
from cairn.rest.statement import build_statement
from tests.rest.test_sql import CATALOG

MARK = "zq7"
PIECES = [
    *("id", "name", "attributes", "guides", "trips", "a b", "é", "\U0001f6f6"),
    *(MARK, f"'{MARK}", f"{MARK}--", f'"{MARK}"', f"${MARK}"),
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
KEYS = [
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
MILLION = 1_000_000


@pytest.mark.parametrize("inputs", [20_000, pytest.param(MILLION, marks=pytest.mark.slow)])
def test_every_query_is_parsed_or_rejected_with_a_position(inputs: int) -> None:
    dice = random.Random(inputs)  # noqa: S311  (the same queries every time)
    accepted = without_position = 0
    for _ in range(inputs):
        key = dice.choice(KEYS) if dice.random() < 0.8 else _random_text(dice, 3)
        value = _random_text(dice, 8)
        try:
            parse_query([(key, value)], is_call=dice.random() < 0.1)
        except InvalidQuery as error:
            without_position += not has_position(error)
        except RangeNotSatisfiable:
            assert key in ("limit", "offset") or key.endswith((".limit", ".offset"))
        else:
            accepted += 1
    assert without_position == 0
    # Queries that are all rejected at their first character would prove little.
    assert accepted > inputs / 50


@pytest.mark.parametrize("inputs", [5_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_no_value_becomes_part_of_a_statement(inputs: int) -> None:
    dice = random.Random(inputs)  # noqa: S311
    written = 0
    for _ in range(inputs):
        query = "&".join(
            f"{dice.choice(KEYS[:7] + KEYS[9:])}={_plausible_value(dice)}" for _ in range(dice.randint(1, 3))
        )
        try:
            parsed = parse_request("GET", "/trips", query, {})
            plan = make_plan(CATALOG, parsed, aggregates=True, max_rows=None)
        except RestProblem:
            continue
        statement = build_statement(plan, parsed.media, with_body=True)
        labels = statement.sql.replace('""', "")
        assert MARK not in _outside_quotes(labels), query
        written += 1
    assert written > inputs / 50


def has_position(error: InvalidQuery) -> bool:
    column, text = error.parameters["column"], str(error.parameters["text"])
    return isinstance(column, int) and 1 <= column <= len(text) + 1 and "expecting" in str(error.details)


def _random_text(dice: random.Random, most: int) -> str:
    return "".join(dice.choices(PIECES, k=dice.randint(0, most)))


def _plausible_value(dice: random.Random) -> str:
    """A nearly valid value, so that most of them pass the grammar."""
    value = f"{dice.choice(['', 'not.'])}{dice.choice(['eq', 'neq', 'like', 'gt', 'cs'])}.{_random_text(dice, 4)}"
    choices = [
        value,
        f"(id.{value},name.eq.{MARK})",
        f"attributes->{MARK}",
        f"{MARK}:name,id",
        "id.desc",
        f"in.({MARK},1)",
    ]
    return dice.choice(choices).replace("&", "%26").replace("=", "%3D").replace("+", "%2B")


def _outside_quotes(sql: str) -> str:
    """The statement without its identifiers; an alias chosen by the caller is an identifier."""
    return "".join(sql.split('"')[::2])
