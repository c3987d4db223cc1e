"""Each filter operator finds the right rows, and rows are returned in the requested order."""

import pytest

from tests.rest.conftest import Client, get_json

BAKER, FUTALEUFU, SJOA, LOST = 1, 2, 3, 4

FILTERS = [
    ("id=eq.1", {BAKER}),
    ("id=neq.1", {FUTALEUFU, SJOA, LOST}),
    ("id=gt.2", {SJOA, LOST}),
    ("id=gte.2&id=lt.4", {FUTALEUFU, SJOA}),
    ("id=lte.1", {BAKER}),
    ("id=not.eq.1", {FUTALEUFU, SJOA, LOST}),
    ("name=like.*a*", {BAKER, FUTALEUFU, SJOA}),
    ("name=like.B*", {BAKER}),
    ("name=ilike.*RIVER*", {LOST}),
    ("name=not.ilike.*a*", {LOST}),
    ("name=match.^[BS]", {BAKER, SJOA}),
    ("name=imatch.^b", {BAKER}),
    ("name=eq.Futaleufú", {FUTALEUFU}),
    ("name=eq.Lost (River)", {LOST}),
    ('name=in.("Lost (River)",Baker)', {BAKER, LOST}),
    ("id=in.(1,3)", {BAKER, SJOA}),
    ("id=in.()", set()),
    ("id=not.in.(1,3)", {FUTALEUFU, LOST}),
    ("length=is.null", {LOST}),
    ("length=not.is.null", {BAKER, FUTALEUFU, SJOA}),
    ("length=is.NOT_NULL", {BAKER, FUTALEUFU, SJOA}),
    ("open=is.true", {BAKER, FUTALEUFU}),
    ("open=is.unknown", {LOST}),
    ("length=isdistinct.175", {FUTALEUFU, SJOA, LOST}),
    ("id=eq(any).{1,2}", {BAKER, FUTALEUFU}),
    ("id=gt(all).{1,2}", {SJOA, LOST}),
    ("name=like(any).{B*,S*}", {BAKER, SJOA}),
    ("name=not.ilike(any).{b*,S*}", {FUTALEUFU, LOST}),
    ("tags=cs.{cold}", {BAKER, FUTALEUFU}),
    ('tags=cs.{"a,b"}', {LOST}),
    ("tags=cd.{cold,red}", {FUTALEUFU, SJOA}),
    ("tags=ov.{blue,x}", {BAKER}),
    ("tags=eq.{}", {SJOA}),
    ('attributes=cs.{"depth":7}', {BAKER}),
    ("grade=cs.[3,4)", {BAKER, SJOA}),
    ("grade=sl.[4,6)", {SJOA}),
    ("grade=sr.[1,3)", {BAKER, FUTALEUFU}),
    ("grade=nxr.[1,5)", {BAKER, SJOA}),
    ("grade=nxl.[3,9)", {BAKER, FUTALEUFU}),
    ("grade=adj.[5,7)", {BAKER}),
    ("document=fts.baker", {BAKER}),
    ("document=fts(english).bakers", {BAKER}),
    ("name=plfts(english).lost rivers", {LOST}),
    ("name=phfts.lost river", {LOST}),
    ("name=wfts(english).baker or sjoa", {BAKER, SJOA}),
    ("attributes->depth=eq.7", {BAKER}),
    ("attributes->>depth=eq.5", {FUTALEUFU}),
    ("attributes->by->>who=eq.Ana, B", {BAKER}),
    ("attributes->falls->>0=eq.Nef", {BAKER}),
    ("attributes->falls->>-1=eq.Nef", {BAKER}),
    ("tags->>0=eq.cold", {BAKER, FUTALEUFU}),
    ("water=eq.wild", {BAKER, FUTALEUFU, SJOA}),
    ("opened=gt.1994-12-31", {FUTALEUFU, LOST}),
    ("plate=eq.B1", {BAKER}),
    ("or=(id.eq.1,name.eq.Sjoa)", {BAKER, SJOA}),
    ("or=(id.eq.1,and(length.lt.110,open.is.true))", {BAKER, FUTALEUFU}),
    ("not.or=(id.eq.1,id.eq.2)", {SJOA, LOST}),
    ("and=(id.gt.1,not.or(id.eq.3,id.eq.4))", {FUTALEUFU}),
    ("or=(id.in.(1,2),length.not.is.null)", {BAKER, FUTALEUFU, SJOA}),
    ('or=(name.eq."Lost (River)",tags.cs.{cold,blue})', {BAKER, LOST}),
    ("or=(attributes->>depth.eq.5, id.eq.1)", {BAKER, FUTALEUFU}),
    ("or=(not.length.is.null,id.eq.9)", {BAKER, FUTALEUFU, SJOA}),
    ("or=(not.id.in.(1,2),not.id.not.eq.1)", {BAKER, SJOA, LOST}),
    ("name=like(all).{*a*,*k*}", {BAKER}),
    ("name=ilike(all).{B*,*R}", {BAKER}),
    ("name=match(any).{^B,^S}", {BAKER, SJOA}),
    ("name=imatch(all).{^b,R$}", {BAKER}),
    ("name=not.match(any).{^B,^S}", {FUTALEUFU, LOST}),
    ("id=gte(any).{3,9}", {SJOA, LOST}),
    ("id=lt(all).{3,9}", {BAKER, FUTALEUFU}),
    ("id=lte(any).{1,2}", {BAKER, FUTALEUFU}),
    ('name=eq(any).{Baker,"Lost (River)"}', {BAKER, LOST}),
    ("id=not.eq(any).{1,2}", {SJOA, LOST}),
    ("tags=not.cs.{cold}", {SJOA, LOST}),
    ("grade=not.ov.[5,9)", {BAKER, SJOA}),
    ("document=not.fts.baker", {FUTALEUFU, SJOA, LOST}),
    ("open=not.is.true", {SJOA, LOST}),
    ("length=not.isdistinct.175", {BAKER}),
    ('name=in.("Lost (River)","","a\\"b")', {LOST}),
]


@pytest.mark.accept("REST-21")
@pytest.mark.parametrize(("query", "expected_ids"), FILTERS, ids=[query for query, _ in FILTERS])
async def test_a_filter_finds_the_expected_rows(atlas: Client, query: str, expected_ids: set[int]) -> None:
    rows = await get_json(atlas, f"/rivers?select=id&{query}")

    assert {row["id"] for row in rows} == expected_ids


async def test_a_filter_value_cannot_inject_sql(atlas: Client) -> None:
    for hostile_value in ["' or '1'='1", "$1", "\\'; drop table atlas.rivers; --", "1) or (1=1", '"', "\x00"]:
        for column in (
            "name",
            "attributes->>depth",
            "attributes->>" + '"' + hostile_value.replace("\\", "").replace('"', "") + '"',
        ):
            response = await atlas.get("/rivers", params={"select": "id", column: f"eq.{hostile_value}"})
            assert response.status_code in (200, 400), response.text
            assert response.json() == [] or response.status_code == 400
    assert len((await atlas.get("/rivers?select=id")).json()) == 4


ODD_NAMES = ["order", "limit", "or", "not", "select", "a.b", "x,y", 'q"q', "the name", "Up", "é"]


@pytest.mark.parametrize("name", ODD_NAMES)
async def test_a_column_may_have_any_name(atlas: Client, name: str) -> None:
    quoted_name = '"' + name.replace('"', '\\"') + '"'

    single_filter = await atlas.get(
        "/odd_names", params={quoted_name: "eq.7", "select": quoted_name, "order": f"{quoted_name}.desc"}
    )
    logic_tree = await atlas.get(
        "/odd_names", params={"or": f"({quoted_name}.eq.9,{quoted_name}.not.is.null)", "select": quoted_name}
    )

    assert single_filter.json() == logic_tree.json() == [{name: 7}], single_filter.text


async def test_a_column_with_the_name_not_can_be_used_without_quotes(atlas: Client) -> None:
    assert (await atlas.get("/odd_names?select=Up&or=(not.eq.7,not.not.is.null)")).json() == [{"Up": 7}]
    assert (await atlas.get("/odd_names?select=Up&or=(not.eq.8)")).json() == []


async def test_a_domain_is_compared_as_its_base_type(atlas: Client) -> None:
    response = await atlas.get("/countries?code=eq.too long for a code")

    assert (response.status_code, response.json()) == (200, [])


ORDERS = [
    ("order=id.desc", [4, 3, 2, 1]),
    ("order=name", [1, 2, 4, 3]),
    ("order=length", [3, 2, 1, 4]),
    ("order=length.nullsfirst", [4, 3, 2, 1]),
    ("order=length.desc.nullslast", [1, 2, 3, 4]),
    ("order=open.desc,id.desc", [4, 2, 1, 3]),
    ("order=attributes->depth.asc.nullslast,id", [3, 2, 1, 4]),
    ("order=countries(name).desc.nullslast,id&select=id,countries(name)", [3, 1, 2, 4]),
]


@pytest.mark.accept("REST-21")
@pytest.mark.parametrize(("query", "expected_ids"), ORDERS, ids=[query for query, _ in ORDERS])
async def test_rows_are_returned_in_the_requested_order(atlas: Client, query: str, expected_ids: list[int]) -> None:
    rows = await get_json(atlas, f"/rivers?{query}")

    assert [row["id"] for row in rows] == expected_ids
