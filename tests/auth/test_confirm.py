"""After sign-up, users confirm their email address. The account already works before that."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from uuid import UUID

import asyncpg
import pytest

from cairn.auth import Keyring
from cairn.db import ANON, SERVICE, Database
from cairn.jobs import OutboxNotifier
from cairn.messaging import MessagingSettings
from tests.auth.conftest import VisitorWith
from tests.auth.mailbox import Mailbox, Message
from tests.auth.visitor import PASSWORD, Visitor, error_of, json_of, redirect_fragment
from tests.mail_server import MailServer, html_body, plain_body, running_mail_server
from tests.running_worker import worker_running

ROSA = "rosa@rio-rafting.example"


@asynccontextmanager
async def mail_server_and_worker(database: Database, login_url: str) -> AsyncIterator[MailServer]:
    async with (
        running_mail_server() as mail_server,
        OutboxNotifier(login_url) as notifier,
        worker_running(database, login_url, notifier, mail=MessagingSettings(smtp=mail_server.settings)),
    ):
        yield mail_server


@pytest.mark.accept("AUTH-08", "MAIL-14")
async def test_the_account_works_immediately_and_is_confirmed_by_the_emailed_link(
    visitor: Visitor, database: Database, login_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "cairn")
    async with mail_server_and_worker(database, login_url) as mail_server:
        session = json_of(await visitor.sign_up(ROSA))
        assert (await visitor.user(session)).status_code == 200
        received = await mail_server.first_email()

    assert received["To"] == ROSA
    message = Message(ROSA, received["Subject"], plain_body(received))
    assert message.code in html_body(received)
    assert "email_confirmed_at" not in (await visitor.user(session)).json()

    assert redirect_fragment(await visitor.follow_email_link(message.path))["type"] == "signup"

    user = (await visitor.user(session)).json()
    assert user["email_confirmed_at"] == user["confirmed_at"]
    assert user["identities"][0]["identity_data"]["email_verified"] is True
    assert "is delivered" in caplog.text
    assert ROSA not in caplog.text
    assert not any(line in caplog.text for line in plain_body(received).splitlines() if line.strip())
    assert message.code not in caplog.text
    assert message.token_hash not in caplog.text


async def test_the_body_of_a_delivered_email_is_deleted(visitor: Visitor, database: Database, login_url: str) -> None:
    async with mail_server_and_worker(database, login_url) as mail_server:
        await visitor.sign_up(ROSA)
        await mail_server.first_email()
        body = await _body_of_delivered_email(database)

    assert body == ""


async def _body_of_delivered_email(database: Database) -> str:
    for _ in range(100):
        async with database.acting_as(SERVICE) as connection:
            row = await connection.fetchrow("select status, body from emails")
        assert row is not None
        if row["status"] == "delivered":
            return str(row["body"])
        await asyncio.sleep(0.05)
    raise AssertionError("the email was never delivered")


async def test_neither_a_company_nor_an_anonymous_client_can_read_emails(
    visitor: Visitor, mailbox: Mailbox, database: Database, keyring: Keyring
) -> None:
    rosa = json_of(await visitor.sign_up(ROSA))
    assert len(await mailbox.emails(ROSA)) == 1

    async with database.acting_as(keyring.principal(rosa["access_token"])) as connection:
        assert await connection.fetch("select body from emails") == []
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.acting_as(ANON) as connection:
            await connection.fetch("select body from emails")


async def test_the_code_in_the_email_confirms_the_address(visitor: Visitor, mailbox: Mailbox) -> None:
    await visitor.sign_up(ROSA)
    message = await mailbox.newest(ROSA)

    session = json_of(await visitor.verify("signup", email=ROSA, token=message.code))

    assert session["user"]["email_confirmed_at"]
    assert error_of(await visitor.verify("signup", email=ROSA, token=message.code)) == (403, "otp_expired")


@pytest.mark.accept("AUTH-19")
async def test_the_confirmation_email_can_be_resent(visitor_without_email_delay: Visitor, mailbox: Mailbox) -> None:
    visitor = visitor_without_email_delay
    await visitor.sign_up(ROSA)
    first = await mailbox.newest(ROSA)

    assert json_of(await visitor.post("/resend", type="signup", email=ROSA)) == {}
    second = await mailbox.newest(ROSA)

    assert second.code != first.code or second.link != first.link
    assert error_of(await visitor.verify("signup", token_hash=first.token_hash)) == (403, "otp_expired")
    assert json_of(await visitor.verify("signup", token_hash=second.token_hash))
    assert json_of(await visitor.post("/resend", type="signup", email=ROSA)) == {}
    assert len(await mailbox.emails(ROSA)) == 2, "there is nothing left to confirm"


async def test_resending_without_a_pending_confirmation_gets_the_same_response(
    visitor: Visitor, mailbox: Mailbox
) -> None:
    assert json_of(await visitor.post("/resend", type="signup", email="unknown@example.com")) == {}
    assert await mailbox.emails() == []
    assert error_of(await visitor.post("/resend", type="recovery", email=ROSA)) == (400, "validation_failed")
    assert error_of(await visitor.post("/resend", type="signup")) == (400, "validation_failed")


async def test_new_accounts_can_be_confirmed_automatically(visitor_with: VisitorWith, mailbox: Mailbox) -> None:
    async with visitor_with(mailer_autoconfirm=True) as visitor:
        session = json_of(await visitor.sign_up(ROSA))
        public_settings = (await visitor.client.get("/settings")).json()

    assert session["user"]["email_confirmed_at"]
    assert await mailbox.emails() == []
    assert public_settings["mailer_autoconfirm"] is True


async def test_confirmation_can_be_required_before_the_first_sign_in(
    visitor_with: VisitorWith, mailbox: Mailbox
) -> None:
    async with visitor_with(
        allow_unverified_email_sign_ins=False, smtp_max_frequency=timedelta(milliseconds=1)
    ) as visitor:
        unconfirmed = json_of(await visitor.sign_up(ROSA, name="Rosa"))
        assert "access_token" not in unconfirmed
        assert unconfirmed["confirmation_sent_at"]
        assert error_of(await visitor.sign_in(ROSA)) == (400, "email_not_confirmed")

        second_sign_up = json_of(await visitor.sign_up(ROSA, "another password", name="Mallory"))
        assert second_sign_up["id"] == unconfirmed["id"]
        assert len(await mailbox.emails(ROSA)) == 2

        json_of(await visitor.verify("signup", token_hash=(await mailbox.newest(ROSA)).token_hash))
        assert json_of(await visitor.sign_in(ROSA, PASSWORD))

        decoy = json_of(await visitor.sign_up(ROSA, "another password", name="Mallory"))
        assert decoy["identities"] == []
        assert UUID(decoy["id"]) != UUID(unconfirmed["id"])
        assert decoy["user_metadata"] == {"name": "Mallory"}
        assert len(await mailbox.emails(ROSA)) == 2
