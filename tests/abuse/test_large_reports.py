"""8W1: a company chooses the key that signs reports about its emails. Reports that it forges must not slow down others.

8W1 is a finding in docs/security.md.
"""

import json
import threading
from typing import Any, cast

import httpx
import pytest

from cairn.db import Connection, Database
from cairn.messaging.suppression import routes
from cairn.messaging.suppression.record_reports import record_reports
from cairn.messaging.suppression.report import MailReport
from tests.abuse.locked_table import count_waiting_reads
from tests.abuse.mail_reports import GIL, MALLORYS_KEY, email_history, send_resend_report, use_provider
from tests.messaging import signed_reports
from tests.messaging.mail_providers import RESEND_KEY, SENDGRID_KEY
from tests.people import Person

MAX_EVENTS = 5_000
ADD_EMAILS = """
insert into emails (company_id, recipient, subject, body, provider, status, message_id)
select $1, 'guest' || n || '@example.com', 'Your trip', 'Hello', 'sendgrid', 'delivered', 'sent' || n
  from generate_series(1, $2::int) n
"""
RECORD_UPDATED_EMAILS = """
create table updated_emails (id uuid);
create function note_updated_email() returns trigger language plpgsql security definer as
$$begin insert into public.updated_emails values (new.id); return null; end$$;
create trigger note_updated_email after update on emails for each row execute function note_updated_email();
"""


async def use_sendgrid(client: httpx.AsyncClient) -> None:
    keys = {"apiKey": SENDGRID_KEY, "reportKey": signed_reports.SENDGRID_REPORT_KEY}
    await use_provider(client, "mallory", provider="sendgrid", **keys)


async def send_events(reports: httpx.AsyncClient, company: Person, *events: dict[str, str]) -> httpx.Response:
    body = signed_reports.sendgrid_events(*events)
    headers = signed_reports.sign_sendgrid(body)
    return await reports.post(f"/sendgrid/{company.company}", content=body, headers=headers)


def complaint(number: int = 1) -> dict[str, str]:
    return {"event": "spamreport", "email": f"guest{number}@example.com", "sg_message_id": f"sent{number}"}


async def test_8w1_an_event_of_resend_has_at_most_50_recipients(
    client: httpx.AsyncClient, reports: httpx.AsyncClient, mallory: Person
) -> None:
    await use_provider(client, "mallory", provider="resend", apiKey=RESEND_KEY, reportKey=MALLORYS_KEY)
    statuses = []
    for count in (50, 51, 100_000):
        # Each recipient is one character, so that the body is small enough to be read.
        body = json.dumps({"type": "email.complained", "data": {"email_id": "1", "to": [GIL[0]] * count}}).encode()
        response = await send_resend_report(reports, body, path=f"/resend/{mallory.company}", key=MALLORYS_KEY)
        statuses.append(response.status_code)

    assert statuses == [200, 400, 400]


async def test_8w1_a_report_of_sendgrid_has_a_limited_number_of_events(
    client: httpx.AsyncClient, reports: httpx.AsyncClient, mallory: Person
) -> None:
    await use_sendgrid(client)

    assert (await send_events(reports, mallory, *[{"event": "open"}] * MAX_EVENTS)).json() == {"recorded": 0}
    refused = await send_events(reports, mallory, *[{"event": "open"}] * (MAX_EVENTS + 1))

    assert (refused.status_code, refused.json()["code"]) == (413, "report_too_long")


async def test_8w1_an_email_is_recorded_once_however_often_it_is_reported(
    client: httpx.AsyncClient, database: Database, admin: Connection, reports: httpx.AsyncClient, mallory: Person
) -> None:
    await use_sendgrid(client)
    await admin.execute(ADD_EMAILS, mallory.company, 2)
    await admin.execute(RECORD_UPDATED_EMAILS)
    events = [{**complaint(), "event": "bounce"}, *[complaint()] * 1000, complaint(2)]

    assert (await send_events(reports, mallory, *events)).json() == {"recorded": 2}
    assert (await send_events(reports, mallory, *events)).json() == {"recorded": 2}

    assert await admin.fetchval("select count(*) from updated_emails") == 2
    errors = {error for _, error in await email_history(database, mallory)}
    assert errors == {"The recipient reported this email as spam, so this address gets no more emails from you."}


class CountingConnection:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.statement_count = 0

    def __getattr__(self, name: str) -> Any:
        self.statement_count += 1
        return getattr(self._connection, name)


async def test_8w1_any_number_of_reported_emails_is_recorded_with_the_same_number_of_statements(
    admin: Connection, mallory: Person
) -> None:
    """Each statement waits for the database, and keeps a connection from others meanwhile."""
    await admin.execute(ADD_EMAILS, mallory.company, 200)
    counts = []
    for numbers in (range(1, 2), range(2, 201)):
        reports = [MailReport(f"guest{n}@example.com", "complaint", "", (f"sent{n}",)) for n in numbers]
        connection = CountingConnection(admin)
        assert await record_reports(cast("Connection", connection), reports, "sendgrid", mallory.company) == len(
            reports
        )
        counts.append(connection.statement_count)

    assert counts[0] == counts[1]


async def test_8w1_reports_are_not_read_on_the_event_loop(
    client: httpx.AsyncClient, reports: httpx.AsyncClient, mallory: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    await use_sendgrid(client)
    threads = []
    read = routes._READERS["sendgrid"]

    def read_and_note_thread(*arguments: object) -> object:
        threads.append(threading.current_thread())
        return read(*arguments)  # type: ignore[arg-type] # they are passed on

    monkeypatch.setitem(routes._READERS, "sendgrid", read_and_note_thread)

    assert (await send_events(reports, mallory, complaint())).status_code == 200
    assert threads
    assert threading.current_thread() not in threads


async def test_8w1_at_most_two_reports_of_a_network_are_recorded_at_once(
    client: httpx.AsyncClient, admin: Connection, reports: httpx.AsyncClient, mallory: Person
) -> None:
    """The others wait without a database connection."""
    await use_sendgrid(client)
    requests = [send_events(reports, mallory, complaint()) for _ in range(6)]

    largest_count, responses = await count_waiting_reads(admin, "emails", requests)

    assert largest_count == 2
    assert [response.status_code for response in responses] == [200] * 6
