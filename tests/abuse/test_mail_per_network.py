"""C4, C5, C10, 16L7: with more companies, no one can send more emails from one network or to one mailbox.

C4, C5, C10 and 16L7 are findings in docs/security.md.
"""

from functools import partial

import httpx
import pytest

from cairn.db import Connection, Database
from cairn.jobs import OutboxNotifier
from cairn.messaging import MailLimits, MessagingSettings
from cairn.messaging.allowance.take import max_copies_of_network
from cairn.waivers import DocumentContext
from tests.abuse.conftest import RunWorker
from tests.abuse.test_copies import count_by_status, first_error, sign_for_strangers, wait_for_copies
from tests.abuse.test_mail import subscribe
from tests.factories import make_session, sign
from tests.functions.test_send_email import send
from tests.functions_service import functions_client, make_functions_context
from tests.mail_server import MailServer
from tests.people import Person, sign_up
from tests.waiting import wait_until_true
from tests.waivers.test_reminders import queue_at_noon

pytestmark = pytest.mark.usefixtures("return_before_the_email_is_sent")


async def make_companies(database: Database, count: int, *, is_confirmed: bool) -> list[Person]:
    sign_up_company = partial(sign_up, database, name="Sam", company="Sam's Trips", is_confirmed=is_confirmed)
    return [await sign_up_company(email=f"sam{number}@stranger.example") for number in range(count)]


async def open_sessions_for_strangers(
    database: Database, company: Person, count: int, *, ip: str = "203.0.113.7"
) -> None:
    """Opens a session for each stranger, without sending an email."""
    for number in range(count):
        await make_session(database, company, email=f"stranger{number}.{company.email}", ip=ip)


async def press_the_button_for_reminders(database: Database, company: Person) -> None:
    async with database.acting_as(company.principal, {"request.ip": "198.51.100.9"}) as connection:
        await connection.fetchval("select send_reminders()")


async def reminders_by_status(admin: Connection, count: int) -> dict[str, int]:
    """Waits for the outcomes of `count` reminders, and returns how many have each status."""
    await wait_until_true(admin, f"select count(*) = {count} from emails where status in ('delivered', 'cancelled')")
    rows = await admin.fetch("select status, count(*) from emails where kind = 'reminder' group by status")
    return {row["status"]: row["count"] for row in rows}


@pytest.mark.parametrize("is_scheduled", [False, True], ids=["button", "schedule"])
async def test_c4_reminders_of_all_unconfirmed_companies_count_for_the_network_that_opened_the_sessions(
    database: Database, admin: Connection, run_worker: RunWorker, mail_server: MailServer, is_scheduled: bool
) -> None:
    """Before this limit, 14 accounts at one IP address sent reminders to 70 strangers who had got no waiver."""
    for company in await make_companies(database, 3, is_confirmed=False):
        await open_sessions_for_strangers(database, company, 2)
        if is_scheduled:
            await admin.execute("update waivers.sessions set created_at = now() - interval '20 days'")
            await queue_at_noon(database, company)
        else:
            await press_the_button_for_reminders(database, company)
    async with run_worker(emails=MailLimits(unconfirmed_per_network=4)):
        assert await reminders_by_status(admin, 6) == {"delivered": 4, "cancelled": 2}

    assert len(mail_server.emails) == 4
    assert (await first_error(admin)).startswith("Too many emails were sent from your network today.")


async def test_c4_reminders_of_confirmed_companies_without_a_plan_count_for_the_network(
    database: Database, admin: Connection, run_worker: RunWorker
) -> None:
    for company in await make_companies(database, 2, is_confirmed=True):
        await open_sessions_for_strangers(database, company, 2)
        await press_the_button_for_reminders(database, company)
    async with run_worker(emails=MailLimits(per_network_without_plan=3)):
        assert await reminders_by_status(admin, 4) == {"delivered": 3, "cancelled": 1}


async def test_c10_all_companies_without_a_plan_in_one_network_share_a_limit(
    database: Database, admin: Connection, notifier: OutboxNotifier, documents: DocumentContext,
    mail_server: MailServer,
) -> None:  # fmt: skip
    """Before this limit, 34 companies in their trial could each send 300 emails a day from one IP address."""
    companies = await make_companies(database, 4, is_confirmed=True)
    paying, *others = companies
    await subscribe(admin, paying)
    settings = MessagingSettings(smtp=mail_server.settings, emails=MailLimits(per_network_without_plan=4))
    context = make_functions_context(database, notifier, documents, messaging=settings)
    async with functions_client(context, {person.email: person.principal for person in companies}) as client:
        without_plan = [await send(client, person.email, to=f"g{n}@example.com") for n in range(2) for person in others]
        with_plan = [await send(client, paying.email, to=f"g{n}@example.com") for n in range(6)]

    codes = [response.json().get("code") for response in without_plan]
    assert codes == [None] * 4 + ["network_limit_reached"] * 2
    assert {response.status_code for response in with_plan} == {202}, "a company with a plan has a limit of its own"
    text = without_plan[-1].json()["error"]
    assert text.startswith("Too many emails were sent from your network today.")
    assert "choose a plan" in text


def test_c10_a_company_in_its_trial_never_reaches_the_limit_of_its_network_alone() -> None:
    limits = MailLimits()

    assert limits.per_day_without_plan < limits.per_network_without_plan < 3 * limits.per_day_without_plan


async def test_c5_one_network_gets_only_a_part_of_the_copies_of_a_company(
    database: Database, admin: Connection, run_worker: RunWorker, mail_server: MailServer, rosa: Person
) -> None:
    """Before this limit, a stranger signed a template 1,000 times, and no other guest got a copy until midnight."""
    for number in range(4):
        await sign_for_strangers(database, rosa, 1, ip=f"2001:db8:1:{number}::7", mailbox=f"stranger{number}")
    async with run_worker(emails=MailLimits(copies_per_day_without_plan=8)):
        await wait_for_copies(admin, 4)
        assert await count_by_status(admin) == {"delivered": 2, "cancelled": 2}
        assert (await first_error(admin)).startswith("Too many copies were sent to signers in the same network today.")
        await sign_for_strangers(database, rosa, 2, ip="198.51.100.9", mailbox="guest")
        await wait_for_copies(admin, 6)

    recipients = {email["To"] for email in mail_server.emails}
    assert len([recipient for recipient in recipients if recipient.startswith("guest")]) == 2


async def test_c5_copies_of_all_companies_without_a_plan_share_the_limit_of_the_signers_network(
    database: Database, admin: Connection, run_worker: RunWorker
) -> None:
    for company in await make_companies(database, 3, is_confirmed=True):
        await sign_for_strangers(database, company, 2)
    async with run_worker(emails=MailLimits(per_network_without_plan=4)):
        await wait_for_copies(admin, 6)

    assert await count_by_status(admin) == {"delivered": 4, "cancelled": 2}


async def test_c5_tags_in_an_address_do_not_bring_more_copies_to_one_mailbox(
    database: Database, admin: Connection, run_worker: RunWorker, rosa: Person
) -> None:
    for number in range(4):
        session_id = await make_session(database, rosa)
        await sign(database, session_id, signer_email=f"victim+{number}@example.com")
    async with run_worker(emails=MailLimits(copies_per_recipient=2)):
        await wait_for_copies(admin, 4)

    assert await count_by_status(admin) == {"delivered": 2, "cancelled": 2}


async def test_c5_tags_in_an_address_do_not_bring_more_invitations_to_one_mailbox(
    client: httpx.AsyncClient,
) -> None:
    responses = [await send(client, "rosa", to=f"Victim+{number}@Example.com") for number in range(7)]

    codes = [response.json().get("code") for response in responses]
    assert codes == [None] * 5 + ["recipient_limit_reached"] * 2


def test_c5_200_guests_of_one_wifi_network_get_their_copies() -> None:
    quota = MailLimits().copy_quota(has_plan=False)

    assert min(max_copies_of_network(quota), quota.per_network) >= 200


async def test_16l7_more_companies_do_not_bring_more_copies_to_one_mailbox(
    database: Database, admin: Connection, run_worker: RunWorker, rosa: Person
) -> None:
    """The companies without a plan do not keep the one with a plan from sending a copy."""
    await subscribe(admin, rosa)
    for company in await make_companies(database, 4, is_confirmed=True):
        await sign(database, await make_session(database, company))
    await sign(database, await make_session(database, rosa))
    async with run_worker(emails=MailLimits(per_recipient_of_all_companies=2)):
        await wait_for_copies(admin, 5)

    assert await count_by_status(admin) == {"delivered": 3, "cancelled": 2}
    assert (await first_error(admin)).startswith("This address has received 2 emails within a day.")
    assert await admin.fetchval("select status from emails where company_id = $1", rosa.company) == "delivered"


async def test_16l7_more_companies_do_not_bring_more_invitations_to_one_mailbox(
    database: Database, notifier: OutboxNotifier, documents: DocumentContext, mail_server: MailServer
) -> None:
    limits = MailLimits(per_recipient_of_all_companies=2)
    messaging = MessagingSettings(smtp=mail_server.settings, emails=limits)
    companies = {person.email: person.principal for person in await make_companies(database, 3, is_confirmed=True)}
    context = make_functions_context(database, notifier, documents, messaging=messaging)
    async with functions_client(context, companies) as client:
        responses = [await send(client, company, to="victim@example.com") for company in companies]

    assert [response.json().get("code") for response in responses] == [None, None, "recipient_limit_reached"]


def test_16l7_one_company_never_reaches_the_limit_of_all_companies_alone() -> None:
    limits = MailLimits()

    assert max(limits.per_recipient, limits.copies_per_recipient) < limits.per_recipient_of_all_companies
