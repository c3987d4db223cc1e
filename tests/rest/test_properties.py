"""Random queries return the same rows as equivalent SQL, which this test writes independently of the service."""

import json
from dataclasses import dataclass

import asyncpg
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rest.conftest import Client

COLUMNS = ["id", "shore", "depth", "label"]
OPERATORS = {"eq": "=", "neq": "<>", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
NULLS = {"": "", ".nullsfirst": " nulls first", ".nullslast": " nulls last"}


@dataclass(frozen=True)
class Condition:
    """Holds a condition inside `and(...)` or `or(...)`, in the query language and in SQL."""

    query: str
    sql: str


def quote_for_query(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def quote_for_sql(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


@st.composite
def comparisons(draw: st.DrawFn) -> Condition:
    column = draw(st.sampled_from(COLUMNS))
    texts, numbers = st.text(st.sampled_from("ab,.()\"'\\{}%é"), max_size=3), st.integers(0, 40).map(str)
    values = draw(st.lists(texts if column == "label" else numbers, min_size=1, max_size=4))
    operator = draw(st.sampled_from([*OPERATORS, "in", "is"]))
    if operator == "is":
        condition = Condition("is.null", "is null")
    elif operator == "in":
        condition = Condition(
            f"in.({','.join(map(quote_for_query, values))})", f"in ({', '.join(map(quote_for_sql, values))})"
        )
    else:
        condition = Condition(
            f"{operator}.{quote_for_query(values[0])}", f"{OPERATORS[operator]} {quote_for_sql(values[0])}"
        )
    if draw(st.booleans()):
        return Condition(f"{column}.not.{condition.query}", f"not ({column} {condition.sql})")
    return Condition(f"{column}.{condition.query}", f"{column} {condition.sql}")


@st.composite
def groups(draw: st.DrawFn, parts: st.SearchStrategy[Condition]) -> Condition:
    operator, negated = draw(st.sampled_from(["and", "or"])), draw(st.booleans())
    drawn_parts = draw(st.lists(parts, min_size=1, max_size=3))
    query = f"{operator}({','.join(part.query for part in drawn_parts)})"
    sql = f" {operator} ".join(f"({part.sql})" for part in drawn_parts)
    return Condition(f"not.{query}" if negated else query, f"not ({sql})" if negated else sql)


CONDITIONS = st.recursive(comparisons(), groups, max_leaves=8)
ORDERS = st.lists(st.tuples(st.sampled_from(COLUMNS), st.booleans(), st.sampled_from(sorted(NULLS))), max_size=2)


@settings(max_examples=200, deadline=None)
@given(condition=CONDITIONS, order=ORDERS, limit=st.integers(0, 12), offset=st.integers(0, 5))
async def test_the_service_returns_the_same_rows_as_sql(
    atlas: Client,
    atlas_sql: "asyncpg.Connection[asyncpg.Record]",
    condition: Condition,
    order: list[tuple[str, bool, str]],
    limit: int,
    offset: int,
) -> None:
    query = {
        "select": "id,label,shores(name)",
        "and": f"({condition.query})",
        "order": ",".join(
            [*(f"{column}{'.desc' if descending else ''}{nulls}" for column, descending, nulls in order), "id"]
        ),
        "limit": str(limit),
        "offset": str(offset),
    }
    order_by = ", ".join(
        [*(f"{column}{' desc' if descending else ''}{NULLS[nulls]}" for column, descending, nulls in order), "id"]
    )

    response = await atlas.get("/lakes", params=query)
    rows = await atlas_sql.fetchval(f"""
        select coalesce(json_agg(json_build_object(
                   'id', id, 'label', label,
                   'shores', (select json_build_object('name', s.name) from atlas.shores s where s.id = shore))), '[]')
          from (select * from atlas.lakes
                 where {condition.sql} order by {order_by} limit {limit} offset {offset}) as lakes
    """)

    assert response.json() == json.loads(rows)
