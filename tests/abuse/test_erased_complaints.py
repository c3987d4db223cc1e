"""F7: if a person wants no more emails or reminders from a company, erasing a waiver does not change that.

F7, IL2 and 7R1 are findings in docs/security.md.
"""

import asyncio
from uuid import UUID

import asyncpg
import httpx
import pytest

from cairn.db import SERVICE, Connection, Database
from cairn.messaging.suppression.scope import scope_of
from cairn.messaging.suppression.store import suppress
from cairn.waivers import stop_page
from tests.abuse.mail_reports import allow_again, suppressed_addresses
from tests.db.schema_dump import dump_everything
from tests.factories import make_session, sign
from tests.functions.test_send_email import send
from tests.mail_server import MailServer
from tests.people import Person
from tests.waivers.acts import erase
from tests.waivers.test_reminders import press_remind_button

NIA = "nia@example.org"


async def report(database: Database, person: Person, reason: str) -> None:
    scope = scope_of(company_id=person.company, has_secret=False)
    async with database.acting_as(SERVICE) as connection:
        await suppress(connection, scope, NIA, "complaint" if reason == "complaint" else "bounce", f"{NIA} refused it")


async def sign_and_erase(database: Database, person: Person) -> None:
    """The company signs its own template with Nia's address, and erases that waiver."""
    waiver = await sign(database, await make_session(database, person, email=NIA), signer_email=NIA)
    await erase(database, person, waiver["id"])


@pytest.mark.usefixtures("worker")
async def test_f7_a_complaint_stays_after_an_erasure_but_its_address_does_not(
    client: httpx.AsyncClient, database: Database, admin_url: str, mail_server: MailServer, rosa: Person,
) -> None:  # fmt: skip
    await report(database, rosa, "complaint")
    for _ in range(2):
        await sign_and_erase(database, rosa)

    assert NIA not in await asyncio.to_thread(dump_everything, admin_url)
    assert await suppressed_addresses(database, rosa) == []
    response = await send(client, "rosa", to=NIA.title())
    assert response.json()["error"].startswith("Not sent, because the owner of this address")
    with pytest.raises(asyncpg.PostgresError, match="reported one of your emails as spam"):
        await allow_again(database, rosa, NIA)
    assert mail_server.emails == []
    assert (await send(client, "mallory", to=NIA)).status_code == 200, "the complaint was not about Mallory's email"


@pytest.mark.usefixtures("worker")
async def test_f7_the_address_of_a_second_complaint_is_erased_like_the_first(
    database: Database, admin: Connection, rosa: Person
) -> None:
    for _ in range(2):
        await report(database, rosa, "complaint")
        await sign_and_erase(database, rosa)

    assert await admin.fetchval("select count(*) from messaging.suppressions") == 1


@pytest.mark.usefixtures("worker")
async def test_f7_a_bounce_is_forgotten_with_the_address(
    client: httpx.AsyncClient, database: Database, admin: Connection, rosa: Person
) -> None:
    await report(database, rosa, "bounce")

    await sign_and_erase(database, rosa)

    assert await admin.fetchval("select count(*) from messaging.suppressions") == 0
    assert (await send(client, "rosa", to=NIA)).status_code == 200


async def reminder_path(admin: Connection, session_id: UUID) -> str:
    return f"/{await admin.fetchval('select id from waivers.reminders where session_id = $1', session_id)}"


async def test_f7_a_person_who_stopped_reminders_gets_none_after_an_erasure_until_they_want_them_again(
    database: Database, admin: Connection, rosa: Person
) -> None:
    erased_session_id, session_id = [await make_session(database, rosa, email=NIA) for _ in range(2)]
    assert await press_remind_button(database, rosa) == 2
    erased_path, path = [await reminder_path(admin, session) for session in (erased_session_id, session_id)]
    async with stop_page_client(database) as client:
        await client.post(path, data={"List-Unsubscribe": "One-Click"})
        waiver = await sign(database, erased_session_id, signer_email=NIA)
        await erase(database, rosa, waiver["id"])

        refusals = [row["email"] for row in await admin.fetch("select email from waivers.reminder_refusals")]
        assert [refusal.partition(":")[0] for refusal in refusals] == ["sha256"]
        assert "No more reminders" in (await client.get(path)).text
        await make_session(database, rosa, email=NIA)
        assert await press_remind_button(database, rosa) == 0
        response = await client.post(erased_path, data={"List-Unsubscribe": "One-Click"})
        assert "has erased this waiver and your address" in response.text

        await client.post(path, data={"again": "yes"})
    assert await press_remind_button(database, rosa) == 1


async def test_il2_the_id_of_an_old_reminder_does_not_turn_reminders_on_again(
    database: Database, admin: Connection, rosa: Person
) -> None:
    """The company knows the ids of its reminders, so it could open the guest's page and undo the guest's decision."""
    path = await path_of_new_reminder(database, admin, rosa)
    async with stop_page_client(database) as client:
        assert "Get reminders again" in (await client.post(path, data={"stop": "yes"})).text
        await admin.execute("update waivers.reminder_refusals set since = now() - interval '2 hours'")

        response = await client.post(path, data={"again": "yes"})
        assert ("No more reminders" in response.text, "Get reminders again" in response.text) == (True, False)
    assert await admin.fetchval("select count(*) from waivers.reminder_refusals") == 1


async def test_7r1_a_second_opt_out_does_not_turn_reminders_on_again_after_an_erasure(
    database: Database, admin: Connection, rosa: Person
) -> None:
    """After the erasure, the first opt-out has only a hash. It must still apply if the company opts out and in."""
    path = await path_of_new_reminder(database, admin, rosa)
    async with stop_page_client(database) as client:
        await client.post(path, data={"stop": "yes"})
        await admin.execute("update waivers.reminder_refusals set since = now() - interval '2 hours'")
        await sign_and_erase(database, rosa)

        await client.post(path, data={"stop": "yes"})
        response = await client.post(path, data={"again": "yes"})
        assert ("No more reminders" in response.text, "Get reminders again" in response.text) == (True, False)
    assert await admin.fetchval("select count(*) from waivers.reminder_refusals") == 2


def stop_page_client(database: Database) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(stop_page(database)), base_url="http://cairn")


async def path_of_new_reminder(database: Database, admin: Connection, rosa: Person) -> str:
    session_id = await make_session(database, rosa, email=NIA)
    assert await press_remind_button(database, rosa) == 1
    return await reminder_path(admin, session_id)
