"""These are requests of the product, exactly as the client library sends them."""

from typing import Any

import pytest

from cairn.db import SERVICE, Database
from tests.factories import SAMPLE_TEMPLATE_ID, make_session, make_template, sign, signature_data_url
from tests.people import Person
from tests.rest.conftest import Callbacks, Client, HeadersFor

SINGLE_OBJECT = {"Accept": "application/vnd.pgrst.object+json"}
RETURN_ROWS = {"Prefer": "return=representation", "Content-Profile": "public"}
UNKNOWN_SESSION = "00000000-0000-4000-8000-000000000000"


def signed_waiver(session_id: object, **fields: Any) -> dict[str, Any]:
    return {
        "template_id": SAMPLE_TEMPLATE_ID,
        "template_name": "General Liability Waiver",
        "signer_name": "Gil Okafor",
        "signer_email": "gil@example.com",
        "signature": signature_data_url(),
        "content": "I agree.",
        "session_id": str(session_id),
        **fields,
    }


async def test_the_newest_session_is_listed_first(
    client: Client, database: Database, rosa: Person, headers_for: HeadersFor
) -> None:
    older_session = await make_session(database, rosa, name="Gil")
    newer_session = await make_session(database, rosa, name="Ada")

    response = await client.get(
        "/waiver_sessions?select=*&order=created_at.desc", headers={**headers_for(rosa), "Accept-Profile": "public"}
    )

    assert response.status_code == 200
    assert [row["id"] for row in response.json()] == [str(newer_session), str(older_session)]
    assert response.headers["content-range"] == "0-1/*"
    assert response.headers["content-profile"] == "public"
    assert response.headers["content-type"] == "application/json; charset=utf-8"


@pytest.mark.accept("REST-03")
async def test_signed_sessions_are_not_in_the_list_of_pending_sessions(
    client: Client, database: Database, rosa: Person, mallory: Person, headers_for: HeadersFor
) -> None:
    older_session, signed_session, newer_session = [await make_session(database, rosa) for _ in range(3)]
    await make_session(database, mallory)
    await sign(database, signed_session)

    response = await client.get(
        "/waiver_sessions?select=*&status=eq.pending&order=created_at.desc", headers=headers_for(rosa)
    )

    assert [row["id"] for row in response.json()] == [str(newer_session), str(older_session)]


@pytest.mark.accept("REST-08", "REST-12")
async def test_a_template_has_one_default_session(client: Client, rosa: Person, headers_for: HeadersFor) -> None:
    url = f"/waiver_sessions?select=id&template_id=eq.{SAMPLE_TEMPLATE_ID}&status=eq.template_default&limit=1"
    default_session = {"template_id": SAMPLE_TEMPLATE_ID, "status": "template_default", "template_content": "text"}
    list_before = await client.get(url, headers=headers_for(rosa))

    created_response = await client.post(
        "/waiver_sessions?select=id",
        json=default_session,
        headers={**headers_for(rosa), **SINGLE_OBJECT, **RETURN_ROWS},
    )
    without_token = await client.post(
        "/waiver_sessions?select=id", json=default_session, headers={**SINGLE_OBJECT, **RETURN_ROWS}
    )
    list_after = await client.get(url, headers=headers_for(rosa))

    assert list_before.json() == []
    assert created_response.status_code == 201
    assert created_response.json().keys() == {"id"}
    assert list_after.json() == [created_response.json()]
    assert (without_token.status_code, without_token.json()["code"]) == (401, "42501")


@pytest.mark.accept("REST-09", "REST-15")
async def test_a_guest_without_an_account_opens_a_session_and_signs_it(client: Client, callbacks: Callbacks) -> None:
    session_response = await client.post(
        "/waiver_sessions?select=*",
        json={"template_id": SAMPLE_TEMPLATE_ID, "status": "pending", "template_content": "mine"},
        headers={**SINGLE_OBJECT, **RETURN_ROWS},
    )
    session = session_response.json()
    waiver = signed_waiver(session["id"])
    columns = ",".join(f'"{name}"' for name in waiver)
    waiver_response = await client.post(
        f"/signed_waivers?columns={columns}&select=*", json=[waiver], headers=RETURN_ROWS
    )

    assert (session_response.status_code, session["status"]) == (201, "pending")
    assert waiver_response.status_code == 201, waiver_response.text
    assert waiver_response.json()[0]["session_id"] == session["id"]
    assert (await client.get(f"/waiver_sessions?select=status&id=eq.{session['id']}")).json() == [{"status": "signed"}]
    assert (await client.get("/signed_waivers?select=*")).json() == []
    assert callbacks.write_count == 2


@pytest.mark.accept("REST-10")
async def test_only_a_company_can_send_a_session(
    client: Client, rosa: Person, gil: Person, headers_for: HeadersFor, callbacks: Callbacks
) -> None:
    session = {
        "template_id": SAMPLE_TEMPLATE_ID,
        "status": "pending",
        "template_content": "text",
        "recipient_name": "Ada",
        "recipient_email": "ada@example.com",
    }

    by_company = await client.post(
        "/waiver_sessions?select=*", json=session, headers={**headers_for(rosa), **SINGLE_OBJECT, **RETURN_ROWS}
    )
    by_guest = await client.post(
        "/waiver_sessions?select=*", json=session, headers={**headers_for(gil), **SINGLE_OBJECT, **RETURN_ROWS}
    )
    without_token = await client.post(
        "/waiver_sessions?select=*", json=session, headers={**SINGLE_OBJECT, **RETURN_ROWS}
    )

    assert (by_company.status_code, by_company.json()["recipient_email"]) == (201, "ada@example.com")
    assert (by_guest.status_code, without_token.status_code) == (403, 401)
    assert callbacks.write_count == 1


@pytest.mark.accept("REST-11")
async def test_a_signer_cannot_change_the_text_they_sign(client: Client, database: Database, rosa: Person) -> None:
    template = await make_template(database, rosa, content="The true text")

    session_response = await client.post(
        "/waiver_sessions?select=template_content",
        json={"template_id": template, "status": "pending", "template_content": "I owe nothing"},
        headers={**SINGLE_OBJECT, **RETURN_ROWS},
    )
    unknown_response = await client.post(
        "/waiver_sessions", json={"template_id": "no-such-template", "status": "pending"}
    )

    assert session_response.json() == {"template_content": "The true text"}
    assert unknown_response.status_code == 404


@pytest.mark.accept("REST-14")
async def test_a_patch_neither_signs_a_session_nor_changes_its_signature(
    client: Client, database: Database, rosa: Person, headers_for: HeadersFor
) -> None:
    session = await make_session(database, rosa)
    forged_signature = {
        "status": "signed",
        "signed_at": "2020-01-01T00:00:00Z",
        "signature": signature_data_url(b"\xff\x00\x00\xff"),
        "signer_name": "Mallory",
        "signer_email": "mallory@example.com",
    }
    url = f"/waiver_sessions?id=eq.{session}"

    response_before = await client.patch(url, json=forged_signature)
    await sign(database, session)
    response_after = await client.patch(url, json=forged_signature)

    assert response_before.status_code == 409
    assert (response_after.status_code, response_after.content) == (204, b"")
    stored_row = (await client.get(url, headers=headers_for(rosa))).json()[0]
    assert (stored_row["signer_name"], stored_row["signature"]) == ("Gil Okafor", signature_data_url())


@pytest.mark.accept("REST-16")
async def test_an_incomplete_signature_is_not_stored(client: Client, database: Database, rosa: Person) -> None:
    session = await make_session(database, rosa)

    unknown_response = await client.post("/signed_waivers", json=signed_waiver(UNKNOWN_SESSION), headers=RETURN_ROWS)
    incomplete_responses = [
        await client.post("/signed_waivers", json=signed_waiver(session, **{field: value}), headers=RETURN_ROWS)
        for field in ("signer_name", "signer_email", "signature")
        for value in ("", None)
    ]

    assert unknown_response.status_code == 404
    assert {response.status_code for response in incomplete_responses} == {400}
    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select count(*) from signed_waivers") == 0


@pytest.mark.accept("REST-18")
async def test_a_waiver_is_not_found_before_it_is_signed(
    client: Client, database: Database, rosa: Person, headers_for: HeadersFor
) -> None:
    session = await make_session(database, rosa)
    url = f"/signed_waivers?select=*&session_id=eq.{session}"

    before_signing = await client.get(url, headers={**headers_for(rosa), **SINGLE_OBJECT})
    await sign(database, session)
    after_signing = await client.get(url, headers={**headers_for(rosa), **SINGLE_OBJECT})

    assert (before_signing.status_code, before_signing.json()["code"]) == (406, "PGRST116")
    assert after_signing.json()["session_id"] == str(session)


@pytest.mark.accept("REST-19")
async def test_realtime_can_be_enabled_for_a_table(client: Client) -> None:
    url = "/rpc/enable_realtime_for_table"

    responses = [await client.post(url, json={"table_name": "signed_waivers"}) for _ in range(2)]
    other_table = await client.post(url, json={"table_name": "profiles"})

    assert [(response.status_code, response.content) for response in responses] == [(204, b"")] * 2
    assert other_table.json()["code"] == "42501"


async def test_a_waiver_can_embed_its_session_although_both_are_views(
    client: Client, database: Database, rosa: Person, headers_for: HeadersFor
) -> None:
    session = await make_session(database, rosa, name="Ada")
    await sign(database, session)

    response = await client.get(
        "/signed_waivers?select=signer_name,session:waiver_sessions!signed_session_id_fkey(recipient_name)",
        headers=headers_for(rosa),
    )

    assert response.json() == [{"signer_name": "Gil Okafor", "session": {"recipient_name": "Ada"}}]


async def test_saving_a_template_again_increases_its_version(
    client: Client, rosa: Person, headers_for: HeadersFor
) -> None:
    headers = {**headers_for(rosa), **SINGLE_OBJECT, "Prefer": "resolution=merge-duplicates,return=representation"}
    template = {"id": "tpl-mine", "name": "River trip", "content": "One"}

    first_response = await client.post(
        "/waiver_templates?on_conflict=id&select=version", json=template, headers=headers
    )
    second_response = await client.post(
        "/waiver_templates?on_conflict=id&select=version", json={**template, "content": "Two"}, headers=headers
    )

    assert (first_response.status_code, first_response.json()) == (201, {"version": 1})
    assert (second_response.status_code, second_response.json()) == (200, {"version": 2})


async def test_the_ip_address_and_browser_of_the_signer_are_stored(
    client: Client, database: Database, rosa: Person
) -> None:
    session = await make_session(database, rosa)

    await client.post("/signed_waivers", json=signed_waiver(session), headers={"User-Agent": "Gil's phone"})

    async with database.acting_as(SERVICE) as connection:
        stored_row = await connection.fetchrow("select ip, user_agent from waivers.signed")
    assert stored_row is not None
    assert (stored_row["ip"], stored_row["user_agent"]) == ("127.0.0.1", "Gil's phone")
