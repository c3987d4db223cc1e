"""The parser accepts examples of the query language, and reports where any other text is wrong."""

from urllib.parse import parse_qsl

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cairn.rest.errors import InvalidQuery, RangeNotSatisfiable
from cairn.rest.grammar import (
    Column,
    Comparison,
    Condition,
    Embed,
    Field,
    Level,
    Logic,
    Ordering,
    Star,
    Step,
    parse_query,
)


def column(name: str, *steps: Step, **attributes: str) -> Column:
    return Column(Field(name, steps), **attributes)


SELECTS: list[tuple[str, tuple[object, ...]]] = [
    ("*", (Star(),)),
    ("", ()),
    ("id, name", (column("id"), column("name"))),
    ("full name", (column("full name"),)),
    ('"a,b":id', (column("id", alias="a,b"),)),
    ('"say \\"hi\\""', (column('say "hi"'),)),
    ("first-name", (column("first-name"),)),
    ("größe", (column("größe"),)),
    ("a:b::text", (column("b", alias="a", cast="text"),)),
    ("b::double precision", (column("b", cast="double precision"),)),
    ("b::int4[]", (column("b", cast="int4[]"),)),
    ("d->a->>b", (column("d", Step("a", False), Step("b", True)),)),
    ("d->0->>-1", (column("d", Step(0, False), Step(-1, True)),)),
    ("d->1st", (column("d", Step("1st", False)),)),
    ("n.sum()::int", (column("n", aggregate="sum", aggregate_cast="int"),)),
    ("n::int.avg()", (column("n", cast="int", aggregate="avg"),)),
    ("count()", (Column(None, aggregate="count"),)),
    ("c:count()", (Column(None, alias="c", aggregate="count"),)),
    ("r(*)", (Embed("r", (Star(),)),)),
    ("r()", (Embed("r", ()),)),
    ("a:r!fk!inner(id)", (Embed("r", (column("id"),), alias="a", hint="fk", inner=True),)),
    ("r!left(id)", (Embed("r", (column("id"),)),)),
    ("...r(a)", (Embed("r", (column("a"),), spread=True),)),
    ("r(s(t(id)))", (Embed("r", (Embed("s", (Embed("t", (column("id"),)),)),)),)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), SELECTS, ids=[text for text, _ in SELECTS])
def test_a_select_list_is_parsed(text: str, expected: tuple[object, ...]) -> None:
    assert parse_query([("select", text)]).select == expected


def equals(name: str, value: str) -> Comparison:
    return Comparison(Field(name), "eq", value)


FILTERS: list[tuple[str, str, tuple[str, ...], Condition]] = [
    ("a", "eq.1", (), equals("a", "1")),
    ("a", "eq.x.y,z", (), equals("a", "x.y,z")),
    ("a", "eq.", (), equals("a", "")),
    ("a", "not.eq.1", (), Comparison(Field("a"), "eq", "1", negated=True)),
    ("a", "is.NULL", (), Comparison(Field("a"), "is", "null")),
    ("a", "in.(1,2)", (), Comparison(Field("a"), "in", ("1", "2"))),
    ("a", 'in.("a,b",c"d,3)', (), Comparison(Field("a"), "in", ("a,b", 'c"d', "3"))),
    ("a", 'in.("x\\"y","\\\\",)', (), Comparison(Field("a"), "in", ('x"y', "\\", ""))),
    ("a", "like(any).{x,y}", (), Comparison(Field("a"), "like", "{x,y}", quantifier="any")),
    ("a", "fts(english).cat", (), Comparison(Field("a"), "fts", "cat", config="english")),
    ("a->b->>c", "eq.1", (), Comparison(Field("a", (Step("b", False), Step("c", True))), "eq", "1")),
    ('"a.b"', "eq.1", (), equals("a.b", "1")),
    ("r.a", "eq.1", ("r",), equals("a", "1")),
    ("r.s.a", "eq.1", ("r", "s"), equals("a", "1")),
    ("or", "(a.eq.1,b.eq.2)", (), Logic("or", (equals("a", "1"), equals("b", "2")))),
    ("r.or", "(a.eq.1)", ("r",), Logic("or", (equals("a", "1"),))),
    ("r.not.and", "(a.eq.1)", ("r",), Logic("and", (equals("a", "1"),), negated=True)),
    ("and", "(a.eq.1,not.or(b.eq.2,c.not.eq.3))", (), Logic("and", (
        equals("a", "1"),
        Logic("or", (equals("b", "2"), Comparison(Field("c"), "eq", "3", negated=True)), negated=True)))),
    ("or", '(a.eq."1,)",b.cs.{"x,}",y},c.in.(1,")"))', (), Logic("or", (
        equals("a", "1,)"),
        Comparison(Field("b"), "cs", '{"x,}",y}'),
        Comparison(Field("c"), "in", ("1", ")"))))),
    ("or", "(nothing.eq.1,order.eq.2)", (), Logic("or", (equals("nothing", "1"), equals("order", "2")))),
]  # fmt: skip


@pytest.mark.parametrize(("key", "value", "path", "expected"), FILTERS)
def test_a_filter_is_parsed(key: str, value: str, path: tuple[str, ...], expected: Condition) -> None:
    assert parse_query([(key, value)]).levels == {path: Level((expected,))}


def test_reserved_parameters_apply_to_their_level() -> None:
    query = parse_query(
        [
            ("order", "a.desc.nullslast,b->c,r(d)"),
            ("limit", "5"),
            ("offset", "0"),
            ("r.order", "x.nullsfirst"),
            ("r.limit", "1"),
            ("columns", '"a","b c"'),
            ("on_conflict", "a,b"),
        ]
    )

    assert query.level(()) == Level(
        order=(
            Ordering(Field("a"), descending=True, nulls="last"),
            Ordering(Field("b", (Step("c", False),))),
            Ordering(Field("d"), relation="r"),
        ),
        limit=5,
        offset=0,
    )
    assert query.level(("r",)) == Level(order=(Ordering(Field("x"), nulls="first"),), limit=1)
    assert (query.columns, query.on_conflict) == (("a", "b c"), ("a", "b"))


INVALID_PARAMETERS = [
    ("select", "a,", 3),
    ("select", "a(b", 4),
    ("select", "a.nope()", 3),
    ("select", "a::", 4),
    ("select", "x" + "(y" * 100, 83),
    ("a", "1", 1),
    ("a", "not.1", 5),
    ("a", "eq", 1),
    ("a", "is.maybe", 4),
    ("a", "in.1", 4),
    ("a", "in.(1", 6),
    ("a", "neq(any).1", 4),
    ("or", "a.eq.1", 1),
    ("or", "(a.eq.1", 8),
    ("or", "()", 2),
    ("or", "(a.is.perhaps,b.eq.1)", 7),
    ("order", "a.up", 2),
    ("limit", "ten", 1),
    ("columns", 'a,"b', 5),
    ("a..b", "eq.1", 3),
]


@pytest.mark.parametrize(("key", "value", "position"), INVALID_PARAMETERS)
def test_a_parse_error_reports_the_position(key: str, value: str, position: int) -> None:
    with pytest.raises(InvalidQuery) as error:
        parse_query([(key, value)])

    assert error.value.parameters["column"] == position
    assert "expecting" in str(error.value.details)


TOKENS = st.sampled_from(
    ["a", "b.c", "not.", "eq.", "in.", "is.", "null", "or", "and", "(", ")", ",", '"', "\\", "{", "}", "->", "->>",
     "::", ":", "!", "...", "*", ".", "1", "-1", " ", "count()", ".sum()", "order", "limit", "select", "any", "\x00"]
)  # fmt: skip
TEXTS = st.lists(st.one_of(TOKENS, st.text(max_size=3)), max_size=25).map("".join)
KEYS = st.sampled_from(["select", "order", "or", "and", "limit", "columns", "a"])


@settings(max_examples=800, deadline=None)
@given(key=st.one_of(TEXTS, KEYS), value=TEXTS)
def test_any_text_is_parsed_or_rejected_with_a_position(key: str, value: str) -> None:
    for is_call in (False, True):
        error = parse_error(key, value, is_call=is_call)
        if isinstance(error, InvalidQuery):
            assert 1 <= int(str(error.parameters["column"])) <= len(str(error.parameters["text"])) + 1


def parse_error(key: str, value: str, *, is_call: bool) -> Exception | None:
    """Returns the error of the parser, if it is of an expected kind. Any other exception fails the test."""
    try:
        parse_query([(key, value)], is_call=is_call)
    except (InvalidQuery, RangeNotSatisfiable) as error:
        return error
    return None


@pytest.mark.parametrize("text", ["a()," * 51, "a(" * 51, "...b(id)," * 60])
def test_the_number_of_embeds_is_limited(text: str) -> None:
    with pytest.raises(InvalidQuery) as error:
        parse_query([("select", text)])

    assert str(error.value.details).endswith(("at most 50 embedded tables", "at most 40 levels of nesting"))


def test_a_query_string_is_decoded_once() -> None:
    query = parse_query(parse_qsl("a=eq.1%2B1+is%252B2"))

    assert query.level(()).conditions == (equals("a", "1+1 is%2B2"),)
