"""8W3 and 9A1: the thief of an old session cannot move the account to an email address that its owner does not use.

8W3 and 9A1 are findings in docs/security.md.
"""

from datetime import timedelta

from tests.abuse.test_reauthentication import NEEDS_REAUTHENTICATION
from tests.abuse.test_stolen_sessions import Session, old_session
from tests.auth.conftest import AdvanceClock, VisitorWith
from tests.auth.mailbox import Mailbox
from tests.auth.test_phone import PHONE
from tests.auth.test_reauthenticate import ROSA
from tests.auth.visitor import PASSWORD, Visitor, bearer, error_of, json_of

THIEF = "mallory@rapid-rivals.example"


async def old_session_by_phone(visitor: Visitor, mailbox: Mailbox, advance_clock: AdvanceClock) -> Session:
    json_of(await visitor.post("/otp", phone=PHONE))
    session = json_of(await visitor.verify("sms", phone=PHONE, token=(await mailbox.text_messages())[-1].code))
    advance_clock(timedelta(hours=25))
    return json_of(await visitor.refresh(session["refresh_token"]))


async def test_8w3_an_account_with_only_a_phone_number_gets_an_email_address_after_a_texted_code(
    phone_visitor: Visitor, mailbox: Mailbox, advance_clock: AdvanceClock
) -> None:
    """Otherwise the link in the email would give the whole account to the thief."""
    session = await old_session_by_phone(phone_visitor, mailbox, advance_clock)

    assert error_of(await phone_visitor.change(session, email=THIEF)) == NEEDS_REAUTHENTICATION
    assert await mailbox.emails(THIEF) == []

    assert json_of(await phone_visitor.client.get("/reauthenticate", headers=bearer(session))) == {}
    code = (await mailbox.text_messages())[-1].code
    assert json_of(await phone_visitor.change(session, email=THIEF, nonce=code))["new_email"] == THIEF


async def test_8w3_without_the_confirmation_of_the_old_address_a_new_one_needs_the_password(
    visitor_with: VisitorWith, mailbox: Mailbox, advance_clock: AdvanceClock
) -> None:
    async with visitor_with(mailer_secure_email_change_enabled=False) as visitor:
        session = await old_session(visitor, mailbox, advance_clock)

        assert error_of(await visitor.change(session, email=THIEF)) == NEEDS_REAUTHENTICATION
        assert json_of(await visitor.change(session, email=THIEF, current_password=PASSWORD))["new_email"] == THIEF


async def test_8w3_a_change_that_the_old_address_confirms_needs_nothing_else(
    visitor: Visitor, mailbox: Mailbox, advance_clock: AdvanceClock
) -> None:
    session = await old_session(visitor, mailbox, advance_clock)

    assert json_of(await visitor.change(session, email=THIEF))["new_email"] == THIEF


async def test_9a1_an_account_that_was_never_confirmed_moves_only_with_its_password(
    visitor: Visitor, mailbox: Mailbox, advance_clock: AdvanceClock
) -> None:
    """Otherwise the link in the email would give the account to the thief, and remove the owner's password."""
    session = json_of(await visitor.sign_up(ROSA, PASSWORD))
    advance_clock(timedelta(hours=25))
    session = json_of(await visitor.refresh(session["refresh_token"]))

    assert error_of(await visitor.change(session, email=THIEF)) == NEEDS_REAUTHENTICATION
    assert await mailbox.emails(THIEF) == []
    assert json_of(await visitor.change(session, email=THIEF, current_password=PASSWORD))["new_email"] == THIEF


async def test_9a1_if_addresses_are_confirmed_automatically_a_new_one_needs_the_password(
    visitor_with: VisitorWith, advance_clock: AdvanceClock
) -> None:
    async with visitor_with(mailer_autoconfirm=True) as visitor:
        session = json_of(await visitor.sign_up(ROSA, PASSWORD))
        advance_clock(timedelta(hours=25))
        session = json_of(await visitor.refresh(session["refresh_token"]))

        assert error_of(await visitor.change(session, email=THIEF)) == NEEDS_REAUTHENTICATION
        assert json_of(await visitor.change(session, email=THIEF, current_password=PASSWORD))["email"] == THIEF
