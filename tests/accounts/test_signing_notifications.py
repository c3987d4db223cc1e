"""Who is told of a newly signed waiver besides the notifier, as they chose."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email.message import EmailMessage
from typing import Any

import asyncpg
import pytest

from cairn.db import Connection, Database
from cairn.jobs import OutboxNotifier
from cairn.messaging import MessagingSettings
from tests.accounts.conftest import House
from tests.cast import Person
from tests.mail_server import MailServer, html, plain, running_mail_server
from tests.make import make_session, sign
from tests.messaging.push_service import Browser, PushService, open_push_service
from tests.running_worker import worker_running

BEA = "bea@rio-rafting.example"


@asynccontextmanager
async def at_work(database: Database, login_url: str) -> AsyncIterator[tuple[MailServer, PushService]]:
    async with (
        running_mail_server() as office,
        open_push_service() as service,
        OutboxNotifier(login_url) as notifier,
        worker_running(
            database, login_url, notifier, mail=MessagingSettings(smtp=office.settings), push=service.settings
        ),
    ):
        yield office, service


def news(office: MailServer) -> list[EmailMessage]:
    return [letter for letter in office.letters if letter["Subject"].startswith("New Waiver Signed")]


async def until(found: Any) -> None:
    async with asyncio.timeout(15):
        while not found():  # noqa: ASYNC110 - the servers append from their own callbacks
            await asyncio.sleep(0.02)


async def company_session(house: House, admin: Connection, rosa: Person, email: str = BEA) -> dict[str, Any]:
    """Someone of Rosa's company who has confirmed the address."""
    await house.sign_up(email, "company")
    session = await house.open_the_mail(email)
    await admin.execute("update profiles set company_id = $1 where email = $2", rosa.company, email)
    return session


async def subscribe(house: House, session: dict[str, Any], browser: Browser) -> None:
    said = browser.subscription
    await house.ask(
        session,
        "insert into push_subscriptions (endpoint, p256dh, auth) values ($1, $2, $3)",
        said.endpoint, said.p256dh, said.auth,
    )  # fmt: skip


@pytest.mark.accept("PROF-05")
async def test_those_who_chose_it_are_told_by_mail_and_by_push(
    house: House, database: Database, login_url: str, rosa: Person, admin: Connection
) -> None:
    bea = await company_session(house, admin, rosa)
    await house.ask(bea, "update profiles set email_on_signing = true where id = auth.uid()")
    async with at_work(database, login_url) as (office, service):
        laptop = service.browser("laptop")
        await subscribe(house, bea, laptop)

        waiver = await sign(database, await make_session(database, rosa))
        await until(lambda: service.pushed and news(office))

    [letter] = news(office)
    link = f"/dashboard/waiver-management?waiver={waiver['session_id']}"
    assert letter["To"] == BEA
    assert letter["Subject"] == "New Waiver Signed: Gil Okafor, General Liability Waiver"
    assert "Gil Okafor has signed a waiver: General Liability Waiver" in plain(letter)
    assert f"https://waivers.example{link}" in plain(letter)
    assert "/dashboard/profile?section=notifications" in html(letter)
    [pushed] = service.pushed
    assert laptop.read(pushed.body) == {
        "title": "New Waiver Signed",
        "message": "Gil Okafor has signed a waiver: General Liability Waiver",
        "link": link,
        "about": str(waiver["id"]),
    }


async def test_nobody_else_is_told(
    house: House, database: Database, login_url: str, rosa: Person, admin: Connection
) -> None:
    """Not those who did not choose it, nor an address nobody has proven, nor a rival, nor who has signed out."""
    unproven = await house.sign_up("bea.unproven@rio-rafting.example", "company")
    await house.ask(unproven, "update profiles set email_on_signing = true where id = auth.uid()")
    await admin.execute("update profiles set company_id = $1", rosa.company)
    rival = await house.sign_up("mallory@rapid-rivals.example", "company")
    gone = await company_session(house, admin, rosa)
    async with at_work(database, login_url) as (office, service):
        await subscribe(house, rival, service.browser("rival"))
        await subscribe(house, gone, service.browser("gone"))
        await house.visitor.log_out(gone, "local")

        await sign(database, await make_session(database, rosa))
        await until(lambda: any(letter["To"] == "gil@example.com" for letter in office.letters))

    assert news(office) == []
    assert service.pushed == []


async def test_a_browser_that_let_go_is_crossed_out(
    house: House, database: Database, login_url: str, rosa: Person, admin: Connection
) -> None:
    bea = await company_session(house, admin, rosa)
    async with at_work(database, login_url) as (_, service):
        service.answers["old"] = 410
        for name in ("old", "new"):
            await subscribe(house, bea, service.browser(name))

        await sign(database, await make_session(database, rosa))
        await until(lambda: len(service.pushed) == 2)
        async with asyncio.timeout(10):
            while len(await house.ask(bea, "select id from push_subscriptions")) > 1:  # noqa: ASYNC110 - a row goes
                await asyncio.sleep(0.02)

    [left] = await house.ask(bea, "select endpoint from push_subscriptions")
    assert left["endpoint"].endswith("/new")


async def test_a_browser_is_told_for_its_own_person_alone(house: House) -> None:
    bea, mallory = [await house.sign_up(email, "company") for email in (BEA, "mallory@rapid-rivals.example")]
    browser = Browser("https://fcm.googleapis.com/send/1")
    await subscribe(house, bea, browser)

    assert await house.ask(mallory, "select id from push_subscriptions") == []
    assert await house.ask(mallory, "delete from push_subscriptions returning id") == []
    for secret in ("p256dh", "auth"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await house.ask(bea, f"select {secret} from push_subscriptions")
    for forged in ("user_id", "session_id"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await house.ask(mallory, f"insert into push_subscriptions ({forged}) values (gen_random_uuid())")


async def test_ten_browsers_are_enough(house: House) -> None:
    bea = await house.sign_up(BEA, "company")
    for number in range(12):
        await subscribe(house, bea, Browser(f"https://fcm.googleapis.com/send/{number}"))

    kept = {row["endpoint"][-2:] for row in await house.ask(bea, "select endpoint from push_subscriptions")}
    assert len(kept) == 10
    assert {"10", "11"} <= kept
