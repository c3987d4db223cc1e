"""B8, B9 and B10: strangers who request emails cannot flood a mailbox, and cannot use up the emails that others need.

B8: a stranger requests emails to Vera until she gets no more, and then she cannot recover her password. B9: a stranger
floods one mailbox by many spellings of its address. B10: a stranger uses up the emails of the server.

B8, B9 and B10 are findings in docs/security.md.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from typing import Any

import httpx
import pytest
import pytest_asyncio
from starlette.applications import Starlette
from starlette.routing import Mount

from cairn.app import TextSender
from cairn.auth import AuthSettings, Keyring, service
from cairn.db import SERVICE, Database
from cairn.kit import mailbox_of
from tests.auth.mailbox import Mailbox
from tests.auth.test_pkce import PKCE
from tests.auth.visitor import Visitor, bearer, error_of, json_of, redirect_fragment

VERA = "vera@victim.example"
HOME = "203.0.113.7"
HOTEL = "198.51.100.20"
EMAILS_PER_ADDRESS_AND_NETWORK = 2
EMAILS_PER_ADDRESS = 4
EMAILS_TO_NEW_ADDRESSES = 3
# Requests per five minutes from one IP network.
REQUESTS_PER_NETWORK = 100

VisitorAt = Callable[[str], Visitor]


@asynccontextmanager
async def opened_visitors(
    database: Database, keyring: Keyring, settings: AuthSettings, text_sender: TextSender | None = None
) -> AsyncIterator[VisitorAt]:
    """Yields a function that makes a visitor with a given IP address. All visitors use the same server."""
    app = Starlette(routes=[Mount("/auth/v1", service(database, keyring, settings, text_sender=text_sender))])
    async with AsyncExitStack() as stack:
        clients: list[httpx.AsyncClient] = []

        def visitor_at(ip: str) -> Visitor:
            transport = httpx.ASGITransport(app=app, client=(ip, 4711))
            clients.append(httpx.AsyncClient(transport=transport, base_url="http://cairn.test/auth/v1"))
            stack.push_async_callback(clients[-1].aclose)
            return Visitor(clients[-1], keyring.service_key)

        yield visitor_at


@pytest.fixture
def limited(settings: AuthSettings) -> AuthSettings:
    return settings.model_copy(
        update={
            "smtp_max_frequency": timedelta(milliseconds=1),
            "rate_limit_otp": REQUESTS_PER_NETWORK,
            "rate_limit_email_per_address": EMAILS_PER_ADDRESS,
            "rate_limit_email_per_address_and_network": EMAILS_PER_ADDRESS_AND_NETWORK,
        }
    )


@pytest_asyncio.fixture
async def visitor_at(database: Database, keyring: Keyring, limited: AuthSettings) -> AsyncIterator[VisitorAt]:
    async with opened_visitors(database, keyring, limited) as visitor_at:
        yield visitor_at


@pytest.fixture
def few_emails_to_new_addresses(settings: AuthSettings) -> AuthSettings:
    return settings.model_copy(update={"rate_limit_email_to_new_addresses": EMAILS_TO_NEW_ADDRESSES})


async def sign_up_confirmed(visitor: Visitor, mailbox: Mailbox, email: str = VERA) -> dict[str, Any]:
    json_of(await visitor.sign_up(email))
    return json_of(await visitor.verify("signup", token_hash=(await mailbox.newest(email)).token_hash))


async def request_many_emails(visitor_at: VisitorAt, ips: list[str], email: str = VERA) -> None:
    """Requests links that work only in the browser of the stranger. The responses do not show that a limit applies."""
    for ip in ips:
        for path in ("/recover", "/otp", "/recover"):
            response = await visitor_at(ip).post(path, email=email, create_user=False, **PKCE)
            assert json_of(response) == {}


def many_ips(count: int = 2 * EMAILS_PER_ADDRESS) -> list[str]:
    return [f"192.0.2.{number}" for number in range(1, count + 1)]


async def count_emails(mailbox: Mailbox, recipient: str | None = None) -> int:
    return len(await mailbox.emails(recipient))


async def test_b8_one_network_can_request_only_a_part_of_the_emails_to_an_address(
    visitor_at: VisitorAt, mailbox: Mailbox
) -> None:
    await sign_up_confirmed(visitor_at(HOME), mailbox)
    before = await count_emails(mailbox, VERA)

    await request_many_emails(visitor_at, ["192.0.2.1"] * 3)
    assert await count_emails(mailbox, VERA) - before == EMAILS_PER_ADDRESS_AND_NETWORK

    json_of(await visitor_at(HOTEL).post("/recover", email=VERA))
    assert await count_emails(mailbox, VERA) - before == EMAILS_PER_ADDRESS_AND_NETWORK + 1


async def test_b8_all_networks_of_one_ipv6_customer_count_together(
    database: Database, keyring: Keyring, limited: AuthSettings, mailbox: Mailbox
) -> None:
    """A /48 network gets four times as many emails as each /64 network in it."""
    generous = limited.model_copy(update={"rate_limit_email_per_address": 100})
    async with opened_visitors(database, keyring, generous) as visitor_at:
        await sign_up_confirmed(visitor_at(HOME), mailbox)
        before = await count_emails(mailbox, VERA)

        await request_many_emails(visitor_at, [f"2001:db8:7:{number}::1" for number in range(1, 7)])

        assert await count_emails(mailbox, VERA) - before == 4 * EMAILS_PER_ADDRESS_AND_NETWORK


@pytest.mark.parametrize("is_signed_in", [True, False])
async def test_b8_the_owner_gets_an_email_at_home_however_many_emails_strangers_have_requested(
    visitor_at: VisitorAt, mailbox: Mailbox, is_signed_in: bool
) -> None:
    session = await sign_up_confirmed(visitor_at(HOME), mailbox)
    if not is_signed_in:
        session = json_of(await visitor_at(HOME).sign_in(VERA))
        await visitor_at(HOME).log_out(session, "global")
    before = await count_emails(mailbox, VERA)

    await request_many_emails(visitor_at, many_ips())
    flood = await count_emails(mailbox, VERA) - before
    assert flood == EMAILS_PER_ADDRESS - 1, "the email of the sign-up counts too"
    json_of(await visitor_at(HOTEL).post("/recover", email=VERA))
    assert await count_emails(mailbox, VERA) - before == flood, "the limit for strangers is reached"

    json_of(await visitor_at(HOME).post("/recover", email=VERA))
    assert await count_emails(mailbox, VERA) - before == flood + 1
    link = (await mailbox.newest(VERA)).path
    assert "access_token" in redirect_fragment(await visitor_at(HOME).follow_email_link(link))


async def test_b8_the_owner_gets_a_limited_number_of_emails_at_home(visitor_at: VisitorAt, mailbox: Mailbox) -> None:
    await sign_up_confirmed(visitor_at(HOME), mailbox)
    before = await count_emails(mailbox, VERA)

    await request_many_emails(visitor_at, [HOME] * 3)

    assert await count_emails(mailbox, VERA) - before == EMAILS_PER_ADDRESS


async def test_b8_a_signed_in_owner_gets_a_code_in_any_network(visitor_at: VisitorAt, mailbox: Mailbox) -> None:
    session = await sign_up_confirmed(visitor_at(HOME), mailbox)
    await request_many_emails(visitor_at, many_ips())
    before = await count_emails(mailbox, VERA)

    json_of(await visitor_at(HOTEL).client.get("/reauthenticate", headers=bearer(session)))

    assert await count_emails(mailbox, VERA) == before + 1


async def test_b8_a_stranger_who_signed_up_with_the_address_does_not_count_as_its_owner(
    visitor_at: VisitorAt, mailbox: Mailbox
) -> None:
    json_of(await visitor_at("192.0.2.1").sign_up(VERA))
    for ip in many_ips():
        json_of(await visitor_at(ip).sign_in(VERA))
    await request_many_emails(visitor_at, many_ips())
    assert await count_emails(mailbox, VERA) == EMAILS_PER_ADDRESS

    # Vera confirms the address with one of these emails, which gives the account to her.
    token_hash = (await mailbox.newest(VERA)).token_hash
    json_of(await visitor_at(HOME).verify("email", token_hash=token_hash))
    await request_many_emails(visitor_at, many_ips())

    assert await count_emails(mailbox, VERA) == EMAILS_PER_ADDRESS


@pytest.mark.parametrize("path", ["/recover", "/otp"])
async def test_b8_the_link_of_the_owner_works_after_she_opened_a_link_that_a_stranger_requested(
    visitor_at: VisitorAt, mailbox: Mailbox, path: str
) -> None:
    await sign_up_confirmed(visitor_at(HOME), mailbox)
    json_of(await visitor_at(HOTEL).post(path, email=VERA))
    own_link = (await mailbox.newest(VERA)).path
    json_of(await visitor_at("192.0.2.1").post(path, email=VERA, **PKCE))
    link_of_stranger = (await mailbox.newest(VERA)).path
    assert link_of_stranger != own_link

    useless = await visitor_at(HOTEL).follow_email_link(link_of_stranger)
    assert "code=" in useless.headers["location"]

    assert "access_token" in redirect_fragment(await visitor_at(HOTEL).follow_email_link(own_link))
    used_again = await visitor_at(HOTEL).client.get(own_link)
    assert "otp_expired" in used_again.headers["location"]


async def test_b8_only_the_newest_code_is_accepted(visitor_at: VisitorAt, mailbox: Mailbox) -> None:
    """Otherwise one guess would be compared with the codes that were requested from many networks."""
    await sign_up_confirmed(visitor_at(HOME), mailbox)
    for ip in (HOTEL, "192.0.2.1"):
        json_of(await visitor_at(ip).post("/otp", email=VERA))
    *_, older, newest = await mailbox.emails(VERA)

    refused = await visitor_at(HOTEL).verify("email", email=VERA, token=older.code)

    assert error_of(refused) == (403, "otp_expired")
    assert json_of(await visitor_at(HOTEL).verify("email", email=VERA, token=newest.code))


async def test_b8_a_stranger_cannot_keep_the_owner_waiting(
    database: Database, keyring: Keyring, settings: AuthSettings, mailbox: Mailbox
) -> None:
    """The required interval between two emails applies to each network separately."""
    async with opened_visitors(database, keyring, settings) as visitor_at:
        await sign_up_confirmed(visitor_at(HOME), mailbox)
        json_of(await visitor_at("192.0.2.1").post("/recover", email=VERA))
        again = await visitor_at("192.0.2.1").post("/recover", email=VERA)

        json_of(await visitor_at(HOTEL).post("/recover", email=VERA))

    assert error_of(again) == (429, "over_email_send_rate_limit")


async def test_b8_an_unknown_address_gets_the_same_responses(visitor_at: VisitorAt, mailbox: Mailbox) -> None:
    await sign_up_confirmed(visitor_at(HOME), mailbox)
    for _ in range(EMAILS_PER_ADDRESS_AND_NETWORK + 2):
        known = await visitor_at(HOTEL).post("/recover", email=VERA)
        unknown = await visitor_at(HOTEL).post("/recover", email="unknown@victim.example")
        assert (known.status_code, known.content) == (unknown.status_code, unknown.content) == (200, b"{}")


@pytest.mark.parametrize(
    ("address", "mailbox_address"),
    [
        ("vera@victim.example", "vera@victim.example"),
        ("vera+shop@victim.example", "vera@victim.example"),
        ("vera+a+b@victim.example", "vera@victim.example"),
        ("v.era@victim.example", "v.era@victim.example"),
        ("v.e.ra+1@gmail.com", "vera@gmail.com"),
        ("vera@googlemail.com", "vera@gmail.com"),
        ("+vera@victim.example", "+vera@victim.example"),
    ],
)
def test_b9_all_spellings_of_a_mailbox_count_together(address: str, mailbox_address: str) -> None:
    assert mailbox_of(address) == mailbox_address


async def test_b9_a_mailbox_cannot_be_flooded_by_tags_in_its_address(visitor_at: VisitorAt, mailbox: Mailbox) -> None:
    """Two addresses with different tags can have two accounts, but the emails to both count together."""
    ids = set()
    for number, ip in enumerate([*[HOTEL] * EMAILS_PER_ADDRESS, *many_ips()]):
        session = json_of(await visitor_at(ip).sign_up(f"ve.ra+{number}@gmail.com"))
        ids.add(session["user"]["id"])
        if ip == HOTEL:
            assert await count_emails(mailbox) == min(number + 1, EMAILS_PER_ADDRESS_AND_NETWORK)
    account = json_of(await visitor_at(HOTEL).sign_up("mallory@rapid-rivals.example"))
    json_of(await visitor_at(HOTEL).change(account, email="vera+new@googlemail.com"))

    recipients = [message.recipient for message in await mailbox.emails() if "mallory" not in message.recipient]
    assert len(ids) == EMAILS_PER_ADDRESS + len(many_ips())
    assert len(recipients) == EMAILS_PER_ADDRESS


async def use_up_emails_to_new_addresses(visitor_at: VisitorAt, kind: str) -> None:
    for number, ip in enumerate(many_ips(EMAILS_TO_NEW_ADDRESSES + 2)):
        stranger = visitor_at(ip)
        if kind == "otp":
            json_of(await stranger.post("/otp", email=f"new{number}@victim.example"))
        elif kind == "sign-up":
            json_of(await stranger.sign_up(f"new{number}@victim.example"))
        elif kind == "recover":
            json_of(await stranger.sign_up(f"new{number}@victim.example"))
            json_of(await stranger.post("/recover", email=f"new{number}@victim.example"))
        else:
            account = json_of(await stranger.sign_up(f"mallory{number}@rapid-rivals.example"))
            await stranger.change(account, email=f"new{number}@victim.example")


@pytest.mark.parametrize("kind", ["otp", "sign-up", "recover", "change of address"])
async def test_b10_emails_to_new_addresses_leave_a_share_for_the_owners_of_accounts(
    database: Database, keyring: Keyring, few_emails_to_new_addresses: AuthSettings, mailbox: Mailbox, kind: str
) -> None:
    async with opened_visitors(database, keyring, few_emails_to_new_addresses) as visitor_at:
        await sign_up_confirmed(visitor_at(HOME), mailbox)
        async with database.acting_as(SERVICE) as conn:
            await conn.execute("delete from limits.buckets")

        await use_up_emails_to_new_addresses(visitor_at, kind)
        assert await count_emails(mailbox) == 1 + EMAILS_TO_NEW_ADDRESSES

        for path in ("/recover", "/otp"):
            json_of(await visitor_at(HOTEL).post(path, email=VERA))
    assert await count_emails(mailbox, VERA) == 3


async def test_b10_the_response_does_not_reveal_accounts_when_the_emails_to_new_addresses_are_used_up(
    database: Database, keyring: Keyring, few_emails_to_new_addresses: AuthSettings, mailbox: Mailbox
) -> None:
    strict = few_emails_to_new_addresses.model_copy(update={"allow_unverified_email_sign_ins": False})
    async with opened_visitors(database, keyring, strict) as visitor_at:
        await sign_up_confirmed(visitor_at(HOME), mailbox)
        await use_up_emails_to_new_addresses(visitor_at, "otp")
        new = "new@example.com"

        for path in ("/recover", "/otp"):
            assert json_of(await visitor_at(HOTEL).post(path, email=VERA)) == {}
            assert json_of(await visitor_at(HOTEL).post(path, email=new)) == {}
        sign_ups = [await visitor_at(HOTEL).sign_up(email) for email in (VERA, new)]
        resent = [await visitor_at(HOTEL).post("/resend", type="signup", email=email) for email in (VERA, new)]

    assert {error_of(response) for response in [*sign_ups, *resent]} == {(429, "over_email_send_rate_limit")}
    assert await count_emails(mailbox, new) == 0


async def test_b10_a_change_of_address_counts_with_the_other_requests_that_send_messages(
    database: Database, keyring: Keyring, settings: AuthSettings, mailbox: Mailbox
) -> None:
    few_requests = settings.model_copy(update={"rate_limit_otp": 3})
    async with opened_visitors(database, keyring, few_requests) as visitor_at:
        account = json_of(await visitor_at(HOME).sign_up(VERA))
        for number in range(2):
            json_of(await visitor_at(HOME).post("/otp", email=f"new{number}@victim.example"))

        refused = await visitor_at(HOME).change(account, email="new3@victim.example")
        allowed = await visitor_at(HOME).change(account, data={"name": "Vera"})

    assert error_of(refused) == (429, "over_request_rate_limit")
    assert json_of(allowed)["user_metadata"]["name"] == "Vera"
    assert await count_emails(mailbox, "new3@victim.example") == 0


async def test_b10_concurrent_sign_ups_and_changes_of_address_do_not_block_each_other(
    database: Database, keyring: Keyring, settings: AuthSettings, mailbox: Mailbox
) -> None:
    async with opened_visitors(database, keyring, settings) as visitor_at:
        accounts = [
            await sign_up_confirmed(visitor_at(HOME), mailbox, f"owner{number}@example.com") for number in range(4)
        ]
        responses = await asyncio.gather(
            *(visitor_at(HOME).change(account, email=f"moved{i}@example.com") for i, account in enumerate(accounts)),
            *(visitor_at(HOTEL).sign_up(f"new{number}@example.com") for number in range(4)),
            *(visitor_at(HOTEL).post("/recover", email=f"owner{number}@example.com") for number in range(4)),
        )

    assert [response.status_code for response in responses] == [200] * len(responses)
