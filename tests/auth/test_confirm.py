"""Sign-up asks for proof of the address, and the account works meanwhile."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from uuid import UUID

import asyncpg
import pytest

from cairn.auth import AuthSettings, Keyring
from cairn.db import ANON, SERVICE, Database
from cairn.jobs import OutboxNotifier
from cairn.messaging import MessagingSettings
from tests.auth.conftest import visiting
from tests.auth.mailbox import Letter, Mailbox
from tests.auth.visitor import PASSWORD, Visitor, fragment, refusal, session_of
from tests.mail_server import MailServer, html, plain, running_mail_server
from tests.running_worker import worker_running

ROSA = "rosa@rio-rafting.example"


@asynccontextmanager
async def post_and_worker(database: Database, login_url: str) -> AsyncIterator[MailServer]:
    async with (
        running_mail_server() as post,
        OutboxNotifier(login_url) as notifier,
        worker_running(database, login_url, notifier, mail=MessagingSettings(smtp=post.settings)),
    ):
        yield post


@pytest.mark.accept("AUTH-08")
async def test_the_account_works_at_once_and_is_confirmed_by_the_mailed_link(
    visitor: Visitor, database: Database, login_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "cairn")
    async with post_and_worker(database, login_url) as post:
        session = session_of(await visitor.sign_up(ROSA))
        assert (await visitor.user(session)).status_code == 200
        received = await post.next_letter()

    assert received["To"] == ROSA
    letter = Letter(ROSA, received["Subject"], plain(received))
    assert letter.code in html(received)
    assert "email_confirmed_at" not in (await visitor.user(session)).json()

    assert fragment(await visitor.press(letter.path))["type"] == "signup"

    user = (await visitor.user(session)).json()
    assert user["email_confirmed_at"] == user["confirmed_at"]
    assert user["identities"][0]["identity_data"]["email_verified"] is True
    assert f"to {ROSA} is delivered" in caplog.text
    assert letter.code not in caplog.text
    assert letter.token_hash not in caplog.text


async def test_a_delivered_letter_is_forgotten(visitor: Visitor, database: Database, login_url: str) -> None:
    async with post_and_worker(database, login_url) as post:
        await visitor.sign_up(ROSA)
        await post.next_letter()
        words = await _words_of_delivered(database)

    assert words == ""


async def _words_of_delivered(database: Database) -> str:
    for _ in range(100):
        async with database.acting_as(SERVICE) as connection:
            row = await connection.fetchrow("select status, body from emails")
        assert row is not None
        if row["status"] == "delivered":
            return str(row["body"])
        await asyncio.sleep(0.05)
    raise AssertionError("the mail was never delivered")


async def test_no_company_and_no_stranger_reads_the_letters(
    visitor: Visitor, office: Mailbox, database: Database, keyring: Keyring
) -> None:
    rosa = session_of(await visitor.sign_up(ROSA))
    assert len(await office.letters(ROSA)) == 1

    async with database.acting_as(keyring.principal(rosa["access_token"])) as connection:
        assert await connection.fetch("select body from emails") == []
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.acting_as(ANON) as connection:
            await connection.fetch("select body from emails")


async def test_the_code_in_the_letter_confirms_as_well(visitor: Visitor, office: Mailbox) -> None:
    await visitor.sign_up(ROSA)
    letter = await office.newest(ROSA)

    session = session_of(await visitor.verify("signup", email=ROSA, token=letter.code))

    assert session["user"]["email_confirmed_at"]
    assert refusal(await visitor.verify("signup", email=ROSA, token=letter.code)) == (403, "otp_expired")


@pytest.mark.accept("AUTH-19")
async def test_the_mail_comes_again_when_asked_for(impatient: Visitor, office: Mailbox) -> None:
    await impatient.sign_up(ROSA)
    first = await office.newest(ROSA)

    assert session_of(await impatient.ask("/resend", type="signup", email=ROSA)) == {}
    second = await office.newest(ROSA)

    assert second.code != first.code or second.link != first.link
    assert refusal(await impatient.verify("signup", token_hash=first.token_hash)) == (403, "otp_expired")
    assert session_of(await impatient.verify("signup", token_hash=second.token_hash))
    assert session_of(await impatient.ask("/resend", type="signup", email=ROSA)) == {}
    assert len(await office.letters(ROSA)) == 2, "there is nothing left to confirm"


async def test_asking_again_for_nothing_is_answered_alike(visitor: Visitor, office: Mailbox) -> None:
    assert session_of(await visitor.ask("/resend", type="signup", email="nobody@example.com")) == {}
    assert await office.letters() == []
    assert refusal(await visitor.ask("/resend", type="recovery", email=ROSA)) == (400, "validation_failed")
    assert refusal(await visitor.ask("/resend", type="signup")) == (400, "validation_failed")


async def test_confirmed_at_once_where_the_house_says_so(
    database: Database, keyring: Keyring, settings: AuthSettings, office: Mailbox
) -> None:
    trusting = settings.model_copy(update={"mailer_autoconfirm": True})
    async with visiting(database, keyring, trusting) as visitor:
        session = session_of(await visitor.sign_up(ROSA))
        shown = (await visitor.client.get("/settings")).json()

    assert session["user"]["email_confirmed_at"]
    assert await office.letters() == []
    assert shown["mailer_autoconfirm"] is True


async def test_a_strict_house_lets_nobody_in_before_the_mail_is_opened(
    database: Database, keyring: Keyring, settings: AuthSettings, office: Mailbox
) -> None:
    strict = settings.model_copy(
        update={"allow_unverified_email_sign_ins": False, "smtp_max_frequency": timedelta(milliseconds=1)}
    )
    async with visiting(database, keyring, strict) as visitor:
        bare = session_of(await visitor.sign_up(ROSA, name="Rosa"))
        assert "access_token" not in bare
        assert bare["confirmation_sent_at"]
        assert refusal(await visitor.sign_in(ROSA)) == (400, "email_not_confirmed")

        again = session_of(await visitor.sign_up(ROSA, "another password", name="Mallory"))
        assert again["id"] == bare["id"]
        assert len(await office.letters(ROSA)) == 2

        session_of(await visitor.verify("signup", token_hash=(await office.newest(ROSA)).token_hash))
        assert session_of(await visitor.sign_in(ROSA, PASSWORD))

        hidden = session_of(await visitor.sign_up(ROSA, "another password", name="Mallory"))
        assert hidden["identities"] == []
        assert UUID(hidden["id"]) != UUID(bare["id"])
        assert hidden["user_metadata"] == {"name": "Mallory"}
        assert len(await office.letters(ROSA)) == 2
