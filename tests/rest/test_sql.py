"""In the SQL of a plan, values are parameters, and names come from the catalog."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cairn.rest.catalog import TEXT, Catalog, Column, Relationship, Table, Type
from cairn.rest.errors import RestProblem
from cairn.rest.plan import make_plan
from cairn.rest.request import parse_request
from cairn.rest.statement import Statement, build_statement
from tests.rest.conftest import Client

INT = Type("pg_catalog.int4", "pg_catalog._int4", "N", "integer")
JSONB = Type("pg_catalog.jsonb", "pg_catalog._jsonb", "U", "jsonb")
TRIPS = Table(
    "public",
    "trips",
    {
        "id": Column("id", INT),
        "name": Column("name", TEXT, default="'unnamed'::text"),
        "attributes": Column("attributes", JSONB),
        "guide_id": Column("guide_id", INT),
    },
    ("id",),
)
GUIDES = Table("public", "guides", {"id": Column("id", INT), 'the "name"': Column('the "name"', TEXT)}, ("id",))
CATALOG = Catalog(
    {TRIPS.key: TRIPS, GUIDES.key: GUIDES},
    {TRIPS.key: (Relationship("fk", TRIPS.key, GUIDES.key, "many-to-one", (("guide_id", "id"),)),)},
    {},
    {"text": TEXT},
)


def build(method: str, query: str, body: str = "", **headers: str) -> Statement:
    parsed = parse_request(method, "/trips", query, headers, body=body.encode())
    plan = make_plan(CATALOG, parsed, aggregates=True, max_rows=None)
    return build_statement(plan, parsed.media, with_body=plan.read is not None)


EXAMPLES = [
    ("select=id&name=eq.x", 'select "trips"."id" as "id" from "public"."trips" as "trips"'
     ' where ("trips"."name" = $1::text)', ("x",)),
    ("select=id&id=in.(1,2)", 'select "trips"."id" as "id" from "public"."trips" as "trips"'
     ' where ("trips"."id" = any (($1::text[])::pg_catalog._int4))', (["1", "2"],)),
    ("select=attributes->a::text&order=id.desc&limit=3&offset=1",
     'select (("trips"."attributes" -> $1::text))::pg_catalog.text as "a" from "public"."trips" as "trips"'
     ' order by "trips"."id" desc limit 3 offset $2::int8', ("a", 1)),
    ("select=id&limit=1001", 'select "trips"."id" as "id" from "public"."trips" as "trips" limit $1::int8', (1001,)),
    ("select=k:attributes->a,count()&attributes->a=not.is.null",
     'select ("trips"."attributes" -> $1::text) as "k", count(*) as "count" from "public"."trips" as "trips"'
     ' where (not (("trips"."attributes" -> $1::text) is null)) group by ("trips"."attributes" -> $1::text)', ("a",)),
]  # fmt: skip


@pytest.mark.parametrize(("query", "select", "values"), EXAMPLES, ids=[query for query, _, _ in EXAMPLES])
def test_a_read_becomes_the_expected_sql(query: str, select: str, values: tuple[object, ...]) -> None:
    statement = build("GET", query)

    assert f'with "cairn_rows" as ({select}) ' in statement.sql
    assert statement.parameters == values


def test_quotes_in_an_identifier_are_escaped() -> None:
    statement = build("GET", 'select=guides("the \\"name\\"")')

    assert '"guides_1"."the ""name""" as "the ""name"""' in statement.sql


def test_a_write_returns_only_the_requested_columns() -> None:
    minimal = build("POST", "", '{"name": "x"}')
    with_columns = build("POST", "select=id,guides(id)", '{"name": "x"}', prefer="return=representation")

    assert "returning 1 as cairn_one" in minimal.sql
    assert 'returning "trips"."id", "trips"."guide_id")' in with_columns.sql


MARKER = "zq7"
VALUES = st.text(st.sampled_from("zq7'\"$\\;-) ("), max_size=12).map(lambda text: MARKER + text)


@settings(max_examples=500, deadline=None)
@given(value=VALUES, key=VALUES)
def test_no_value_of_a_request_appears_in_its_sql(value: str, key: str) -> None:
    quoted_key = '"' + key.replace("\\", "\\\\").replace('"', '\\"') + '"'
    for query in (
        f"name=eq.{value}",
        f"name=like.{value}",
        f"name=fts({MARKER}).{value}",
        f"id=in.({quoted_key})",
        f"attributes->>{quoted_key}=eq.{value}",
        f"select=attributes->{quoted_key}",
        f"order=attributes->{quoted_key}",
        f"or=(name.eq.{quoted_key},attributes->{quoted_key}.is.null)",
    ):
        try:
            statement = build("GET", query.replace("+", "%2B").replace(";", "%3B"))
        except RestProblem:
            continue
        # The caller chooses the alias of a JSON path. It appears only in quotes.
        assert MARKER not in statement.sql.replace('"' + key.replace('"', '""') + '"', "")


COLUMN_NAMES = ["id", "name", "attributes", "tags", "grade", "rivers", "countries", "guides", "nope", "a", "1", "%00"]
FILTER_VALUES = ["eq.1", "in.(1,2)", "is.null", "not.", "like.*", "fts.x", "gt.5", "cs.{a}", "{a}", "eq(any).{1}"]
SYMBOLS = ["(", ")", ",", ".", "->", "->>", "::text", "::int", "*", "count()", "desc", '"', "!inner", "...", "=", "&"]
PIECES = [*COLUMN_NAMES, *FILTER_VALUES, *SYMBOLS, "order", "select", "limit", "or", "and"]
PATHS = ["/rivers", "/countries", "/guides", "/rpc/longer_than", "/rpc/add", "/river_names"]


async def test_no_random_request_causes_a_server_error(atlas: Client) -> None:
    dice = random.Random(7)  # noqa: S311  (a fixed seed gives the same requests every time)
    for _ in range(1500):
        start = dice.choice(["", "select=", "name=", "id=", "attributes=", "or=", "order="])
        query = start + "".join(dice.choice(PIECES) for _ in range(dice.randint(0, 9)))
        headers = {"Prefer": dice.choice(["", "count=exact", "count=planned"]), "Range": dice.choice(["0-5", "9-"])}
        url = f"{dice.choice(PATHS)}?{query}"
        response = await atlas.get(url, headers=headers)
        assert response.status_code < 500, (url, response.text)
