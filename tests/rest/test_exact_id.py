"""A caller who knows the exact id of a session or template may see that row, but no other rows."""

import pytest

from cairn.db import Database
from cairn.rest.request import parse_request
from cairn.rest.transaction_settings import exact_filters
from tests.factories import SAMPLE_TEMPLATE_ID, make_session, make_template, sign
from tests.people import Person
from tests.rest.conftest import Client, HeadersFor

EXACT_FILTERS = [
    ("GET", "id=eq.X", {"id": "X"}),
    ("HEAD", "id=eq.X&status=eq.pending", {"id": "X", "status": "pending"}),
    ("PATCH", "id=eq.X", {"id": "X"}),
    ("DELETE", "id=eq.X", {"id": "X"}),
    ("GET", "id=eq.X&id=neq.Y", {}),
    ("GET", "id=eq.X&id=eq.Y", {}),
    ("GET", "id=not.eq.X", {}),
    ("GET", "id=in.(X)", {}),
    ("GET", "id=neq.X", {}),
    ("GET", "id=gt.X", {}),
    ("GET", "id=like.X", {}),
    ("GET", "id=is.null", {}),
    ("GET", "id=eq(any).{X}", {}),
    ("GET", "id->>a=eq.X", {}),
    ("GET", "or=(id.eq.X,id.eq.Y)", {}),
    ("GET", "and=(id.eq.X)", {}),
    ("GET", "not.and=(id.neq.X)", {}),
    ("GET", "other.id=eq.X", {}),
    ("GET", "select=id", {}),
    ("POST", "id=eq.X", {}),
    ("PUT", "id=eq.X", {}),
]


@pytest.mark.parametrize(("method", "query", "expected"), EXACT_FILTERS)
def test_only_a_single_plain_eq_filter_is_exact(method: str, query: str, expected: dict[str, str]) -> None:
    parsed = parse_request(method, "/waiver_sessions", query, {}, body=b"{}")

    assert exact_filters(parsed) == expected


def test_an_argument_of_a_function_is_not_an_exact_filter() -> None:
    assert exact_filters(parse_request("GET", "/rpc/f", "id=eq.X", {})) == {}


SESSION_COLUMNS = "template_id,recipient_name,recipient_email,status,template_content,created_at"


@pytest.mark.accept("REST-04")
async def test_a_guest_reads_the_session_of_their_link(client: Client, database: Database, rosa: Person) -> None:
    session = await make_session(database, rosa, name="Gil Okafor", email="gil@example.com")

    response = await client.get(
        f"/waiver_sessions?select={SESSION_COLUMNS}&id=eq.{session}",
        headers={"Accept": "application/vnd.pgrst.object+json"},
    )

    assert response.status_code == 200
    row = response.json()
    assert list(row) == SESSION_COLUMNS.split(",")
    assert (row["template_id"], row["recipient_name"], row["recipient_email"]) == (
        SAMPLE_TEMPLATE_ID,
        "Gil Okafor",
        "gil@example.com",
    )
    assert (row["status"], bool(row["template_content"]), bool(row["created_at"])) == ("pending", True, True)


@pytest.mark.accept("REST-05")
async def test_any_other_filter_finds_no_sessions(
    client: Client, database: Database, rosa: Person, mallory: Person, gil: Person, headers_for: HeadersFor
) -> None:
    session = await make_session(database, rosa)
    another_id = "00000000-0000-4000-8000-000000000000"
    for headers in ({}, {"apikey": "anon"}, headers_for(mallory), headers_for(gil)):
        for query in (
            "",
            f"id=neq.{another_id}",
            f"id=in.({session})",
            f"id=gt.{another_id}",
            f"id=lte.{session}",
            f"id=not.neq.{session}",
            f"id=eq(any).{{{session}}}",
            f"or=(id.eq.{session},id.eq.{another_id})",
            f"and=(id.eq.{session})",
            f"id=eq.{session}&id=eq.{session}",
            "status=eq.pending",
            "recipient_email=eq.gil@example.com",
            "recipient_name=like.*",
            f"template_id=eq.{SAMPLE_TEMPLATE_ID}",
        ):
            response = await client.get(f"/waiver_sessions?select=*&{query}", headers=headers)
            assert (response.status_code, response.json()) == (200, []), query
        by_exact_id = await client.get(f"/waiver_sessions?select=id&id=eq.{session}", headers=headers)
        assert by_exact_id.json() == [{"id": str(session)}]


@pytest.mark.accept("REST-06")
async def test_the_link_does_not_show_the_signature(
    client: Client, database: Database, rosa: Person, mallory: Person, headers_for: HeadersFor
) -> None:
    session = await make_session(database, rosa)
    await sign(database, session)
    url = f"/waiver_sessions?select=status,signature,signer_name,signer_email,signed_at&id=eq.{session}"
    without_signature = {
        "status": "signed",
        "signature": None,
        "signer_name": None,
        "signer_email": None,
        "signed_at": None,
    }

    for headers in ({}, headers_for(mallory)):
        assert (await client.get(url, headers=headers)).json() == [without_signature]
    assert (await client.get(url, headers=headers_for(rosa))).json()[0]["signer_name"] == "Gil Okafor"


@pytest.mark.accept("REST-07")
async def test_a_template_is_read_by_its_exact_id(client: Client, database: Database, rosa: Person) -> None:
    template = await make_template(database, rosa, name="River trip")

    assert (await client.get(f"/waiver_templates?select=name&id=eq.{template}")).json() == [{"name": "River trip"}]
    for query in ("", f"id=in.({template})", "name=eq.River trip", f"or=(id.eq.{template})", "id=like.tpl-*"):
        assert (await client.get(f"/waiver_templates?select=name&{query}")).json() == []
