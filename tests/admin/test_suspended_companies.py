"""A suspended company can read its records. Nothing can be sent, changed or signed until it is resumed."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import asyncpg
import httpx
import pytest
import pytest_asyncio

from cairn.admin.context import AdminContext
from cairn.admin.list_companies import list_companies
from cairn.admin.suspend_company import resume_company, suspend_company
from cairn.db import ANON, Connection, Database
from cairn.inquiries import InquirySettings
from cairn.jobs import OutboxNotifier
from cairn.kit import now
from cairn.site import Site
from cairn.waivers import DocumentContext, queue_scheduled_reminders
from tests.admin.audit_log import logged_acts
from tests.factories import make_session, make_template, open_session, sign
from tests.functions_service import functions_client, make_functions_context
from tests.people import Person
from tests.waivers.acts import cancel, correct_recipient, erase, hold, revoke


@pytest_asyncio.fixture
async def visitor(database: Database) -> AsyncIterator[httpx.AsyncClient]:
    site = Site(database, anon_key="key", site_url="https://waivers.example", inquiries=InquirySettings())
    async with httpx.AsyncClient(transport=httpx.ASGITransport(site), base_url="http://cairn") as client:
        yield client


@pytest.mark.accept("OPS-48")
async def test_people_of_a_suspended_company_can_change_nothing_until_it_is_resumed(
    context: AdminContext, database: Database, rosa: Person, signed_waiver: asyncpg.Record
) -> None:
    session_id = await make_session(database, rosa)
    await suspend_company(context, rosa.company)

    with refused("company_suspended"):
        await cancel(database, rosa, session_id)
    with refused("company_suspended"):
        await correct_recipient(database, rosa, session_id)
    with refused("company_suspended"):
        await revoke(database, rosa, signed_waiver["id"])
    with refused("company_suspended"):
        await hold(database, rosa, signed_waiver["id"])
    with refused("company_suspended"):
        await erase(database, rosa, signed_waiver["id"])
    with refused("company_suspended"):
        await make_template(database, rosa)
    with refused("company_suspended"):
        await make_session(database, rosa)
    for statement in (
        "update companies set name = 'Rio'",
        "insert into sent_waivers (template_id, recipient_name) values ('t', 'Gil')",
        "update waiver_templates set name = 'Rafting'",
        "select send_reminders()",
        "select allow_address_again('gil@example.com')",
        "update webhook_endpoints set paused = true",
        "delete from webhook_endpoints",
    ):
        with refused("company_suspended"):
            await run(database, rosa, statement)

    await resume_company(context, rosa.company)
    await cancel(database, rosa, session_id)
    details = {"by": "operator", "company_id": str(rosa.company)}
    assert await logged_acts(database, rosa.id) == [("company_suspended", details), ("company_resumed", details)]


@pytest.mark.accept("OPS-48")
async def test_a_suspension_changes_no_evidence_and_records_stay_readable(
    context: AdminContext, database: Database, admin: Connection, rosa: Person, signed_waiver: asyncpg.Record
) -> None:
    evidence = """
        select (select array_agg(e order by e.id) from waivers.audit_events e)::text || (select w from waivers.signed w)
    """
    before = await admin.fetchval(evidence)

    await suspend_company(context, rosa.company)

    assert await admin.fetchval(evidence) == before
    async with database.acting_as(rosa.principal, read_only=True) as connection:
        assert await connection.fetchval("select id from signed_waivers") == signed_waiver["id"]
    # A person can still change their own account.
    await run(database, rosa, "update profiles set name = 'Rosa M.'")
    [row] = (await list_companies(context, "", 50)).rows
    assert row["state"] == "suspended"


@pytest.mark.accept("OPS-48")
async def test_guests_cannot_sign_and_their_links_say_why(
    context: AdminContext, database: Database, visitor: httpx.AsyncClient, rosa: Person, signed_waiver: asyncpg.Record
) -> None:
    session_id, template_id = await make_session(database, rosa), await make_template(database, rosa)
    await suspend_company(context, rosa.company)

    with refused("company_not_accepting"):
        await sign(database, session_id)
    with refused("company_not_accepting"):
        await open_session(database, ANON, template_id)
    for path in (f"waivers/sign/session/{session_id}", f"waivers/sign/{template_id}", f"embed/{template_id}"):
        page = await visitor.get(f"/{path}")
        assert page.status_code == 403
        assert "Rio Rafting does not accept signatures at present." in page.text
    assert "frame-ancestors" not in page.headers["content-security-policy"]
    signed_page = await visitor.get(f"/waivers/sign/session/{signed_waiver['session_id']}")
    assert signed_page.status_code == 200

    await resume_company(context, rosa.company)
    assert (await visitor.get(f"/waivers/sign/session/{session_id}")).status_code == 200
    await sign(database, session_id)


@pytest.mark.accept("OPS-48")
async def test_other_companies_are_not_affected(
    context: AdminContext, database: Database, rosa: Person, mallory: Person
) -> None:
    await suspend_company(context, rosa.company)

    await sign(database, await make_session(database, mallory))


@pytest.mark.accept("OPS-48")
async def test_a_suspended_company_sends_nothing_but_can_ask_for_support(
    context: AdminContext, database: Database, notifier: OutboxNotifier, documents: DocumentContext, rosa: Person
) -> None:
    email = {"to": "gil@example.com", "subject": "Your trip", "body": "Please sign."}
    question = {"subject": "Why", "message": "Why are we suspended?"}
    await suspend_company(context, rosa.company)

    async with functions_client(
        make_functions_context(database, notifier, documents), {"rosa": rosa.principal}
    ) as client:
        client.headers["Authorization"] = "Bearer rosa"
        sent = await client.post("/send-email", json=email)
        support = await client.post("/ask-support", json=question)

    assert (sent.status_code, sent.json()["code"]) == (403, "company_suspended")
    assert support.status_code == 201


@pytest.mark.accept("OPS-48")
async def test_a_suspended_company_sends_no_scheduled_reminders(
    context: AdminContext, database: Database, admin: Connection, rosa: Person
) -> None:
    await make_session(database, rosa)
    await admin.execute("update waivers.sessions set created_at = now() - interval '10 days'")
    noon = now().replace(hour=12)
    await suspend_company(context, rosa.company)
    assert await queue_scheduled_reminders(database, noon) == 0

    await resume_company(context, rosa.company)
    assert await queue_scheduled_reminders(database, noon) == 1


async def run(database: Database, person: Person, statement: str) -> None:
    async with database.acting_as(person.principal) as connection:
        await connection.execute(statement)


@contextmanager
def refused(code: str) -> Iterator[None]:
    with pytest.raises(asyncpg.PostgresError) as error:
        yield
    assert json.loads(error.value.detail or "")["code"] == code
