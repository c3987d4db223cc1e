"""Every error has the status, code and message that clients rely on.

AL6 is a finding in docs/security.md.
"""

import json
from uuid import uuid4

import asyncpg
import pytest

from cairn.db import SERVICE, Database, Principal
from cairn.rest import RestSettings, service
from tests.rest.conftest import Callbacks, Client, client_for, error_body, rest_app

ERRORS = [
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
@pytest.mark.parametrize(("method", "url", "status", "code", "message"), ERRORS)
async def test_an_error_has_the_expected_status_and_message(
    atlas: Client, method: str, url: str, status: int, code: str, message: str | None
) -> None:
    response = await atlas.request(method, url)

    assert (response.status_code, response.json()["code"]) == (status, code)
    assert response.json().keys() == {"code", "message", "details", "hint"}
    assert response.headers["content-type"] == "application/json; charset=utf-8"
    if message is not None:
        assert response.json()["message"] == message


async def test_an_unknown_table_gets_a_hint_with_a_similar_name(atlas: Client) -> None:
    response = await atlas.get("/river")

    assert response.json()["hint"] == "Perhaps you meant the table 'atlas.rivers'"


async def test_a_parse_error_reports_the_position_and_the_expected_text(atlas: Client) -> None:
    response = await atlas.get("/rivers?or=(id.eq.1,name)")

    assert response.json()["message"] == '"failed to parse logic tree ((id.eq.1,name))" (line 1, column 14)'
    assert response.json()["details"] == 'unexpected ")" expecting "."'


TOO_COMPLEX_REQUESTS = [
    ("GET", "/rivers?name=match.(.{1,200}){1,200}$", ""),
    ("GET", "/rivers?name=fts." + "!" * 50_000, ""),
    ("GET", "/rivers?select=" + ",".join(["id"] * 5000), ""),
    ("POST", "/rpc/echo", "[" * 900_000),
]


@pytest.mark.parametrize(("method", "url", "body"), TOO_COMPLEX_REQUESTS, ids=["pattern", "search", "columns", "lists"])
async def test_al6_a_request_that_is_too_complex_for_postgresql_is_a_400(
    atlas: Client, method: str, url: str, body: str
) -> None:
    response = await atlas.request(method, url, content=body, headers={"Authorization": "Bearer service"})

    assert response.status_code == 400
    assert "max_stack_depth" not in response.text


async def test_al6_other_internal_errors_remain_server_errors(atlas: Client) -> None:
    error = {"code": "XX000", "message": "cache lookup failed for type 7", "detail": ""}

    assert (await atlas.post("/rpc/refuse", json=error)).status_code == 500


STATUS_BY_SQLSTATE = [
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


@pytest.mark.parametrize(("code", "status"), STATUS_BY_SQLSTATE)
async def test_the_sqlstate_raised_by_a_function_determines_the_status(atlas: Client, code: str, status: int) -> None:
    response = await atlas.post("/rpc/refuse", json={"code": code, "message": "No {such} thing", "detail": "at all"})

    assert response.status_code == status
    assert response.json() == error_body(code, "No {such} thing", "at all", "Try something else.")


async def test_a_missing_privilege_is_a_401_without_a_token_and_a_403_with_a_token(atlas: Client) -> None:
    body = {"code": "42501", "message": "permission denied"}

    without_token = await atlas.post("/rpc/refuse", json=body)
    with_token = await atlas.post("/rpc/refuse", json=body, headers={"Authorization": "Bearer service"})

    assert (without_token.status_code, without_token.headers["www-authenticate"]) == (401, "Bearer")
    assert with_token.status_code == 403


async def test_a_function_may_define_the_whole_error_response(atlas: Client) -> None:
    error = error_body("TRIP1", "The river is closed", "ice", "Come in May")

    response = await atlas.post(
        "/rpc/refuse",
        json={
            "code": "PGRST",
            "message": json.dumps(error),
            "detail": json.dumps({"status": 451, "headers": {"X-Season": "winter"}}),
        },
    )
    malformed_response = await atlas.post("/rpc/refuse", json={"code": "PGRST", "message": "not json"})

    assert (response.status_code, response.json(), response.headers["x-season"]) == (451, error, "winter")
    assert (malformed_response.status_code, malformed_response.json()["code"]) == (500, "PGRST121")


INVALID_TOKENS = [("forged", "PGRST301", "No suitable key or wrong key type"), ("expired", "PGRST303", "JWT expired")]


@pytest.mark.parametrize(("token", "code", "message"), INVALID_TOKENS)
async def test_an_invalid_token_is_rejected(atlas: Client, token: str, code: str, message: str) -> None:
    response = await atlas.get("/rivers", headers={"Authorization": f"Bearer {token}"})

    assert response.status_code == 401
    assert response.json() == error_body(code, message)
    assert response.headers["www-authenticate"] == (f'Bearer error="invalid_token", error_description="{message}"')


async def test_only_exposed_schemas_can_be_chosen(atlas: Client) -> None:
    exposed_schema = await atlas.get("/companies", headers={"Accept-Profile": "public", "apikey": "service"})
    hidden_schema = await atlas.get("/users", headers={"Accept-Profile": "auth"})

    assert (exposed_schema.status_code, exposed_schema.headers["content-profile"]) == (200, "public")
    assert hidden_schema.status_code == 406
    assert hidden_schema.json() == error_body(
        "PGRST106", "Invalid schema: auth", hint="Only the following schemas are exposed: atlas, public"
    )


async def test_unknown_preferences_are_rejected_with_strict_handling(atlas: Client) -> None:
    strict = await atlas.get("/rivers", headers={"Prefer": "handling=strict, foo, return=bar"})
    lenient = await atlas.get("/rivers", headers={"Prefer": "foo, return=bar"})

    assert (strict.status_code, strict.json()["code"]) == (400, "PGRST122")
    assert strict.json()["details"] == "Invalid preferences: foo, return=bar"
    assert lenient.status_code == 200


async def test_an_unknown_time_zone_is_rejected(atlas: Client) -> None:
    assert (await atlas.get("/rivers", headers={"Prefer": "timezone=Mars/Base"})).status_code == 400


async def test_options_list_the_allowed_methods(atlas: Client) -> None:
    table = await atlas.options("/rivers")
    function = await atlas.options("/rpc/add")

    assert table.headers["allow"] == "OPTIONS,GET,HEAD,POST,PATCH,DELETE,PUT"
    assert function.headers["allow"] == "OPTIONS,GET,HEAD,POST"


async def test_a_body_larger_than_the_limit_is_rejected(database: Database, callbacks: Callbacks) -> None:
    app = rest_app(database, callbacks, RestSettings(max_body_bytes=1000))
    async with client_for(app) as client:
        response = await client.post("/companies", content=b" " * 1001)

    assert response.status_code == 413


async def test_a_lost_connection_is_a_503_with_retry_after(
    client: Client, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    # The function ends its own connection, as a restart of the database would.
    await admin.execute(
        "create function public.end_connection() returns void language sql security definer"
        " as 'select pg_terminate_backend(pg_backend_pid())'"
    )

    during_loss = await client.post("/rpc/end_connection")
    after_loss = await client.get("/companies", headers={"apikey": "service"})

    assert (during_loss.status_code, during_loss.headers["retry-after"], during_loss.json()["code"]) == (
        503,
        "1",
        "PGRST000",
    )
    assert after_loss.status_code == 200


async def test_an_exhausted_pool_is_a_503_with_retry_after(login_url: str, callbacks: Callbacks) -> None:
    async with Database(login_url, pool_size=1) as database:
        app = rest_app(database, callbacks)
        async with (
            database.acting_as(SERVICE),
            client_for(app) as client,
        ):
            response = await client.get("/companies")

    assert (response.status_code, response.headers["retry-after"], response.json()["code"]) == (503, "1", "PGRST003")


async def test_an_unexpected_error_is_a_500_without_details(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    def failing_principal_of(_token: str) -> Principal:
        raise ZeroDivisionError("secret")

    app = service(database, principal_of=failing_principal_of, settings=RestSettings(), after_write=lambda: None)
    async with client_for(app) as client:
        response = await client.get("/companies", headers={"apikey": "any"})

    assert (response.status_code, response.json()["message"]) == (500, "Something went wrong.")
    assert "secret" not in response.text
    assert "ZeroDivisionError" in caplog.text


async def test_returning_a_row_without_a_select_policy_gets_a_hint(
    client: Client, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    await admin.execute("""
        create table public.notes (id int primary key);
        alter table public.notes enable row level security;
        create policy "everyone inserts" on public.notes for insert to anon with check (true);
        create policy "no one reads" on public.notes for select to anon using (false);
        grant select, insert on public.notes to anon;
    """)

    minimal = await client.post("/notes", json={"id": 1})
    representation = await client.post("/notes", json={"id": 2}, headers={"Prefer": "return=representation"})

    assert minimal.status_code == 201
    assert (representation.status_code, representation.json()["code"]) == (401, "42501")
    assert "SELECT policy" in representation.json()["hint"]


@pytest.mark.parametrize("path", ["/rivers%3Fid=eq.1", "/rivers%2F1", "/rivers%23", "/%00", "/%2525"])
async def test_a_path_is_decoded_once_and_never_parsed_as_a_query(atlas: Client, path: str) -> None:
    assert (await atlas.get(path, headers={"Host": "[not a host"})).status_code == 404


async def test_a_refusal_raised_in_sql_contains_its_code_and_parameters(client: Client) -> None:
    response = await client.post("/signed_waivers", json={"session_id": str(uuid4()), "signer_name": ""})

    assert response.status_code == 400
    assert response.json() == error_body(
        "PT400", "Name, email and signature are required.", '{"code": "signature_required", "parameters": {}}'
    )
