"""Email and push notifications about a signed waiver, for the people who chose them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from email.message import EmailMessage
from typing import Any

import asyncpg
import pytest

from cairn.db import Connection, Database
from cairn.jobs import OutboxNotifier
from cairn.messaging import MessagingSettings
from tests.accounts.conftest import Accounts
from tests.factories import make_session, sign
from tests.mail_server import MailServer, html_body, plain_body, running_mail_server
from tests.messaging.push_service import Browser, PushService, open_push_service
from tests.people import Person
from tests.running_worker import worker_running
from tests.waiting import PATIENCE_SECONDS

BEA_EMAIL = "bea@rio-rafting.example"


@asynccontextmanager
async def worker_with_mail_and_push(
    database: Database, login_url: str
) -> AsyncIterator[tuple[MailServer, PushService]]:
    async with (
        running_mail_server() as mail_server,
        open_push_service() as service,
        OutboxNotifier(login_url) as notifier,
        worker_running(
            database, login_url, notifier, mail=MessagingSettings(smtp=mail_server.settings), push=service.settings
        ),
    ):
        yield mail_server, service


def signing_emails(mail_server: MailServer) -> list[EmailMessage]:
    return [email for email in mail_server.emails if email["Subject"].startswith("New Waiver Signed")]


async def wait_until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not condition():  # noqa: ASYNC110 - the servers append from their own callbacks
            await asyncio.sleep(0.02)


async def member_session(accounts: Accounts, admin: Connection, rosa: Person, email: str = BEA_EMAIL) -> dict[str, Any]:
    """Signs up a member of Rosa's company and confirms the email address."""
    await accounts.sign_up(email, "company")
    session = await accounts.open_emailed_link(email)
    await admin.execute("update profiles set company_id = $1 where email = $2", rosa.company, email)
    return session


async def subscribe(accounts: Accounts, session: dict[str, Any], browser: Browser) -> None:
    subscription = browser.subscription
    await accounts.fetch(
        session,
        "insert into push_subscriptions (endpoint, p256dh, auth) values ($1, $2, $3)",
        subscription.endpoint, subscription.p256dh, subscription.auth,
    )  # fmt: skip


@pytest.mark.accept("PROF-05", "APP-12")
async def test_people_who_chose_notifications_get_an_email_and_a_push(
    accounts: Accounts, database: Database, login_url: str, rosa: Person, admin: Connection
) -> None:
    bea = await member_session(accounts, admin, rosa)
    await accounts.fetch(bea, "update profiles set email_on_signing = true where id = auth.uid()")
    async with worker_with_mail_and_push(database, login_url) as (mail_server, service):
        laptop = service.browser("laptop")
        await subscribe(accounts, bea, laptop)

        waiver = await sign(database, await make_session(database, rosa))
        await wait_until(lambda: service.requests and signing_emails(mail_server))

    [email] = signing_emails(mail_server)
    link = f"/dashboard/waiver-management/{waiver['session_id']}"
    assert email["To"] == BEA_EMAIL
    assert email["Subject"] == "New Waiver Signed: Gil Okafor, General Liability Waiver"
    assert "Gil Okafor has signed a waiver: General Liability Waiver" in plain_body(email)
    assert f"https://waivers.example{link}" in plain_body(email)
    assert "/dashboard/profile?section=notifications" in html_body(email)
    [request] = service.requests
    assert laptop.decrypt(request.body) == {
        "title": "New Waiver Signed",
        "message": "Gil Okafor has signed a waiver: General Liability Waiver",
        "link": link,
        "about": str(waiver["id"]),
    }


async def test_other_people_are_not_notified(
    accounts: Accounts, database: Database, login_url: str, rosa: Person, admin: Connection
) -> None:
    """Others are people who chose no notifications or are not verified, a rival, and a browser that signed out."""
    unverified = await accounts.sign_up("bea.unverified@rio-rafting.example", "company")
    await accounts.fetch(unverified, "update profiles set email_on_signing = true where id = auth.uid()")
    await admin.execute("update profiles set company_id = $1", rosa.company)
    rival = await accounts.sign_up("mallory@rapid-rivals.example", "company")
    signed_out = await member_session(accounts, admin, rosa)
    async with worker_with_mail_and_push(database, login_url) as (mail_server, service):
        await subscribe(accounts, rival, service.browser("rival"))
        await subscribe(accounts, signed_out, service.browser("signed out"))
        await accounts.visitor.log_out(signed_out, "local")

        await sign(database, await make_session(database, rosa))
        await wait_until(lambda: any(email["To"] == "gil@example.com" for email in mail_server.emails))

    assert signing_emails(mail_server) == []
    assert service.requests == []


async def test_an_expired_subscription_is_deleted(
    accounts: Accounts, database: Database, login_url: str, rosa: Person, admin: Connection
) -> None:
    bea = await member_session(accounts, admin, rosa)
    async with worker_with_mail_and_push(database, login_url) as (_, service):
        service.statuses["old"] = 410
        for name in ("old", "new"):
            await subscribe(accounts, bea, service.browser(name))

        await sign(database, await make_session(database, rosa))
        await wait_until(lambda: len(service.requests) == 2)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while len(await accounts.fetch(bea, "select id from push_subscriptions")) > 1:  # noqa: ASYNC110 - the worker deletes the row
                await asyncio.sleep(0.02)

    [remaining] = await accounts.fetch(bea, "select endpoint from push_subscriptions")
    assert remaining["endpoint"].endswith("/new")


async def test_a_subscription_belongs_to_its_own_user(accounts: Accounts) -> None:
    bea, mallory = [await accounts.sign_up(email, "company") for email in (BEA_EMAIL, "mallory@rapid-rivals.example")]
    browser = Browser("https://fcm.googleapis.com/send/1")
    await subscribe(accounts, bea, browser)

    assert await accounts.fetch(mallory, "select id from push_subscriptions") == []
    assert await accounts.fetch(mallory, "delete from push_subscriptions returning id") == []
    # Without returned rows, only the policy for deleting protects the subscription.
    await accounts.fetch(mallory, "delete from push_subscriptions")
    assert len(await accounts.fetch(bea, "select id from push_subscriptions")) == 1
    for secret in ("p256dh", "auth"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await accounts.fetch(bea, f"select {secret} from push_subscriptions")
    for column in ("user_id", "session_id"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await accounts.fetch(mallory, f"insert into push_subscriptions ({column}) values (gen_random_uuid())")


async def test_only_the_ten_newest_subscriptions_are_kept(accounts: Accounts) -> None:
    bea = await accounts.sign_up(BEA_EMAIL, "company")
    for number in range(12):
        await subscribe(accounts, bea, Browser(f"https://fcm.googleapis.com/send/{number}"))

    last_digits = {row["endpoint"][-2:] for row in await accounts.fetch(bea, "select endpoint from push_subscriptions")}
    assert len(last_digits) == 10
    assert {"10", "11"} <= last_digits
