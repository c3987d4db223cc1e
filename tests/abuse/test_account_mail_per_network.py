"""CL4 and CL6: one network cannot use up the emails about accounts that others need.

CL4 and CL6 are findings in docs/security.md.
"""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
import pytest_asyncio

from cairn.auth import AuthSettings, Keyring
from cairn.db import Database
from tests.abuse.test_account_mail import VERA, VisitorAt, opened_visitors, sign_up_confirmed
from tests.auth.mailbox import Mailbox
from tests.auth.visitor import PASSWORD, error_of, json_of, redirect_fragment

NEW_ADDRESS = "vera@new-address.example"
EMAILS_PER_NETWORK = 4


@pytest.fixture
def limited(settings: AuthSettings) -> AuthSettings:
    changes = {"rate_limit_email_per_network": EMAILS_PER_NETWORK, "smtp_max_frequency": timedelta(milliseconds=1)}
    return settings.model_copy(update=changes)


@pytest_asyncio.fixture
async def visitor_at(database: Database, keyring: Keyring, limited: AuthSettings) -> AsyncIterator[VisitorAt]:
    async with opened_visitors(database, keyring, limited) as visitor_at:
        yield visitor_at


@pytest.mark.parametrize("path", ["/otp", "/recover"])
async def test_cl4_a_whole_ipv6_slash_48_network_can_request_a_limited_number_of_emails(
    visitor_at: VisitorAt, mailbox: Mailbox, path: str
) -> None:
    """Before this limit, a stranger with 200 confirmed accounts used up the server's 1,000 emails in two hours."""
    await sign_up_confirmed(visitor_at("198.51.100.7"), mailbox)
    strangers = [visitor_at(f"2001:db8:1:{number}::7") for number in range(EMAILS_PER_NETWORK + 1)]
    responses = [
        await stranger.post(path, email=f"own{number}@stranger.example") for number, stranger in enumerate(strangers)
    ]
    json_of(await visitor_at("198.51.100.8").post(path, email=VERA))

    assert [response.status_code for response in responses] == [200] * EMAILS_PER_NETWORK + [429]
    assert error_of(responses[-1]) == (429, "over_email_send_rate_limit")
    assert responses[-1].json()["message"].startswith("Too many emails were requested from your network.")
    assert 0 < int(responses[-1].headers["retry-after"]) <= 3600


async def test_cl4_sign_ups_beyond_the_limit_of_a_network_create_accounts_but_send_no_email(
    visitor_at: VisitorAt, mailbox: Mailbox
) -> None:
    addresses = [f"own{number}@stranger.example" for number in range(EMAILS_PER_NETWORK + 2)]
    for number, address in enumerate(addresses):
        assert json_of(await visitor_at(f"2001:db8:1:{number}::7").sign_up(address))["access_token"]

    emails = [email for address in addresses for email in await mailbox.emails(address)]
    assert len(emails) == EMAILS_PER_NETWORK


async def test_cl4_the_emails_of_one_network_are_a_small_part_of_those_of_the_server(settings: AuthSettings) -> None:
    assert settings.rate_limit_email_per_network * 5 <= settings.rate_limit_email_sent


async def test_cl6_a_stranger_who_requests_the_same_new_address_does_not_block_the_change(
    database: Database, keyring: Keyring, settings: AuthSettings, mailbox: Mailbox
) -> None:
    async with opened_visitors(database, keyring, settings) as visitor_at:
        vera, mallory = visitor_at("198.51.100.7"), visitor_at("203.0.113.66")
        veras_session = await sign_up_confirmed(vera, mailbox)
        mallorys_session = json_of(await mallory.sign_up("mallory@rapid-rivals.example"))
        json_of(await mallory.change(mallorys_session, email=NEW_ADDRESS))

        json_of(await vera.change(veras_session, email=NEW_ADDRESS))
        for address in (VERA, NEW_ADDRESS):
            path = (await mailbox.newest(address)).path
            response = await vera.follow_email_link(path, password=PASSWORD)
        moved = redirect_fragment(response)

        assert json_of(await vera.user(moved))["email"] == NEW_ADDRESS
