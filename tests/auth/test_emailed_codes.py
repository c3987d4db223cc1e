"""An email has a code beside its link if a setting adds codes to all emails, or if the caller requests a code."""

import re

import pytest

from tests.auth.conftest import VisitorWith
from tests.auth.mailbox import Mailbox
from tests.auth.visitor import Visitor, json_of

ROSA = "rosa@example.com"

CODE = re.compile(r"^\d{6}$", re.MULTILINE)


@pytest.mark.accept("APP-37")
async def test_an_email_has_no_code_if_no_screen_asks_for_one(visitor_with: VisitorWith, mailbox: Mailbox) -> None:
    async with visitor_with(mailer_codes=False) as visitor:
        await visitor.sign_up(ROSA)
        await visitor.client.post("/recover", json={"email": ROSA})

    confirmation, recovery = await mailbox.emails(ROSA)
    assert "Or enter this code:" not in confirmation.body
    assert CODE.search(confirmation.body) is None
    assert CODE.search(recovery.body) is None
    assert confirmation.link
    assert recovery.link


@pytest.mark.accept("APP-37")
async def test_an_email_has_a_code_if_the_caller_asks_for_one(visitor_with: VisitorWith, mailbox: Mailbox) -> None:
    async with visitor_with(mailer_codes=False) as visitor:
        await visitor.client.post("/otp", json={"email": ROSA})

        session = json_of(await visitor.verify("email", email=ROSA, token=(await mailbox.newest(ROSA)).code))

    assert session["access_token"]


@pytest.mark.accept("APP-37")
async def test_a_setting_adds_codes_to_all_emails_with_links(visitor: Visitor, mailbox: Mailbox) -> None:
    await visitor.sign_up(ROSA)

    message = await mailbox.newest(ROSA)

    assert message.link
    assert message.code


@pytest.mark.accept("APP-36")
async def test_only_the_owner_of_a_confirmed_address_is_greeted_by_name(visitor: Visitor, mailbox: Mailbox) -> None:
    session = json_of(await visitor.sign_up(ROSA, name="Rosa Delgado"))
    assert session
    confirmation = await mailbox.newest(ROSA)
    await visitor.follow_email_link(confirmation.path)

    await visitor.client.post("/recover", json={"email": ROSA})

    recovery = await mailbox.newest(ROSA)
    assert confirmation.body.startswith("Hi,\n")
    assert recovery.body.startswith("Hi Rosa,\n")
