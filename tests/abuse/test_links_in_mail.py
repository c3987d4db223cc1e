"""H4 b: text typed by strangers never becomes a link in an email.

H4 is a finding in docs/security.md.
"""

import re
from datetime import UTC, datetime
from uuid import uuid4

import httpx
import pytest

from cairn.accounts import EmailRecipient
from cairn.db import Connection, Database
from cairn.inquiries.form import Inquiry
from cairn.inquiries.operator_email import operator_email
from cairn.jobs import OutboxNotifier
from cairn.messaging import Email, MessagingSettings, without_links
from cairn.messaging.render_email import html, plain_text
from cairn.waivers import DocumentContext
from cairn.waivers.invitation import Invitation, standard_email
from cairn.waivers.notify_company import notification_email
from cairn.waivers.reminders.messages import reminder_email
from cairn.waivers.reminders.store import Reminder
from cairn.waivers.store import SignedWaiver
from tests.factories import make_session, make_template, sign
from tests.mail_server import MailServer, html_body, plain_body
from tests.people import Person
from tests.running_worker import worker_running

pytestmark = pytest.mark.usefixtures("return_before_the_email_is_sent")

SITE = "https://waivers.example"
LURE = "Your invoice is overdue. Pay at https://evil.example/pay now"
LURES = [
    LURE,
    "HTTP://EVIL.EXAMPLE",
    "www.evil.example",
    "evil.example/pay",
    "evil\u3002example",
    "pay@evil.example",
    "https:evil.example//pay https : // evil.example",
    "ftp://evil.example",
    "Pay\n\nhttps://evil.example/pay\n\nnow",
]
# What mail programs turn into a link: a scheme, a domain or an email address.
AUTOLINKED = re.compile(r"[a-z]+://|\w@\w|[\w-]+[.\u3002\uff0e\uff61][^\W\d]", re.IGNORECASE)


@pytest.mark.parametrize("lure", LURES)
def test_an_address_in_a_name_is_broken_up(lure: str) -> None:
    assert AUTOLINKED.search(lure)
    assert not AUTOLINKED.search(without_links(lure))
    assert "\n" not in without_links(lure)


@pytest.mark.parametrize(
    "name", ["Gil Okafor", "Zoë O'Hara-Smith Jr.", "Day trip: 3.5 miles", "No. 5 (10:30)", "José María", "Ж. Иванов"]
)
def test_an_ordinary_name_is_not_changed(name: str) -> None:
    assert without_links(name) == name


def emails_with_a_name(lure: str) -> list[Email]:
    session_id = uuid4()
    reminder = Reminder(
        uuid4(), datetime.now(UTC), session_id, uuid4(), lure, lure, lure, "gil@example.com", "pending",
        datetime.now(UTC), None, None,
    )  # fmt: skip
    invited = Invitation(session_id, lure, lure)
    link = f"{SITE}/waivers/sign/session/{session_id}"
    invitation = standard_email(invited, SITE, invited.subject, invited.body(link))
    assert invitation is not None
    inquiry = Inquiry(kind="contact", name=lure, email="gil@mail", message=lure, company=lure, subject=lure)
    return [
        notification_email(
            SignedWaiver(uuid4(), session_id, uuid4(), "River trip", lure), EmailRecipient(uuid4(), "R", "r@x"), SITE
        ),
        reminder_email(reminder, SITE),
        Email(uuid4(), "gil@example.com", *invitation),
        operator_email(uuid4(), uuid4(), inquiry, "operator@mail"),
    ]


@pytest.mark.parametrize("lure", LURES)
@pytest.mark.accept("SAFE-08")
def test_h4b_no_name_in_our_emails_becomes_a_link(lure: str) -> None:
    for email in emails_with_a_name(lure):
        own_links_removed = [
            re.sub(rf"{re.escape(SITE)}[^\s\"<]*", "", text) for text in (email.subject, plain_text(email))
        ]
        assert not any(AUTOLINKED.search(text.replace("gil@mail", "")) for text in own_links_removed)
        assert set(re.findall(r'href="(https?://[^/"]+)', html(email))) <= {SITE}


async def test_h4b_a_copy_of_a_signed_waiver_has_no_link_from_its_signer(
    database: Database, login_url: str, notifier: OutboxNotifier, messaging: MessagingSettings,
    documents: DocumentContext, mail_server: MailServer, rosa: Person,
) -> None:  # fmt: skip
    template_id = await make_template(database, rosa)
    await sign(database, await make_session(database, rosa, template_id), name=LURE)

    async with worker_running(database, login_url, notifier, mail=messaging, documents=documents):
        email = await mail_server.first_email()

    # Only the first name of the signer is in the email.
    assert "evil" not in plain_body(email)
    assert "https://evil" not in plain_body(email) + html_body(email)


async def test_h4b_an_invitation_can_be_sent_again_with_the_text_that_was_stored(
    client: httpx.AsyncClient, database: Database, admin: Connection, rosa: Person
) -> None:
    """A company without a confirmed address sends our own text, which does not contain the name of its template."""
    await admin.execute("update auth.users set email_confirmed_at = null")
    template_id = await make_template(database, rosa, name="Rio.com trip")
    session_id = await make_session(database, rosa, template_id)
    invitation = Invitation(session_id, "Rio.com trip", "Gil Okafor")
    body = invitation.body(f"{SITE}/waivers/sign/session/{session_id}").replace("Rio. com", "Rio.com")
    parameters = {"to": "gil@example.com", "sessionId": str(session_id), "subject": "Please sign: Rio.com trip Waiver"}
    headers = {"Authorization": "Bearer rosa"}

    response = await client.post("/send-email", json={**parameters, "body": body}, headers=headers)
    assert response.status_code == 202
    stored = await admin.fetchrow("select subject, body from emails")
    assert stored is not None
    assert "Rio" not in stored["body"], "a company without a confirmed address does not choose the text"
    again = {**parameters, "subject": stored["subject"], "body": stored["body"]}
    assert (await client.post("/send-email", json=again, headers=headers)).status_code == 202
