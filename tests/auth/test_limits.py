"""The rate limits of auth are stored in the database, so all server processes share them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
from starlette.applications import Starlette
from starlette.routing import Mount

from cairn.auth import AuthSettings, Keyring, service, sweep
from cairn.db import SERVICE, Connection, Database
from tests.auth.conftest import VisitorWith, open_visitor
from tests.auth.mailbox import Mailbox
from tests.auth.visitor import API_VERSION_HEADER, PASSWORD, Visitor, error_of, json_of

ROSA = "rosa@rio-rafting.example"


@asynccontextmanager
async def open_visitor_from(
    ip: str, database: Database, keyring: Keyring, settings: AuthSettings
) -> AsyncIterator[Visitor]:
    app = Starlette(routes=[Mount("/auth/v1", service(database, keyring, settings))])
    transport = httpx.ASGITransport(app=app, client=(ip, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://cairn.test/auth/v1") as client:
        yield Visitor(client, keyring.service_key)


async def test_each_ip_address_has_its_own_rate_limit(
    database: Database, keyring: Keyring, settings: AuthSettings
) -> None:
    limited_settings = settings.model_copy(update={"rate_limit_token_refresh": 3})
    async with (
        open_visitor_from("203.0.113.7", database, keyring, limited_settings) as first,
        open_visitor_from("203.0.113.7", database, keyring, limited_settings) as same_address,
        open_visitor_from("203.0.113.8", database, keyring, limited_settings) as other_address,
    ):
        responses = [await visitor.refresh("a" * 20) for visitor in (first, same_address, first)]
        limited_response = await same_address.refresh("a" * 20)
        assert [response.status_code for response in responses] == [400, 400, 400]
        assert error_of(limited_response) == (429, "over_request_rate_limit")
        assert limited_response.json()["message"] == "Request rate limit reached"
        assert 1 <= int(limited_response.headers["retry-after"]) <= 100
        assert (await other_address.refresh("a" * 20)).status_code == 400


async def test_18a10_a_refused_sign_in_stores_no_row(
    database: Database, admin: Connection, keyring: Keyring, settings: AuthSettings
) -> None:
    """18A10 is a finding in docs/security.md: each address that a refused network tried got a row of its own."""
    limited_settings = settings.model_copy(update={"rate_limit_token_refresh": 2})
    async with open_visitor_from("203.0.113.7", database, keyring, limited_settings) as visitor:
        responses = [await visitor.sign_in(f"gil{number}@example.com", "wrong password") for number in range(5)]
    rows = await admin.fetchval("select count(*) from auth.password_tries")

    assert [response.status_code for response in responses] == [400, 400, 429, 429, 429]
    assert rows == 2


async def test_starting_a_provider_sign_in_is_rate_limited(database: Database, google_settings: AuthSettings) -> None:
    limited_settings = google_settings.model_copy(update={"rate_limit_authorize": 2, "rate_limit_sso": 2, "saml": True})
    async with open_visitor(database, Keyring(limited_settings), limited_settings) as visitor:
        oauth_responses = [
            await visitor.client.get("/authorize?provider=google", headers=API_VERSION_HEADER) for _ in range(3)
        ]
        browser_response = await visitor.client.get(
            "/authorize?provider=google", headers={"sec-fetch-mode": "navigate"}
        )
        sso_responses = [await visitor.post("/sso", domain="rio-rafting.example") for _ in range(3)]

    assert [response.status_code for response in oauth_responses] == [302, 302, 429]
    assert [response.status_code for response in sso_responses] == [404, 404, 429]
    for limited_response in (oauth_responses[-1], sso_responses[-1]):
        assert error_of(limited_response) == (429, "over_request_rate_limit")
        assert int(limited_response.headers["retry-after"]) >= 1
    assert "error_code=over_request_rate_limit" in browser_response.headers["location"], (
        "a browser is redirected to a page that shows the error"
    )


async def test_a_rate_limit_refills_over_time(database: Database, visitor_with: VisitorWith) -> None:
    async with visitor_with(rate_limit_verify=2) as visitor:
        assert [(await visitor.verify("email", token_hash="x")).status_code for _ in range(3)] == [403, 403, 429]
        async with database.acting_as(SERVICE) as connection:
            # Two requests are allowed in five minutes, so one becomes free after half of that time.
            await connection.execute("update limits.buckets set full_at = full_at - interval '150 seconds'")

        assert [(await visitor.verify("email", token_hash="x")).status_code for _ in range(2)] == [403, 429]


async def test_wrong_codes_for_one_address_are_counted_across_ip_addresses(
    database: Database, keyring: Keyring, settings: AuthSettings
) -> None:
    limited_settings = settings.model_copy(update={"rate_limit_guesses": 3})
    for account in (ROSA, "unknown@example.com"):
        statuses = []
        for number in range(4):
            async with open_visitor_from(f"203.0.113.{number}", database, keyring, limited_settings) as visitor:
                statuses.append((await visitor.verify("email", email=account, token="000000")).status_code)
        assert statuses == [403, 403, 403, 429], account


async def test_a_successful_sign_in_does_not_count_as_a_guess(visitor_with: VisitorWith) -> None:
    async with visitor_with(rate_limit_wrong_passwords=2) as visitor:
        await visitor.sign_up(ROSA)
        for _ in range(5):
            json_of(await visitor.sign_in(ROSA))


async def test_guesses_at_a_code_are_limited(visitor_with: VisitorWith, mailbox: Mailbox) -> None:
    async with visitor_with(rate_limit_guesses=3) as visitor:
        await visitor.sign_up(ROSA)
        code = (await mailbox.newest(ROSA)).code
        wrong_code = "000000" if code != "000000" else "111111"
        for _ in range(3):
            await visitor.verify("signup", email=ROSA, token=wrong_code)

        assert error_of(await visitor.verify("signup", email=ROSA, token=code)) == (429, "over_request_rate_limit")


async def test_a_second_email_within_a_minute_is_refused_with_the_remaining_time(visitor: Visitor) -> None:
    await visitor.post("/otp", email=ROSA)

    response = await visitor.post("/otp", email=ROSA)

    seconds = int(response.headers["retry-after"])
    assert error_of(response) == (429, "over_email_send_rate_limit")
    assert response.json()["message"] == f"For security purposes, you can only request this after {seconds} seconds."
    assert 55 <= seconds <= 60
    assert json_of(await visitor.post("/otp", email="gil@example.com")) == {}


async def test_the_total_number_of_emails_is_limited(visitor_with: VisitorWith) -> None:
    async with visitor_with(rate_limit_email_sent=2) as visitor:
        for number in range(2):
            await visitor.sign_up(f"guest{number}@example.com")
        response = await visitor.post("/recover", email="guest0@example.com")

    assert error_of(response) == (429, "over_email_send_rate_limit")
    assert response.json()["message"] == "email rate limit exceeded"


async def test_concurrent_requests_do_not_exceed_the_limit(visitor_with: VisitorWith) -> None:
    async with visitor_with(rate_limit_verify=5) as visitor:
        responses = await asyncio.gather(*(visitor.verify("email", token_hash="x") for _ in range(20)))

    assert sorted(response.status_code for response in responses) == [403] * 5 + [429] * 15


async def test_the_rate_limit_table_contains_no_email_addresses_and_old_tokens_are_deleted(
    visitor: Visitor, database: Database, settings: AuthSettings
) -> None:
    await visitor.post("/otp", email=ROSA)
    await visitor.sign_in(ROSA, PASSWORD)
    async with database.acting_as(SERVICE) as connection:
        buckets = await connection.fetchval("select string_agg(bucket, ' ') from limits.buckets")
        assert "rosa" not in buckets
        await connection.execute("update auth.one_time_tokens set created_at = now() - interval '3 days'")

    await sweep(database, settings)

    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select count(*) from auth.one_time_tokens") == 0
