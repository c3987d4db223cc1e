"""7A1, 7A2, 7A3: a stolen session neither reveals the password nor opens a new session. Codes cannot be guessed.

16L4: a session without the second factor cannot remove a way to sign in. 16A9: strangers cannot use up the tries of the
owner.

7A1, 7A2, 7A3, 16L4 and 16A9 are findings in docs/security.md.
"""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import httpx
import pytest
import pytest_asyncio

from cairn.auth import AuthSettings, Keyring
from cairn.db import SERVICE, Database
from tests.abuse.test_codes import PHONE, wrong_code
from tests.abuse.test_stolen_sessions import OTHER_PASSWORD, Session, old_session
from tests.auth.conftest import AdvanceClock, VisitorWith, open_visitor
from tests.auth.mailbox import Mailbox
from tests.auth.mfa_client import enrol_app
from tests.auth.oauth_flow import HOME
from tests.auth.test_identities import identity_id, unlink
from tests.auth.test_reauthenticate import NEW_PASSWORD, ROSA, sign_up_confirmed
from tests.auth.visitor import PASSWORD, Visitor, bearer, error_of, json_of
from tests.external.openid import OpenIdProvider

THIEF_AT_GOOGLE = "mallory@google.example"
TAKEN_ADDRESS = "bea@rio-rafting.example"
NEEDS_REAUTHENTICATION = (400, "reauthentication_needed")
NONCE_WRONG = (422, "reauthentication_not_valid")
SAME_PASSWORD = (422, "same_password")


async def request_code(visitor: Visitor, mailbox: Mailbox, session: Session) -> str:
    assert json_of(await visitor.client.get("/reauthenticate", headers=bearer(session))) == {}
    return (await mailbox.newest(ROSA)).code


async def prolong_the_wait(database: Database) -> None:
    """Adds an hour to the wait after a wrong password. The first wait could be over before a slow machine goes on."""
    async with database.acting_as(SERVICE) as conn:
        await conn.execute("update auth.password_tries set retry_at = retry_at + interval '1 hour'")


async def make_sessions_old(database: Database) -> None:
    """Changes the time of each sign-in. If the clock were set ahead instead, the ID tokens of Google would expire."""
    async with database.acting_as(SERVICE) as conn:
        await conn.execute('update auth.sessions set amr = \'[{"method": "password", "timestamp": 1000}]\'')


async def test_7a1_a_made_up_code_does_not_let_an_old_session_guess_the_password(
    visitor: Visitor, mailbox: Mailbox, advance_clock: AdvanceClock
) -> None:
    stolen = await old_session(visitor, mailbox, advance_clock)

    for guess in (PASSWORD, NEW_PASSWORD):
        assert error_of(await visitor.change(stolen, password=guess, nonce="0")) == NONCE_WRONG


async def test_7a1_guesses_of_a_new_session_are_slowed_down_like_those_of_the_sign_in(
    visitor_with: VisitorWith, mailbox: Mailbox, database: Database
) -> None:
    """The thief also requests an address that is taken, so that a wrong guess does not replace the password."""
    async with visitor_with(rate_limit_wrong_passwords=3) as visitor:
        await visitor.sign_up(TAKEN_ADDRESS)
        stolen = await sign_up_confirmed(visitor, mailbox)
        for number in range(2):
            response = await visitor.change(stolen, password=f"{number} guesses before noon", email=TAKEN_ADDRESS)
            assert error_of(response) == (422, "email_exists")
        assert error_of(await visitor.change(stolen, password=PASSWORD, email=TAKEN_ADDRESS)) == SAME_PASSWORD

        await prolong_the_wait(database)
        for guess in (PASSWORD, NEW_PASSWORD):
            assert error_of(await visitor.change(stolen, password=guess, email=TAKEN_ADDRESS)) == (422, "email_exists")
        assert (await visitor.sign_in(ROSA, NEW_PASSWORD)).status_code == 429


async def test_7a1_a_new_password_resets_the_count_of_wrong_tries(visitor_with: VisitorWith, mailbox: Mailbox) -> None:
    async with visitor_with(rate_limit_wrong_passwords=3) as visitor:
        session = await sign_up_confirmed(visitor, mailbox)
        for number in range(4):
            json_of(await visitor.change(session, password=f"{number} rapids before noon"))

        assert error_of(await visitor.change(session, password="3 rapids before noon")) == SAME_PASSWORD
        assert json_of(await visitor.sign_in(ROSA, "3 rapids before noon"))


async def test_7a1_an_owner_with_the_code_or_the_current_password_learns_that_the_new_password_is_the_old_one(
    visitor_with: VisitorWith, mailbox: Mailbox, advance_clock: AdvanceClock
) -> None:
    async with visitor_with(rate_limit_wrong_passwords=1) as visitor:
        session = await old_session(visitor, mailbox, advance_clock)
        code = await request_code(visitor, mailbox, session)
        for _ in range(3):
            assert error_of(await visitor.change(session, password=PASSWORD, nonce=code)) == SAME_PASSWORD
        assert error_of(await visitor.change(session, password=PASSWORD, current_password=PASSWORD)) == SAME_PASSWORD

        json_of(await visitor.change(session, password=NEW_PASSWORD, nonce=code))


async def test_7a1_a_code_that_is_used_twice_at_the_same_moment_changes_the_password_once(
    visitor: Visitor, mailbox: Mailbox
) -> None:
    session = await sign_up_confirmed(visitor, mailbox)
    code = await request_code(visitor, mailbox, session)

    changes = [visitor.change(session, password=password, nonce=code) for password in (NEW_PASSWORD, OTHER_PASSWORD)]
    responses = await asyncio.gather(*changes)

    assert sorted(response.status_code for response in responses) == [200, 422]


async def test_7a2_the_thief_of_an_old_session_cannot_add_a_phone_number(
    visitor_with: VisitorWith, mailbox: Mailbox, advance_clock: AdvanceClock
) -> None:
    """The code for a new number would open a new session. The setting that is off here applies only to passwords."""
    changes = {"external_phone_enabled": True, "update_password_require_reauthentication": False}
    async with visitor_with(**changes, sms_max_frequency=timedelta(milliseconds=1)) as visitor:
        stolen = await old_session(visitor, mailbox, advance_clock)

        assert error_of(await visitor.change(stolen, phone=PHONE)) == NEEDS_REAUTHENTICATION
        assert error_of(await visitor.change(stolen, phone=PHONE, nonce="0")) == NONCE_WRONG
        guess = await visitor.change(stolen, phone=PHONE, current_password="not hers")
        assert error_of(guess) == (400, "invalid_credentials")
        assert await mailbox.text_messages() == []


async def test_7a2_the_owner_of_an_old_session_adds_a_phone_number_with_the_password_or_an_emailed_code(
    phone_visitor: Visitor, mailbox: Mailbox, advance_clock: AdvanceClock
) -> None:
    session = await old_session(phone_visitor, mailbox, advance_clock)
    code = await request_code(phone_visitor, mailbox, session)

    by_code = json_of(await phone_visitor.change(session, phone=PHONE, nonce=code))
    assert by_code["new_phone"] == PHONE
    assert error_of(await phone_visitor.change(session, phone="41790000000", nonce=code)) == NONCE_WRONG
    by_password = json_of(await phone_visitor.change(session, phone="41790000000", current_password=PASSWORD))
    assert by_password["new_phone"] == "41790000000"


@pytest_asyncio.fixture
async def linking_visitor(database: Database, google_settings: AuthSettings) -> AsyncIterator[Visitor]:
    """Returns a visitor of a server that allows anonymous users and lets users link identities."""
    settings = google_settings.model_copy(update={"manual_linking": True, "external_anonymous_users_enabled": True})
    async with open_visitor(database, Keyring(settings), settings) as visitor:
        yield visitor


async def start_linking(visitor: Visitor, session: Session) -> httpx.Response:
    params = {"provider": "google", "redirect_to": HOME, "skip_http_redirect": "true", "login_hint": THIEF_AT_GOOGLE}
    return await visitor.client.get("/user/identities/authorize", params=params, headers=bearer(session))


async def link_by_id_token(visitor: Visitor, session: Session, google: OpenIdProvider) -> httpx.Response:
    body = {"provider": "google", "id_token": google.id_token(THIEF_AT_GOOGLE), "link_identity": True}
    return await visitor.client.post("/token?grant_type=id_token", json=body, headers=bearer(session))


async def test_7a2_the_thief_of_an_old_session_cannot_link_an_identity(
    linking_visitor: Visitor, mailbox: Mailbox, database: Database, google: OpenIdProvider
) -> None:
    stolen = await sign_up_confirmed(linking_visitor, mailbox)
    await make_sessions_old(database)

    for response in (
        await start_linking(linking_visitor, stolen),
        await link_by_id_token(linking_visitor, stolen, google),
    ):
        assert error_of(response) == (403, "reauthentication_needed")
    assert json_of(await linking_visitor.user(stolen))["app_metadata"]["providers"] == ["email"]

    signed_in_again = json_of(await linking_visitor.sign_in(ROSA))
    assert json_of(await link_by_id_token(linking_visitor, signed_in_again, google))


async def test_7a2_an_identity_is_linked_only_with_the_second_factor(
    linking_visitor: Visitor, mailbox: Mailbox, google: OpenIdProvider
) -> None:
    with_factor, _ = await enrol_app(linking_visitor, await sign_up_confirmed(linking_visitor, mailbox))
    stolen = json_of(await linking_visitor.sign_in(ROSA))

    for response in (
        await start_linking(linking_visitor, stolen),
        await link_by_id_token(linking_visitor, stolen, google),
    ):
        assert error_of(response) == (403, "insufficient_aal")
    assert json_of(await start_linking(linking_visitor, with_factor.session))["url"]


async def test_16l4_an_identity_is_unlinked_only_with_the_second_factor(
    linking_visitor: Visitor, mailbox: Mailbox, google: OpenIdProvider
) -> None:
    with_factor, _ = await enrol_app(linking_visitor, await sign_up_confirmed(linking_visitor, mailbox))
    json_of(await link_by_id_token(linking_visitor, with_factor.session, google))
    stolen = json_of(await linking_visitor.sign_in(ROSA))
    linked = identity_id(json_of(await linking_visitor.user(stolen)), "google")

    assert error_of(await unlink(linking_visitor, stolen, linked)) == (403, "insufficient_aal")
    assert json_of(await unlink(linking_visitor, with_factor.session, linked)) == {}


async def test_7a2_an_anonymous_user_links_an_identity_at_any_time(
    linking_visitor: Visitor, database: Database
) -> None:
    """An anonymous user has no way to sign in again, so no recent sign-in is required."""
    session = json_of(await linking_visitor.post("/signup", data={}))
    await make_sessions_old(database)

    assert json_of(await start_linking(linking_visitor, session))["url"]


@pytest.mark.parametrize("change", [{"password": NEW_PASSWORD}, {"phone": PHONE}], ids=["password", "phone"])
async def test_7a3_emailed_codes_for_a_change_can_be_guessed_only_a_few_times_a_day(
    visitor_with: VisitorWith, mailbox: Mailbox, change: dict[str, str]
) -> None:
    without_delay = {"smtp_max_frequency": timedelta(milliseconds=1), "sms_max_frequency": timedelta(milliseconds=1)}
    async with visitor_with(**without_delay, rate_limit_guesses=7, external_phone_enabled=True) as visitor:
        session = await sign_up_confirmed(visitor, mailbox)
        responses = []
        for _ in range(2):
            code = await request_code(visitor, mailbox, session)
            responses += [
                await visitor.change(session, **change, nonce=wrong_code(code, number)) for number in range(1, 5)
            ]
        with_right_code = await visitor.change(session, **change, nonce=code)

    assert [response.status_code for response in responses] == [422] * 7 + [429]
    assert with_right_code.status_code == 429


async def test_7a3_a_correct_code_does_not_count_as_a_guess(visitor_with: VisitorWith, mailbox: Mailbox) -> None:
    async with visitor_with(rate_limit_guesses=1, smtp_max_frequency=timedelta(milliseconds=1)) as visitor:
        session = await sign_up_confirmed(visitor, mailbox)
        for password in (NEW_PASSWORD, OTHER_PASSWORD):
            code = await request_code(visitor, mailbox, session)
            json_of(await visitor.change(session, password=password, nonce=code))


async def test_16a9_wrong_codes_of_strangers_do_not_keep_the_owner_from_confirming_a_change(
    visitor_with: VisitorWith, mailbox: Mailbox
) -> None:
    """Anyone can enter wrong sign-in codes for an address. Before this fix, they used up the owner's limit."""
    async with visitor_with(rate_limit_guesses=3, smtp_max_frequency=timedelta(milliseconds=1)) as visitor:
        session = await sign_up_confirmed(visitor, mailbox)
        guesses = [(await visitor.verify("email", email=ROSA, token="000000")).status_code for _ in range(4)]
        code = await request_code(visitor, mailbox, session)

        assert guesses == [403, 403, 403, 429]
        assert json_of(await visitor.change(session, password=NEW_PASSWORD, nonce=code))
