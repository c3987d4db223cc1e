"""Both the old and the new address have to confirm a change of address."""

from datetime import timedelta

import pytest

from cairn.db import SERVICE, Database
from tests.auth.conftest import AdvanceClock, VisitorWith
from tests.auth.mailbox import Mailbox
from tests.auth.test_reauthenticate import sign_up_confirmed
from tests.auth.visitor import Visitor, error_of, json_of, redirect_fragment

ROSA = "rosa@rio-rafting.example"
NEW_ADDRESS = "rosa@wild-water.example"


@pytest.mark.parametrize("first", ["old", "new"])
async def test_both_addresses_confirm_in_either_order(
    visitor: Visitor, mailbox: Mailbox, database: Database, first: str
) -> None:
    session = await sign_up_confirmed(visitor, mailbox)

    pending = json_of(await visitor.change(session, email=NEW_ADDRESS))
    assert (pending["email"], pending["new_email"]) == (ROSA, NEW_ADDRESS)
    emails = [await mailbox.newest(ROSA), await mailbox.newest(NEW_ADDRESS)]
    assert NEW_ADDRESS in emails[0].body
    first_email, second_email = emails if first == "old" else emails[::-1]

    first_confirmation = json_of(await visitor.verify("email_change", token_hash=first_email.token_hash))
    assert first_confirmation["code"] == "200"
    assert (await visitor.user(session)).json()["email"] == ROSA
    final_session = json_of(await visitor.verify("email_change", email=second_email.recipient, token=second_email.code))

    assert final_session["user"]["email"] == NEW_ADDRESS
    assert "new_email" not in final_session["user"]
    assert final_session["user"]["identities"][0]["identity_data"]["email"] == NEW_ADDRESS
    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select email from profiles") == NEW_ADDRESS
    assert json_of(await visitor.sign_in(NEW_ADDRESS))
    assert error_of(await visitor.sign_in(ROSA)) == (400, "invalid_credentials")


async def test_the_two_links_are_enough_to_change_the_address(visitor: Visitor, mailbox: Mailbox) -> None:
    session = await sign_up_confirmed(visitor, mailbox)
    await visitor.change(session, email=NEW_ADDRESS)

    first_confirmation = redirect_fragment(await visitor.follow_email_link((await mailbox.newest(NEW_ADDRESS)).path))
    second_confirmation = redirect_fragment(await visitor.follow_email_link((await mailbox.newest(ROSA)).path))

    assert first_confirmation["message"].startswith("Confirmation link accepted")
    assert second_confirmation["type"] == "email_change"


async def test_an_expired_link_does_not_confirm(
    visitor_without_email_delay: Visitor, mailbox: Mailbox, database: Database, advance_clock: AdvanceClock
) -> None:
    visitor = visitor_without_email_delay
    session = await sign_up_confirmed(visitor, mailbox)
    await visitor.change(session, email=NEW_ADDRESS)
    old_address_email = await mailbox.newest(ROSA)
    # The token for the old address has expired, and the worker has deleted it.
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("delete from auth.one_time_tokens where purpose = 'email_change_current'")

    advance_clock(timedelta(minutes=30))
    first_confirmation = json_of(
        await visitor.verify("email_change", token_hash=(await mailbox.newest(NEW_ADDRESS)).token_hash)
    )

    assert first_confirmation["code"] == "200"
    expired_response = await visitor.verify("email_change", token_hash=old_address_email.token_hash)
    assert error_of(expired_response) == (403, "otp_expired")
    await visitor.post("/resend", type="email_change", email=ROSA)
    resent_email = await mailbox.newest(ROSA)
    assert len(await mailbox.emails(NEW_ADDRESS)) == 1, "the new address has already confirmed"
    final_session = json_of(await visitor.verify("email_change", token_hash=resent_email.token_hash))
    assert final_session["user"]["email"] == NEW_ADDRESS


async def test_an_unconfirmed_old_address_does_not_have_to_confirm_the_change(
    visitor: Visitor, mailbox: Mailbox
) -> None:
    session = json_of(await visitor.sign_up("rsoa@rio-rafting.example"))
    await visitor.change(session, email=ROSA)

    final_session = json_of(await visitor.verify("email_change", token_hash=(await mailbox.newest(ROSA)).token_hash))

    assert final_session["user"]["email"] == ROSA
    assert len(await mailbox.emails("rsoa@rio-rafting.example")) == 1


async def test_the_address_of_another_user_is_refused(visitor: Visitor, mailbox: Mailbox) -> None:
    session = await sign_up_confirmed(visitor, mailbox)
    await visitor.sign_up("mallory@rapid-rivals.example")
    assert error_of(await visitor.change(session, email="mallory@rapid-rivals.example")) == (422, "email_exists")

    await visitor.change(session, email=NEW_ADDRESS)
    await visitor.verify("email_change", token_hash=(await mailbox.newest(ROSA)).token_hash)
    message = await mailbox.newest(NEW_ADDRESS)
    await visitor.sign_up(NEW_ADDRESS)

    assert error_of(await visitor.verify("email_change", token_hash=message.token_hash)) == (422, "email_exists")
    assert (await visitor.user(session)).json()["email"] == ROSA


async def test_confirmation_by_the_new_address_alone_can_be_configured(
    visitor_with: VisitorWith, mailbox: Mailbox
) -> None:
    async with visitor_with(mailer_secure_email_change_enabled=False) as visitor:
        session = await sign_up_confirmed(visitor, mailbox)
        await visitor.change(session, email=NEW_ADDRESS)
        final_session = json_of(
            await visitor.verify("email_change", token_hash=(await mailbox.newest(NEW_ADDRESS)).token_hash)
        )

    assert final_session["user"]["email"] == NEW_ADDRESS
