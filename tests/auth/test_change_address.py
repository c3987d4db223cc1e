"""A change of address is confirmed from both ends."""

from datetime import timedelta

import pytest

from cairn.auth import AuthSettings, Keyring
from cairn.db import SERVICE, Database
from tests.auth.conftest import visiting
from tests.auth.mailbox import Mailbox
from tests.auth.test_reauthenticate import confirmed
from tests.auth.test_refresh import Later
from tests.auth.visitor import Visitor, fragment, refusal, session_of

ROSA = "rosa@rio-rafting.example"
MOVED = "rosa@wild-water.example"


@pytest.mark.parametrize("first", ["old", "new"])
async def test_both_addresses_agree_in_either_order(
    visitor: Visitor, office: Mailbox, database: Database, first: str
) -> None:
    session = await confirmed(visitor, office)

    asked = session_of(await visitor.change(session, email=MOVED))
    assert (asked["email"], asked["new_email"]) == (ROSA, MOVED)
    letters = [await office.newest(ROSA), await office.newest(MOVED)]
    assert MOVED in letters[0].body
    one, other = letters if first == "old" else letters[::-1]

    half = session_of(await visitor.verify("email_change", token_hash=one.token_hash))
    assert half["code"] == "200"
    assert (await visitor.user(session)).json()["email"] == ROSA
    done = session_of(await visitor.verify("email_change", email=other.recipient, token=other.code))

    assert done["user"]["email"] == MOVED
    assert "new_email" not in done["user"]
    assert done["user"]["identities"][0]["identity_data"]["email"] == MOVED
    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select email from profiles") == MOVED
    assert session_of(await visitor.sign_in(MOVED))
    assert refusal(await visitor.sign_in(ROSA)) == (400, "invalid_credentials")


async def test_by_the_links_alone(visitor: Visitor, office: Mailbox) -> None:
    session = await confirmed(visitor, office)
    await visitor.change(session, email=MOVED)

    half = fragment(await visitor.press((await office.newest(MOVED)).path))
    whole = fragment(await visitor.press((await office.newest(ROSA)).path))

    assert half["message"].startswith("Confirmation link accepted")
    assert whole["type"] == "email_change"


async def test_an_expired_link_never_counts_as_agreement(
    impatient: Visitor, office: Mailbox, database: Database, later: Later
) -> None:
    session = await confirmed(impatient, office)
    await impatient.change(session, email=MOVED)
    old = await office.newest(ROSA)
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("delete from auth.one_time_tokens where purpose = 'email_change_current'")

    later(timedelta(hours=1))
    half = session_of(await impatient.verify("email_change", token_hash=(await office.newest(MOVED)).token_hash))

    assert half["code"] == "200"
    assert refusal(await impatient.verify("email_change", token_hash=old.token_hash)) == (403, "otp_expired")
    await impatient.ask("/resend", type="email_change", email=ROSA)
    again = await office.newest(ROSA)
    assert len(await office.letters(MOVED)) == 1, "the new address has agreed already"
    assert session_of(await impatient.verify("email_change", token_hash=again.token_hash))["user"]["email"] == MOVED


async def test_a_mistyped_first_address_has_no_say(visitor: Visitor, office: Mailbox) -> None:
    session = session_of(await visitor.sign_up("rsoa@rio-rafting.example"))
    await visitor.change(session, email=ROSA)

    done = session_of(await visitor.verify("email_change", token_hash=(await office.newest(ROSA)).token_hash))

    assert done["user"]["email"] == ROSA
    assert len(await office.letters("rsoa@rio-rafting.example")) == 1


async def test_a_taken_address_is_refused_early_and_late(visitor: Visitor, office: Mailbox) -> None:
    session = await confirmed(visitor, office)
    await visitor.sign_up("mallory@rapid-rivals.example")
    assert refusal(await visitor.change(session, email="mallory@rapid-rivals.example")) == (422, "email_exists")

    await visitor.change(session, email=MOVED)
    await visitor.verify("email_change", token_hash=(await office.newest(ROSA)).token_hash)
    letter = await office.newest(MOVED)
    await visitor.sign_up(MOVED)

    assert refusal(await visitor.verify("email_change", token_hash=letter.token_hash)) == (422, "email_exists")
    assert (await visitor.user(session)).json()["email"] == ROSA


async def test_one_mail_where_one_is_enough(
    database: Database, keyring: Keyring, settings: AuthSettings, office: Mailbox
) -> None:
    simple = settings.model_copy(update={"mailer_secure_email_change_enabled": False})
    async with visiting(database, keyring, simple) as visitor:
        session = await confirmed(visitor, office)
        await visitor.change(session, email=MOVED)
        done = session_of(await visitor.verify("email_change", token_hash=(await office.newest(MOVED)).token_hash))

    assert done["user"]["email"] == MOVED
