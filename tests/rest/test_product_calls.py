"""The calls the product makes, word for word as the client puts them on the wire."""

from collections.abc import Callable
from typing import Any

import pytest

from cairn.db import SERVICE, Database
from tests.cast import Person
from tests.make import SAMPLE, make_session, make_template, sign, signature
from tests.rest.conftest import Client, Door

Headers = Callable[[Person], dict[str, str]]
ONE = {"Accept": "application/vnd.pgrst.object+json"}
BACK = {"Prefer": "return=representation", "Content-Profile": "public"}
NOWHERE = "00000000-0000-4000-8000-000000000000"


def signing(session_id: object, **more: Any) -> dict[str, Any]:
    return {
        "template_id": SAMPLE,
        "template_name": "General Liability Waiver",
        "signer_name": "Gil Okafor",
        "signer_email": "gil@example.com",
        "signature": signature(),
        "content": "I agree.",
        "session_id": str(session_id),
        **more,
    }


async def test_the_directory_lists_the_newest_first(
    client: Client, database: Database, rosa: Person, calling: Headers
) -> None:
    older = await make_session(database, rosa, name="Gil")
    newer = await make_session(database, rosa, name="Ada")

    answer = await client.get(
        "/waiver_sessions?select=*&order=created_at.desc", headers={**calling(rosa), "Accept-Profile": "public"}
    )

    assert answer.status_code == 200
    assert [row["id"] for row in answer.json()] == [str(newer), str(older)]
    assert answer.headers["content-range"] == "0-1/*"
    assert answer.headers["content-profile"] == "public"
    assert answer.headers["content-type"] == "application/json; charset=utf-8"


@pytest.mark.accept("REST-03")
async def test_the_pending_ones_are_listed_alone(
    client: Client, database: Database, rosa: Person, mallory: Person, calling: Headers
) -> None:
    older, done, newer = [await make_session(database, rosa) for _ in range(3)]
    await make_session(database, mallory)
    await sign(database, done)

    answer = await client.get(
        "/waiver_sessions?select=*&status=eq.pending&order=created_at.desc", headers=calling(rosa)
    )

    assert [row["id"] for row in answer.json()] == [str(newer), str(older)]


@pytest.mark.accept("REST-08", "REST-12")
async def test_a_template_has_one_default_session(client: Client, rosa: Person, calling: Headers) -> None:
    address = f"/waiver_sessions?select=id&template_id=eq.{SAMPLE}&status=eq.template_default&limit=1"
    default = {"template_id": SAMPLE, "status": "template_default", "template_content": "words"}
    before = await client.get(address, headers=calling(rosa))

    made = await client.post("/waiver_sessions?select=id", json=default, headers={**calling(rosa), **ONE, **BACK})
    visitor = await client.post("/waiver_sessions?select=id", json=default, headers={**ONE, **BACK})
    after = await client.get(address, headers=calling(rosa))

    assert before.json() == []
    assert made.status_code == 201
    assert made.json().keys() == {"id"}
    assert after.json() == [made.json()]
    assert (visitor.status_code, visitor.json()["code"]) == (401, "42501")


@pytest.mark.accept("REST-09", "REST-15")
async def test_a_visitor_opens_a_session_and_signs_it(client: Client, door: Door) -> None:
    opened = await client.post(
        "/waiver_sessions?select=*",
        json={"template_id": SAMPLE, "status": "pending", "template_content": "mine"},
        headers={**ONE, **BACK},
    )
    session = opened.json()
    waiver = signing(session["id"])
    columns = ",".join(f'"{name}"' for name in waiver)
    signed = await client.post(f"/signed_waivers?columns={columns}&select=*", json=[waiver], headers=BACK)

    assert (opened.status_code, session["status"]) == (201, "pending")
    assert signed.status_code == 201, signed.text
    assert signed.json()[0]["session_id"] == session["id"]
    assert (await client.get(f"/waiver_sessions?select=status&id=eq.{session['id']}")).json() == [{"status": "signed"}]
    assert (await client.get("/signed_waivers?select=*")).json() == []
    assert door.writes == 2


@pytest.mark.accept("REST-10")
async def test_sending_needs_a_company(client: Client, rosa: Person, gil: Person, calling: Headers, door: Door) -> None:
    sending = {
        "template_id": SAMPLE,
        "status": "pending",
        "template_content": "words",
        "recipient_name": "Ada",
        "recipient_email": "ada@example.com",
    }

    sent = await client.post("/waiver_sessions?select=*", json=sending, headers={**calling(rosa), **ONE, **BACK})
    guest = await client.post("/waiver_sessions?select=*", json=sending, headers={**calling(gil), **ONE, **BACK})
    visitor = await client.post("/waiver_sessions?select=*", json=sending, headers={**ONE, **BACK})

    assert (sent.status_code, sent.json()["recipient_email"]) == (201, "ada@example.com")
    assert (guest.status_code, visitor.status_code) == (403, 401)
    assert door.writes == 1


@pytest.mark.accept("REST-11")
async def test_a_signer_does_not_write_what_they_sign(client: Client, database: Database, rosa: Person) -> None:
    template = await make_template(database, rosa, content="The true words")

    opened = await client.post(
        "/waiver_sessions?select=template_content",
        json={"template_id": template, "status": "pending", "template_content": "I owe nothing"},
        headers={**ONE, **BACK},
    )
    unknown = await client.post("/waiver_sessions", json={"template_id": "no-such-template", "status": "pending"})

    assert opened.json() == {"template_content": "The true words"}
    assert unknown.status_code == 404


@pytest.mark.accept("REST-14")
async def test_the_old_second_call_is_true_after_signing_and_a_lie_before(
    client: Client, database: Database, rosa: Person, calling: Headers
) -> None:
    session = await make_session(database, rosa)
    forged = {
        "status": "signed",
        "signed_at": "2020-01-01T00:00:00Z",
        "signature": signature(b"\xff\x00\x00\xff"),
        "signer_name": "Mallory",
        "signer_email": "mallory@example.com",
    }
    address = f"/waiver_sessions?id=eq.{session}"

    before = await client.patch(address, json=forged)
    await sign(database, session)
    after = await client.patch(address, json=forged)

    assert before.status_code == 409
    assert (after.status_code, after.content) == (204, b"")
    seen = (await client.get(address, headers=calling(rosa))).json()[0]
    assert (seen["signer_name"], seen["signature"]) == ("Gil Okafor", signature())


@pytest.mark.accept("REST-16")
async def test_a_signature_on_nothing_is_not_stored(client: Client, database: Database, rosa: Person) -> None:
    session = await make_session(database, rosa)

    nowhere = await client.post("/signed_waivers", json=signing(NOWHERE), headers=BACK)
    partial = [
        await client.post("/signed_waivers", json=signing(session, **{field: value}), headers=BACK)
        for field in ("signer_name", "signer_email", "signature")
        for value in ("", None)
    ]

    assert nowhere.status_code == 404
    assert {answer.status_code for answer in partial} == {400}
    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select count(*) from signed_waivers") == 0


@pytest.mark.accept("REST-18")
async def test_a_waiver_not_yet_signed_is_not_found(
    client: Client, database: Database, rosa: Person, calling: Headers
) -> None:
    session = await make_session(database, rosa)
    address = f"/signed_waivers?select=*&session_id=eq.{session}"

    absent = await client.get(address, headers={**calling(rosa), **ONE})
    await sign(database, session)
    present = await client.get(address, headers={**calling(rosa), **ONE})

    assert (absent.status_code, absent.json()["code"]) == (406, "PGRST116")
    assert present.json()["session_id"] == str(session)


@pytest.mark.accept("REST-19")
async def test_realtime_is_asked_for_by_name(client: Client) -> None:
    address = "/rpc/enable_realtime_for_table"

    responses = [await client.post(address, json={"table_name": "signed_waivers"}) for _ in range(2)]
    other = await client.post(address, json={"table_name": "profiles"})

    assert [(answer.status_code, answer.content) for answer in responses] == [(204, b"")] * 2
    assert other.json()["code"] == "42501"


async def test_the_session_of_a_waiver_comes_along_through_both_views(
    client: Client, database: Database, rosa: Person, calling: Headers
) -> None:
    session = await make_session(database, rosa, name="Ada")
    await sign(database, session)

    answer = await client.get(
        "/signed_waivers?select=signer_name,session:waiver_sessions!signed_session_id_fkey(recipient_name)",
        headers=calling(rosa),
    )

    assert answer.json() == [{"signer_name": "Gil Okafor", "session": {"recipient_name": "Ada"}}]


async def test_a_template_is_saved_again_under_its_id(client: Client, rosa: Person, calling: Headers) -> None:
    headers = {**calling(rosa), **ONE, "Prefer": "resolution=merge-duplicates,return=representation"}
    template = {"id": "tpl-mine", "name": "River trip", "content": "One"}

    first = await client.post("/waiver_templates?on_conflict=id&select=version", json=template, headers=headers)
    second = await client.post(
        "/waiver_templates?on_conflict=id&select=version", json={**template, "content": "Two"}, headers=headers
    )

    assert (first.status_code, first.json()) == (201, {"version": 1})
    assert (second.status_code, second.json()) == (200, {"version": 2})


async def test_the_request_is_remembered_as_evidence(client: Client, database: Database, rosa: Person) -> None:
    session = await make_session(database, rosa)

    await client.post("/signed_waivers", json=signing(session), headers={"User-Agent": "Gil's phone"})

    async with database.acting_as(SERVICE) as connection:
        kept = await connection.fetchrow("select ip, user_agent from waivers.signed")
    assert kept is not None
    assert (kept["ip"], kept["user_agent"]) == ("127.0.0.1", "Gil's phone")
