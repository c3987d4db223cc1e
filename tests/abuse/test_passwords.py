"""M3: wrong passwords slow down the guesser, and never lock the owner out.

M3 is a finding in docs/security.md.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import perf_counter

import httpx
import pytest
import pytest_asyncio
from starlette.applications import Starlette
from starlette.routing import Mount

from cairn.auth import AuthSettings, Keyring, service
from cairn.db import SERVICE, Connection, Database
from cairn.limits import larger_network_of
from tests.auth.mailbox import Mailbox
from tests.auth.visitor import Visitor, error_of, json_of, redirect_fragment

ROSA = "rosa@rio-rafting.example"
GUESSER, OWNER = "203.0.113.66", "198.51.100.7"
REFUSED, SLOWED_DOWN = (400, "invalid_credentials"), (429, "over_request_rate_limit")


@asynccontextmanager
async def visitor_from(ip: str, database: Database, keyring: Keyring, settings: AuthSettings) -> AsyncIterator[Visitor]:
    app = Starlette(routes=[Mount("/auth/v1", service(database, keyring, settings))])
    transport = httpx.ASGITransport(app=app, client=(ip, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://cairn.test/auth/v1") as client:
        yield Visitor(client, keyring.service_key)


async def guess(visitor: Visitor, times: int, email: str = ROSA) -> list[httpx.Response]:
    return [await visitor.sign_in(email, f"guess {number}") for number in range(times)]


async def end_the_wait(database: Database) -> None:
    async with database.acting_as(SERVICE) as conn:
        await conn.execute("update auth.password_tries set retry_at = now()")


@pytest_asyncio.fixture
async def long_waits(admin: Connection) -> None:
    """Makes each wait an hour longer, so that none ends while a slow machine checks passwords."""
    await admin.execute(
        """
        create function auth.wait_longer() returns trigger language plpgsql as $$
        begin
            new.retry_at := new.retry_at + interval '1 hour';
            return new;
        end $$;
        create trigger wait_longer before insert or update on auth.password_tries
            for each row when (new.retry_at > new.last_try_at + interval '0.5 seconds')
            execute function auth.wait_longer()
        """
    )


@pytest.mark.accept("SAFE-18")
@pytest.mark.usefixtures("long_waits")
async def test_m3_forty_wrong_passwords_do_not_keep_the_owner_out(
    database: Database, keyring: Keyring, settings: AuthSettings
) -> None:
    async with (
        visitor_from(GUESSER, database, keyring, settings) as mallory,
        visitor_from(OWNER, database, keyring, settings) as rosa,
    ):
        await rosa.sign_up(ROSA)
        responses = await guess(mallory, 40)
        assert [error_of(response) for response in responses[:10]] == [REFUSED] * 10
        assert {error_of(response) for response in responses[10:]} == {SLOWED_DOWN}

        assert json_of(await rosa.sign_in(ROSA))
        assert error_of(await mallory.sign_in(ROSA)) == SLOWED_DOWN, "the owner's sign-in does not help the guesser"


async def test_m3_each_further_try_waits_twice_as_long_up_to_a_quarter_of_an_hour(
    database: Database, keyring: Keyring, settings: AuthSettings
) -> None:
    async with visitor_from(GUESSER, database, keyring, settings) as mallory:
        await guess(mallory, 10)
        waits = []
        for _ in range(12):
            refused = await mallory.sign_in(ROSA, "guess")
            assert error_of(refused) == SLOWED_DOWN
            waits.append(int(refused.headers["retry-after"]))
            await end_the_wait(database)
            assert error_of(await mallory.sign_in(ROSA, "guess")) == REFUSED

    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]


async def test_m3_from_the_network_of_the_guesser_the_owner_gets_in_by_email(
    database: Database, keyring: Keyring, settings: AuthSettings, mailbox: Mailbox
) -> None:
    """The guesser and the owner share the Wi-Fi of a campsite."""
    async with visitor_from(GUESSER, database, keyring, settings) as rosa:
        await rosa.sign_up(ROSA)
        await guess(rosa, 14)
        refused = await rosa.sign_in(ROSA)
        assert error_of(refused) == SLOWED_DOWN
        assert "email" in refused.json()["message"]

        assert json_of(await rosa.post("/recover", email=ROSA)) == {}
        session = redirect_fragment(await rosa.follow_email_link((await mailbox.newest(ROSA)).path))
        json_of(await rosa.change(session, password="ten rapids before noon"))

        await end_the_wait(database)
        assert json_of(await rosa.sign_in(ROSA, "ten rapids before noon"))
        assert error_of((await guess(rosa, 1))[0]) == REFUSED, "after a correct password the count starts again"


async def test_m3_other_accounts_in_the_same_network_are_not_slowed_down(
    database: Database, keyring: Keyring, settings: AuthSettings
) -> None:
    async with visitor_from(GUESSER, database, keyring, settings) as visitor:
        await visitor.sign_up("bea@rio-rafting.example")
        await guess(visitor, 12)

        assert json_of(await visitor.sign_in("bea@rio-rafting.example"))


@pytest.mark.usefixtures("long_waits")
async def test_m3_guesses_at_the_same_moment_are_counted_before_they_are_checked(
    database: Database, keyring: Keyring, settings: AuthSettings
) -> None:
    async with visitor_from(GUESSER, database, keyring, settings) as mallory:
        responses = await asyncio.gather(*(mallory.sign_in(ROSA, f"guess {number}") for number in range(30)))

    assert sorted(response.status_code for response in responses) == [400] * 10 + [429] * 20


async def test_m3_the_responses_do_not_reveal_whether_the_account_exists(
    database: Database, keyring: Keyring, settings: AuthSettings
) -> None:
    async with visitor_from(GUESSER, database, keyring, settings) as mallory:
        await mallory.sign_up(ROSA)
        known, unknown = await guess(mallory, 13), await guess(mallory, 13, "unknown@example.com")

    assert [response.status_code for response in known] == [response.status_code for response in unknown]
    assert [response.json() for response in known[:11]] == [response.json() for response in unknown[:11]]


async def test_m3_a_try_that_has_to_wait_costs_the_server_no_password_check(
    database: Database, keyring: Keyring, settings: AuthSettings
) -> None:
    async with visitor_from(GUESSER, database, keyring, settings) as mallory:
        await guess(mallory, 16)
        started_at = perf_counter()
        responses = await guess(mallory, 20)

    assert {response.status_code for response in responses} == {429}
    assert perf_counter() - started_at < 5


@pytest.mark.parametrize(
    ("ip", "network"),
    [
        ("203.0.113.66", "203.0.113.66"),
        ("2001:db8:1:2::3", "2001:db8:1::/48"),
        ("2001:db8:1:ffff::3", "2001:db8:1::/48"),
        ("::ffff:203.0.113.66", "203.0.113.66"),
        (None, "unknown"),
    ],
)
def test_m3_one_customer_of_an_internet_provider_is_one_network(ip: str | None, network: str) -> None:
    """An internet provider may assign a whole /48 network to one customer. Other limits count it as 65,536 networks."""
    assert larger_network_of(ip) == network
