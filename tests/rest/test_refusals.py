"""Every way to be refused, in the words clients compare."""

import json
from uuid import uuid4

import asyncpg
import httpx
import pytest

from cairn.db import SERVICE, Database, Principal
from cairn.rest import RestSettings, service
from tests.rest.conftest import Client, Door

REFUSALS = [
    ("GET", "/nope", 404, "PGRST205", "Could not find the table 'atlas.nope' in the schema cache"),
    ("GET", "/rivers/1", 404, "PGRST125", "Invalid path specified in request URL"),
    ("GET", "/rpc/a/b", 404, "PGRST125", "Invalid path specified in request URL"),
    ("TRACE", "/rivers", 405, "PGRST117", "Unsupported HTTP method: TRACE"),
    ("PATCH", "/rpc/add", 405, "PGRST101", "Cannot use the PATCH method on RPC"),
    ("GET", "/rivers?nope=eq.1", 400, "42703", "column rivers.nope does not exist"),
    ("GET", "/rivers?select=nope", 400, "42703", "column rivers.nope does not exist"),
    ("GET", "/rivers?order=nope", 400, "42703", "column rivers.nope does not exist"),
    ("GET", "/rivers?select=id::nope", 400, "42704", 'type "nope" does not exist'),
    ("GET", "/rivers?id=eq.x", 400, "22P02", 'invalid input syntax for type integer: "x"'),
    ("GET", "/rivers?id=like.1", 404, "42883", "operator does not exist: integer ~~ text"),
    ("GET", "/rivers?id=foo.1", 400, "PGRST100", '"failed to parse filter (foo.1)" (line 1, column 1)'),
    ("GET", "/rivers?select=id,(", 400, "PGRST100", '"failed to parse select parameter (id,()" (line 1, column 4)'),
    ("DELETE", "/countries?id=eq.1", 409, "23503", None),
]  # fmt: skip


@pytest.mark.accept("REST-20")
@pytest.mark.parametrize(("method", "address", "status", "code", "message"), REFUSALS)
async def test_a_refusal_has_its_status_code_and_words(
    atlas: Client, method: str, address: str, status: int, code: str, message: str | None
) -> None:
    answer = await atlas.request(method, address)

    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json().keys() == {"code", "message", "details", "hint"}
    assert answer.headers["content-type"] == "application/json; charset=utf-8"
    if message is not None:
        assert answer.json()["message"] == message


async def test_a_table_almost_named_is_offered(atlas: Client) -> None:
    answer = await atlas.get("/river")

    assert answer.json()["hint"] == "Perhaps you meant the table 'atlas.rivers'"


async def test_a_parse_failure_says_where_and_what_was_expected(atlas: Client) -> None:
    answer = await atlas.get("/rivers?or=(id.eq.1,name)")

    assert answer.json()["message"] == '"failed to parse logic tree ((id.eq.1,name))" (line 1, column 14)'
    assert answer.json()["details"] == 'unexpected ")" expecting "."'


RAISED = [
    ("PT402", 402),
    ("PT404", 404),
    ("P0001", 400),
    ("42501", 401),
    ("23505", 409),
    ("57014", 500),
    ("53200", 503),
    ("28000", 403),
    ("22023", 400),
    ("40001", 500),
]


@pytest.mark.parametrize(("code", "status"), RAISED)
async def test_what_a_function_raises_becomes_a_status(atlas: Client, code: str, status: int) -> None:
    answer = await atlas.post("/rpc/refuse", json={"code": code, "words": "No {such} thing", "more": "at all"})

    assert answer.status_code == status
    assert answer.json() == {
        "code": code,
        "message": "No {such} thing",
        "details": "at all",
        "hint": "Try something else.",
    }


async def test_a_stranger_is_asked_who_they_are_and_somebody_known_is_turned_away(atlas: Client) -> None:
    body = {"code": "42501", "words": "permission denied"}

    stranger = await atlas.post("/rpc/refuse", json=body)
    known = await atlas.post("/rpc/refuse", json=body, headers={"Authorization": "Bearer service"})

    assert (stranger.status_code, stranger.headers["www-authenticate"]) == (401, "Bearer")
    assert known.status_code == 403


async def test_a_function_may_write_the_whole_answer(atlas: Client) -> None:
    said = {"code": "TRIP1", "message": "The river is closed", "details": "ice", "hint": "Come in May"}

    answer = await atlas.post(
        "/rpc/refuse",
        json={
            "code": "PGRST",
            "words": json.dumps(said),
            "more": json.dumps({"status": 451, "headers": {"X-Season": "winter"}}),
        },
    )
    garbled = await atlas.post("/rpc/refuse", json={"code": "PGRST", "words": "not json"})

    assert (answer.status_code, answer.json(), answer.headers["x-season"]) == (451, said, "winter")
    assert (garbled.status_code, garbled.json()["code"]) == (500, "PGRST121")


TOKENS = [("forged", "PGRST301", "No suitable key or wrong key type"), ("expired", "PGRST303", "JWT expired")]


@pytest.mark.parametrize(("token", "code", "message"), TOKENS)
async def test_a_bad_token_is_refused_before_anything_is_asked(
    atlas: Client, token: str, code: str, message: str
) -> None:
    answer = await atlas.get("/rivers", headers={"Authorization": f"Bearer {token}"})

    assert answer.status_code == 401
    assert answer.json() == {"code": code, "message": message, "details": None, "hint": None}
    assert answer.headers["www-authenticate"] == (f'Bearer error="invalid_token", error_description="{message}"')


async def test_only_exposed_schemas_can_be_chosen(atlas: Client) -> None:
    chosen = await atlas.get("/companies", headers={"Accept-Profile": "public", "apikey": "service"})
    hidden = await atlas.get("/users", headers={"Accept-Profile": "auth"})

    assert (chosen.status_code, chosen.headers["content-profile"]) == (200, "public")
    assert hidden.status_code == 406
    assert hidden.json() == {
        "code": "PGRST106",
        "message": "Invalid schema: auth",
        "details": None,
        "hint": "Only the following schemas are exposed: atlas, public",
    }


async def test_a_strict_caller_hears_of_preferences_we_do_not_know(atlas: Client) -> None:
    strict = await atlas.get("/rivers", headers={"Prefer": "handling=strict, foo, return=bar"})
    lenient = await atlas.get("/rivers", headers={"Prefer": "foo, return=bar"})

    assert (strict.status_code, strict.json()["code"]) == (400, "PGRST122")
    assert strict.json()["details"] == "Invalid preferences: foo, return=bar"
    assert lenient.status_code == 200


async def test_an_unknown_time_zone_is_refused(atlas: Client) -> None:
    assert (await atlas.get("/rivers", headers={"Prefer": "timezone=Mars/Base"})).status_code == 400


async def test_options_tell_what_can_be_done(atlas: Client) -> None:
    table = await atlas.options("/rivers")
    function = await atlas.options("/rpc/add")

    assert table.headers["allow"] == "OPTIONS,GET,HEAD,POST,PATCH,DELETE,PUT"
    assert function.headers["allow"] == "OPTIONS,GET,HEAD,POST"


async def test_a_body_without_end_is_not_read(database: Database, door: Door) -> None:
    app = service(
        database,
        principal_of=door.principal_of,
        settings=RestSettings(max_body_bytes=1000),
        after_write=door.after_write,
    )
    async with Client(transport=httpx.ASGITransport(app=app), base_url="http://cairn.test") as client:
        answer = await client.post("/companies", content=b" " * 1001)

    assert answer.status_code == 413


async def test_a_lost_connection_is_worth_another_try(
    client: Client, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    # It ends its own connection, as an operator's restart would.
    await admin.execute(
        "create function public.fall() returns void language sql security definer"
        " as 'select pg_terminate_backend(pg_backend_pid())'"
    )

    lost = await client.post("/rpc/fall")
    again = await client.get("/companies", headers={"apikey": "service"})

    assert (lost.status_code, lost.headers["retry-after"], lost.json()["code"]) == (503, "1", "PGRST000")
    assert again.status_code == 200


async def test_a_crowd_is_asked_to_come_back(login_url: str, door: Door) -> None:
    async with Database(login_url, pool_size=1) as narrow:
        app = service(narrow, principal_of=door.principal_of, settings=RestSettings(), after_write=door.after_write)
        async with (
            narrow.acting_as(SERVICE),
            Client(transport=httpx.ASGITransport(app=app), base_url="http://cairn.test") as client,
        ):
            answer = await client.get("/companies")

    assert (answer.status_code, answer.headers["retry-after"], answer.json()["code"]) == (503, "1", "PGRST003")


async def test_a_bug_is_admitted_without_showing_it(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    def broken(_token: str) -> Principal:
        raise ZeroDivisionError("secret")

    app = service(database, principal_of=broken, settings=RestSettings(), after_write=lambda: None)
    async with Client(transport=httpx.ASGITransport(app=app), base_url="http://cairn.test") as client:
        answer = await client.get("/companies", headers={"apikey": "any"})

    assert (answer.status_code, answer.json()["message"]) == (500, "Something went wrong.")
    assert "secret" not in answer.text
    assert "ZeroDivisionError" in caplog.text


async def test_a_row_that_may_be_written_but_not_seen_says_what_is_missing(
    client: Client, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    await admin.execute("""
        create table public.letters (id int primary key);
        alter table public.letters enable row level security;
        create policy "anybody posts" on public.letters for insert to anon with check (true);
        create policy "nobody reads" on public.letters for select to anon using (false);
        grant select, insert on public.letters to anon;
    """)

    silent = await client.post("/letters", json={"id": 1})
    loud = await client.post("/letters", json={"id": 2}, headers={"Prefer": "return=representation"})

    assert silent.status_code == 201
    assert (loud.status_code, loud.json()["code"]) == (401, "42501")
    assert "SELECT policy" in loud.json()["hint"]


@pytest.mark.parametrize("path", ["/rivers%3Fid=eq.1", "/rivers%2F1", "/rivers%23", "/%00", "/%2525"])
async def test_a_path_is_decoded_once_and_never_read_as_a_query(atlas: Client, path: str) -> None:
    assert (await atlas.get(path, headers={"Host": "[not a host"})).status_code == 404


async def test_a_refusal_of_the_product_names_its_code_and_parameters(client: Client) -> None:
    response = await client.post("/signed_waivers", json={"session_id": str(uuid4()), "signer_name": ""})

    assert response.status_code == 400
    assert response.json() == {
        "code": "PT400",
        "message": "Name, email and signature are required.",
        "details": '{"code": "signature_required", "parameters": {}}',
        "hint": None,
    }
