"""M2: a mailed or texted code is valid for an hour and for five wrong tries, and only the newest one is valid.

M2 is a finding in docs/security.md.
"""

import asyncio
from datetime import timedelta

import pytest

from cairn.auth import AuthSettings
from tests.auth.conftest import AdvanceClock, VisitorWith
from tests.auth.mailbox import Mailbox
from tests.auth.visitor import Visitor, bearer, error_of, json_of, redirect_fragment

ROSA = "rosa@rio-rafting.example"
PHONE = "41791234567"
REFUSED = (403, "otp_expired")


@pytest.fixture
def visitor(phone_visitor: Visitor) -> Visitor:
    return phone_visitor


def wrong_code(code: str, number: int = 1) -> str:
    return f"{(int(code) + number) % 1_000_000:06d}"


@pytest.mark.accept("SAFE-17")
async def test_m2_after_five_wrong_tries_a_mailed_code_is_invalid_but_its_link_is_not(
    visitor: Visitor, mailbox: Mailbox
) -> None:
    """A guesser can make the codes of the owner invalid, so the link in the email has to keep working."""
    await visitor.post("/otp", email=ROSA)
    message = await mailbox.newest(ROSA)
    for number in range(1, 6):
        assert error_of(await visitor.verify("email", email=ROSA, token=wrong_code(message.code, number))) == REFUSED

    assert error_of(await visitor.verify("email", email=ROSA, token=message.code)) == REFUSED
    assert redirect_fragment(await visitor.follow_email_link(message.path))["access_token"]


async def test_m2_four_wrong_tries_are_forgiven(visitor: Visitor, mailbox: Mailbox) -> None:
    await visitor.post("/otp", email=ROSA)
    code = (await mailbox.newest(ROSA)).code
    for number in range(1, 5):
        await visitor.verify("email", email=ROSA, token=wrong_code(code, number))

    assert json_of(await visitor.verify("email", email=ROSA, token=code))


async def test_m2_tries_at_the_same_moment_count_as_well(visitor: Visitor, mailbox: Mailbox) -> None:
    await visitor.post("/otp", email=ROSA)
    code = (await mailbox.newest(ROSA)).code
    guesses = [visitor.verify("email", email=ROSA, token=wrong_code(code, number)) for number in range(1, 13)]
    await asyncio.gather(*guesses)

    assert error_of(await visitor.verify("email", email=ROSA, token=code)) == REFUSED


@pytest.mark.accept("SAFE-17")
async def test_m2_only_the_newest_code_of_an_address_is_valid(visitor: Visitor, mailbox: Mailbox) -> None:
    """Otherwise a guesser could request codes of three kinds and compare each guess with all of them."""
    await visitor.sign_up(ROSA)
    await visitor.post("/otp", email=ROSA)
    await visitor.post("/recover", email=ROSA)
    sign_up, magic_link, recovery = await mailbox.emails(ROSA)

    for message in (sign_up, magic_link):
        assert error_of(await visitor.verify("email", email=ROSA, token=message.code)) == REFUSED
    assert json_of(await visitor.verify("email", email=ROSA, token=recovery.code))


@pytest.mark.accept("SAFE-17")
async def test_m2_a_mailed_code_is_valid_for_an_hour(
    visitor: Visitor, mailbox: Mailbox, settings: AuthSettings, advance_clock: AdvanceClock
) -> None:
    assert settings.mailer_otp_exp == timedelta(hours=1)
    await visitor.post("/otp", email=ROSA)
    advance_clock(timedelta(minutes=61))

    assert error_of(await visitor.verify("email", email=ROSA, token=(await mailbox.newest(ROSA)).code)) == REFUSED


async def test_m2_after_five_wrong_tries_a_texted_code_is_invalid(visitor: Visitor, mailbox: Mailbox) -> None:
    await visitor.post("/otp", phone=PHONE)
    code = (await mailbox.text_messages())[-1].code
    for number in range(1, 6):
        assert error_of(await visitor.verify("sms", phone=PHONE, token=wrong_code(code, number))) == REFUSED

    assert error_of(await visitor.verify("sms", phone=PHONE, token=code)) == REFUSED


async def test_m2_after_five_wrong_tries_a_code_for_a_new_password_is_invalid(
    visitor: Visitor, mailbox: Mailbox
) -> None:
    await visitor.sign_up(ROSA)
    session = json_of(await visitor.verify("signup", token_hash=(await mailbox.newest(ROSA)).token_hash))
    await visitor.client.get("/reauthenticate", headers=bearer(session))
    code = (await mailbox.newest(ROSA)).code
    for number in range(1, 6):
        response = await visitor.change(session, password="ten rapids before noon", nonce=wrong_code(code, number))
        assert error_of(response) == (422, "reauthentication_not_valid")

    response = await visitor.change(session, password="ten rapids before noon", nonce=code)

    assert error_of(response) == (422, "reauthentication_not_valid")


@pytest.mark.parametrize("email", [ROSA, "unknown@example.com"])
async def test_m2_the_codes_of_an_account_can_be_guessed_only_a_few_times_a_day(
    visitor_with: VisitorWith, email: str
) -> None:
    """Each code allows five tries, and a guesser can request many codes. Unknown addresses have the same limit."""
    async with visitor_with(
        rate_limit_guesses=7, rate_limit_verify=1000, smtp_max_frequency=timedelta(milliseconds=1)
    ) as visitor:
        await visitor.sign_up(ROSA)
        responses = []
        for _ in range(2):
            await visitor.post("/recover", email=email)
            responses += [await visitor.verify("email", email=email, token="000000") for _ in range(4)]

    assert [response.status_code for response in responses] == [403] * 7 + [429]
    assert int(responses[-1].headers["retry-after"]) > 3600
    assert "Use the link in the email" in responses[-1].json()["message"]
