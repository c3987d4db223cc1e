"""6B3: the thief of an old session cannot choose a new password, and the owner gets an email about each new one.

6B3 is a finding in docs/security.md.
"""

from datetime import timedelta
from typing import Any

from tests.auth.conftest import AdvanceClock, VisitorWith
from tests.auth.mailbox import Mailbox, Message
from tests.auth.test_reauthenticate import NEW_PASSWORD, ROSA, sign_up_confirmed
from tests.auth.visitor import PASSWORD, Visitor, bearer, error_of, json_of

OTHER_PASSWORD = "eleven rapids before noon"
NOTICE = "Your password was changed"
Session = dict[str, Any]


async def old_session(visitor: Visitor, mailbox: Mailbox, advance_clock: AdvanceClock) -> Session:
    """Returns a session of Rosa, who signed in 25 hours ago. Its access token is fresh."""
    session: Session = await sign_up_confirmed(visitor, mailbox)
    advance_clock(timedelta(hours=25))
    return json_of(await visitor.refresh(session["refresh_token"]))


async def notices(mailbox: Mailbox) -> list[Message]:
    return [email for email in await mailbox.emails(ROSA) if email.subject == NOTICE]


async def test_6b3_the_thief_of_an_old_session_cannot_choose_a_new_password(
    visitor_with: VisitorWith, mailbox: Mailbox, advance_clock: AdvanceClock
) -> None:
    async with visitor_with(smtp_max_frequency=timedelta(milliseconds=1)) as visitor:
        stolen = await old_session(visitor, mailbox, advance_clock)

        assert error_of(await visitor.change(stolen, password=NEW_PASSWORD)) == (400, "reauthentication_needed")
        wrong = await visitor.change(stolen, password=NEW_PASSWORD, current_password="not hers")
        assert error_of(wrong) == (400, "invalid_credentials")
        assert json_of(await visitor.sign_in(ROSA, PASSWORD))
        assert await notices(mailbox) == []


async def test_6b3_the_owner_of_an_old_session_enters_the_current_password_or_an_emailed_code(
    visitor_with: VisitorWith, mailbox: Mailbox, advance_clock: AdvanceClock
) -> None:
    async with visitor_with(smtp_max_frequency=timedelta(milliseconds=1)) as visitor:
        session = await old_session(visitor, mailbox, advance_clock)
        json_of(await visitor.change(session, password=NEW_PASSWORD, current_password=PASSWORD))

        assert json_of(await visitor.client.get("/reauthenticate", headers=bearer(session))) == {}
        code = (await mailbox.newest(ROSA)).code
        json_of(await visitor.change(session, password=OTHER_PASSWORD, nonce=code))
        assert len(await notices(mailbox)) == 2


async def test_6b3_a_session_from_a_recovery_link_needs_nothing_else(
    visitor_with: VisitorWith, mailbox: Mailbox, advance_clock: AdvanceClock
) -> None:
    async with visitor_with(smtp_max_frequency=timedelta(milliseconds=1)) as visitor:
        await sign_up_confirmed(visitor, mailbox)
        advance_clock(timedelta(days=30))
        json_of(await visitor.post("/recover", email=ROSA))
        email = await mailbox.newest(ROSA)
        recovered = json_of(await visitor.verify("recovery", token_hash=email.token_hash))
        json_of(await visitor.change(recovered, password=NEW_PASSWORD))


async def test_6b3_guesses_of_the_current_password_are_slowed_down(
    visitor_with: VisitorWith, mailbox: Mailbox, advance_clock: AdvanceClock
) -> None:
    async with visitor_with(rate_limit_wrong_passwords=3) as visitor:
        stolen = await old_session(visitor, mailbox, advance_clock)
        for number in range(3):
            wrong = await visitor.change(stolen, password=NEW_PASSWORD, current_password=f"guess {number}")
            assert error_of(wrong) == (400, "invalid_credentials")
        too_early = await visitor.change(stolen, password=NEW_PASSWORD, current_password=PASSWORD)
        assert too_early.status_code == 429


async def test_6b3_the_owner_gets_an_email_about_each_new_password_but_no_flood(
    visitor_with: VisitorWith, mailbox: Mailbox
) -> None:
    async with visitor_with(smtp_max_frequency=timedelta(milliseconds=1)) as visitor:
        session = await sign_up_confirmed(visitor, mailbox)
        json_of(await visitor.change(session, password=NEW_PASSWORD))
        (notice,) = await notices(mailbox)
        assert "http" not in notice.body

        for number in range(6):
            json_of(await visitor.change(session, password=f"{number} rapids before noon"))
        assert len(await notices(mailbox)) == 5


async def test_6b3_no_email_goes_to_an_address_that_no_one_confirmed(visitor: Visitor, mailbox: Mailbox) -> None:
    session = json_of(await visitor.sign_up(ROSA))
    json_of(await visitor.change(session, password=NEW_PASSWORD))
    assert await notices(mailbox) == []
