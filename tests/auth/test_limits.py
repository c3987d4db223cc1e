"""Too much, too often: counted together by every server process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from cairn.auth import AuthSettings, Keyring, service, store, sweep
from cairn.auth.limits import network_of
from cairn.db import SERVICE, Database
from tests.auth.conftest import visiting
from tests.auth.mailbox import Mailbox
from tests.auth.visitor import NEWER, PASSWORD, Visitor, refusal, session_of

ROSA = "rosa@rio-rafting.example"


@asynccontextmanager
async def from_address(ip: str, database: Database, keyring: Keyring, settings: AuthSettings) -> AsyncIterator[Visitor]:
    app = Starlette(routes=[Mount("/auth/v1", service(database, keyring, settings))])
    transport = httpx.ASGITransport(app=app, client=(ip, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://cairn.test/auth/v1") as client:
        yield Visitor(client, keyring.service_key)


async def test_one_network_address_is_slowed_and_others_are_not(
    database: Database, keyring: Keyring, settings: AuthSettings
) -> None:
    few = settings.model_copy(update={"rate_limit_token_refresh": 3})
    async with (
        from_address("203.0.113.7", database, keyring, few) as here,
        from_address("203.0.113.7", database, keyring, few) as same_house,
        from_address("203.0.113.8", database, keyring, few) as elsewhere,
    ):
        tried = [await visitor.refresh("a" * 20) for visitor in (here, same_house, here)]
        stopped = await same_house.refresh("a" * 20)
        assert [answer.status_code for answer in tried] == [400, 400, 400]
        assert refusal(stopped) == (429, "over_request_rate_limit")
        assert stopped.json()["message"] == "Request rate limit reached"
        assert 1 <= int(stopped.headers["retry-after"]) <= 100
        assert (await elsewhere.refresh("a" * 20)).status_code == 400


async def test_departures_are_counted_too(database: Database, with_google: AuthSettings) -> None:
    few = with_google.model_copy(update={"rate_limit_authorize": 2, "rate_limit_sso": 2, "saml": True})
    async with visiting(database, Keyring(few), few) as visitor:
        left = [await visitor.client.get("/authorize?provider=google", headers=NEWER) for _ in range(3)]
        shown = await visitor.client.get("/authorize?provider=google", headers={"sec-fetch-mode": "navigate"})
        asked = [await visitor.ask("/sso", domain="rio-rafting.example") for _ in range(3)]

    assert [answer.status_code for answer in left] == [302, 302, 429]
    assert [answer.status_code for answer in asked] == [404, 404, 429]
    for stopped in (left[-1], asked[-1]):
        assert refusal(stopped) == (429, "over_request_rate_limit")
        assert int(stopped.headers["retry-after"]) >= 1
    assert "error_code=over_request_rate_limit" in shown.headers["location"], "a person is told on a page"


async def test_a_bucket_fills_again(database: Database, keyring: Keyring, settings: AuthSettings) -> None:
    async with visiting(database, keyring, settings.model_copy(update={"rate_limit_verify": 2})) as visitor:
        assert [(await visitor.verify("email", token_hash="x")).status_code for _ in range(3)] == [403, 403, 429]
        async with database.acting_as(SERVICE) as connection:
            await connection.execute("update auth.rate_limits set full_at = full_at - interval '150 seconds'")

        assert [(await visitor.verify("email", token_hash="x")).status_code for _ in range(2)] == [403, 429]


async def test_guesses_at_one_account_are_counted_wherever_they_come_from(
    database: Database, keyring: Keyring, settings: AuthSettings
) -> None:
    few = settings.model_copy(update={"rate_limit_guesses": 3})
    for account in (ROSA, "nobody@example.com"):
        answers = []
        for number in range(4):
            async with from_address(f"203.0.113.{number}", database, keyring, few) as visitor:
                answers.append((await visitor.sign_in(account, "a guess at it")).status_code)
        assert answers == [400, 400, 400, 429], account


async def test_signing_in_rightly_uses_no_guesses_up(
    database: Database, keyring: Keyring, settings: AuthSettings
) -> None:
    async with visiting(database, keyring, settings.model_copy(update={"rate_limit_guesses": 2})) as visitor:
        await visitor.sign_up(ROSA)
        for _ in range(5):
            session_of(await visitor.sign_in(ROSA))


async def test_a_code_cannot_be_guessed(
    database: Database, keyring: Keyring, settings: AuthSettings, office: Mailbox
) -> None:
    few = settings.model_copy(update={"rate_limit_guesses": 3})
    async with visiting(database, keyring, few) as visitor:
        await visitor.sign_up(ROSA)
        code = (await office.newest(ROSA)).code
        wrong = "000000" if code != "000000" else "111111"
        for _ in range(3):
            await visitor.verify("signup", email=ROSA, token=wrong)

        assert refusal(await visitor.verify("signup", email=ROSA, token=code)) == (429, "over_request_rate_limit")


async def test_one_mail_a_minute_and_it_says_when(visitor: Visitor) -> None:
    await visitor.ask("/otp", email=ROSA)

    again = await visitor.ask("/otp", email=ROSA)

    seconds = int(again.headers["retry-after"])
    assert refusal(again) == (429, "over_email_send_rate_limit")
    assert again.json()["message"] == f"For security purposes, you can only request this after {seconds} seconds."
    assert 55 <= seconds <= 60
    assert session_of(await visitor.ask("/otp", email="gil@example.com")) == {}


async def test_all_mail_together_has_a_limit_of_its_own(
    database: Database, keyring: Keyring, settings: AuthSettings
) -> None:
    async with visiting(database, keyring, settings.model_copy(update={"rate_limit_email_sent": 2})) as visitor:
        for number in range(2):
            await visitor.sign_up(f"guest{number}@example.com")
        refused = await visitor.ask("/recover", email="guest0@example.com")

    assert refusal(refused) == (429, "over_email_send_rate_limit")
    assert refused.json()["message"] == "email rate limit exceeded"


async def test_of_many_at_once_no_more_pass_than_may(
    database: Database, keyring: Keyring, settings: AuthSettings
) -> None:
    async with visiting(database, keyring, settings.model_copy(update={"rate_limit_verify": 5})) as visitor:
        answers = await asyncio.gather(*(visitor.verify("email", token_hash="x") for _ in range(20)))

    assert sorted(answer.status_code for answer in answers) == [403] * 5 + [429] * 15


async def test_the_table_of_limits_is_no_list_of_people_and_is_swept(
    visitor: Visitor, database: Database, settings: AuthSettings
) -> None:
    await visitor.ask("/otp", email=ROSA)
    await visitor.sign_in(ROSA, PASSWORD)
    async with database.acting_as(SERVICE) as connection:
        buckets = await connection.fetchval("select string_agg(bucket, ' ') from auth.rate_limits")
        assert "rosa" not in buckets
        await connection.execute("update auth.rate_limits set full_at = now() - interval '1 second'")
        await connection.execute("update auth.one_time_tokens set created_at = now() - interval '3 days'")

    await sweep(database, settings)

    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select count(*) from auth.rate_limits") == 0
        assert await connection.fetchval("select count(*) from auth.one_time_tokens") == 0


@pytest.mark.parametrize(
    ("ip", "counted_as"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::ffff", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        (None, "nowhere"),
        ("a unix socket", "nowhere"),
    ],
)
def test_a_household_counts_as_one(ip: str | None, counted_as: str) -> None:
    assert network_of(ip) == counted_as


async def test_a_bucket_is_taken_from_in_its_place(database: Database) -> None:
    """Else a busy address leaves a dead row and a dead entry in each index for every request."""
    second = timedelta(seconds=1)
    async with database.acting_as(SERVICE) as conn:
        for _ in range(3):
            assert await store.take(conn, "token from 203.0.113.7", every=second, room=60 * second) is None
        in_place = await conn.fetchval("select pg_stat_get_xact_tuples_hot_updated('auth.rate_limits'::regclass)")
    assert in_place == 2, "of three, the first began it"
