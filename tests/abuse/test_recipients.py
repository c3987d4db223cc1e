"""A5: one email reaches at most one person, whatever its address looks like.

A5 is a finding in docs/security.md.
"""

import json
from uuid import UUID, uuid4

import asyncpg
import httpx
import pytest

from cairn.db import Connection, Database
from cairn.inquiries.errors import FormIncomplete
from cairn.inquiries.form import parse_inquiry
from cairn.kit import is_one_address
from cairn.messaging import Email, MailRefused, MessagingSettings, server_mailer
from cairn.messaging.send_email import send_email
from cairn.waivers import DocumentContext
from tests.abuse.mail_reports import wait_for_emails
from tests.auth.visitor import Visitor
from tests.factories import make_session, sign
from tests.functions.test_send_email import send
from tests.mail_server import MailServer
from tests.messaging.mail_providers import FakeProviders
from tests.messaging.test_emails import make_email
from tests.people import Person
from tests.running_worker import PROVIDER_KEY_BOX, mail_sender

pytestmark = pytest.mark.usefixtures("return_before_the_email_is_sent")

DISGUISED_ADDRESSES = [
    "=?utf-8?q?v1=40aa.example=2cv2=40bb.example=2c?=x@dd.example",
    "r1@aa.example,r2@bb.example",
    "r1@aa.example;r2@bb.example",
    "flood@x.example(1)",
    "(1)flood@x.example",
    '"flood"@x.example',
    "Flood <flood@x.example>",
    "<flood@x.example>",
    "group:r1@aa.example",
    "flood@[127.0.0.1]",
    "fl\\ood@x.example",
    "flood@x.example.",
    "flood@x..example",
    "flood@x\u3002example",
    "fl\u00adood@x.example",
    "flood@x\u200b.example",
    "r1@aa.example\uff0cr2@bb.example",
]
LEGAL_ADDRESSES = [
    "gil@example.com",
    "gil+river@example.com",
    "o'hara@example.com",
    "first.last@sub.domain.example",
    "a_b-c/d=e?f{g}|h@x.example",
    "gil@localhost",
    "jos\u00e9@example.com",
    "gil@zo\u00eb.example",
    "\u043f\u043e\u0447\u0442\u0430@\u043f\u0440\u0438\u043c\u0435\u0440.example",
]


def refusal_code(error: asyncpg.PostgresError) -> str:
    code: str = json.loads(error.detail or "{}")["code"]
    return code


@pytest.mark.parametrize("address", DISGUISED_ADDRESSES)
@pytest.mark.accept("SAFE-09")
async def test_a5_a_signature_with_a_disguised_address_is_refused(
    database: Database, admin: Connection, rosa: Person, address: str
) -> None:
    session_id = await make_session(database, rosa)

    with pytest.raises(asyncpg.PostgresError) as refused:
        await sign(database, session_id, signer_email=address)

    assert refusal_code(refused.value) in ("email_address_not_single", "signer_email_incomplete")
    assert await admin.fetchval("select count(*) from signed_waivers") == 0


@pytest.mark.parametrize("address", DISGUISED_ADDRESSES)
async def test_a5_a_session_for_a_disguised_address_is_refused(database: Database, rosa: Person, address: str) -> None:
    with pytest.raises(asyncpg.PostgresError) as refused:
        await make_session(database, rosa, email=address)

    assert refusal_code(refused.value) == "email_address_not_single"


@pytest.mark.parametrize("address", DISGUISED_ADDRESSES)
async def test_a5_sending_to_a_disguised_address_reaches_at_most_one_person(
    client: httpx.AsyncClient, admin: Connection, address: str
) -> None:
    """An address with an unusual full stop or an invisible character is refused, or stored in its ordinary form."""
    response = await send(client, "rosa", to=address)

    if response.status_code == 400:
        assert response.json()["code"] == "recipient_invalid"
        assert await admin.fetchval("select count(*) from emails") == 0
    else:
        assert await admin.fetchval("select recipient from emails") == "flood@x.example"


@pytest.mark.parametrize("address", DISGUISED_ADDRESSES[:6])
async def test_a5_no_account_can_have_a_disguised_address(visitor: Visitor, address: str) -> None:
    response = await visitor.sign_up(address)

    assert response.json()["message"] == "Unable to validate email address: invalid format"


@pytest.mark.parametrize("address", DISGUISED_ADDRESSES[:6])
def test_a5_the_contact_form_refuses_a_disguised_address(address: str) -> None:
    """Otherwise a reply from the operator would reach several strangers."""
    with pytest.raises(FormIncomplete):
        parse_inquiry("contact", {"name": "Gil", "email": address, "message": "Hello"})


async def add_email_row(
    admin: Connection, company_id: UUID | None, recipient: str, reply_to: str | None = None
) -> UUID:
    """Adds an email as it may have been stored before addresses were checked."""
    email_id = uuid4()
    await admin.execute(
        """
        insert into emails (id, company_id, recipient, reply_to, subject, body)
        values ($1, $2, $3, $4, 'Please sign', 'Hello')
        """,
        email_id, company_id, recipient, reply_to,
    )  # fmt: skip
    return email_id


@pytest.mark.usefixtures("worker")
async def test_a5_emails_to_stored_disguised_addresses_fail_with_a_reason_and_others_are_sent(
    admin: Connection, mail_server: MailServer, rosa: Person
) -> None:
    for address in DISGUISED_ADDRESSES:
        await add_email_row(admin, rosa.company, address)
    for address in LEGAL_ADDRESSES:
        await add_email_row(admin, rosa.company, address)

    await wait_for_emails(admin)

    assert sorted(mail_server.recipients) == sorted([address] for address in LEGAL_ADDRESSES)
    failed = await admin.fetch("select recipient, error from emails where status = 'failed'")
    assert {(row["recipient"], row["error"]) for row in failed} == {
        (
            address,
            f"{address} is not one email address, so nothing was sent. Please correct the address and send again.",
        )
        for address in DISGUISED_ADDRESSES
    }


@pytest.mark.parametrize("provider", ["resend", "sendgrid", "custom"])
async def test_a5_no_mail_provider_receives_a_disguised_address(
    database: Database, admin: Connection, documents: DocumentContext, messaging: MessagingSettings,
    providers: FakeProviders, rosa: Person, provider: str,
) -> None:  # fmt: skip
    await admin.execute(
        """
        insert into messaging.configurations (company_id, provider, sealed_key, custom_endpoint)
        values ($1, $2, $3, 'https://mail.example/hook')
        """,
        rosa.company, provider, PROVIDER_KEY_BOX.encrypt("key"),
    )  # fmt: skip
    email_id = await add_email_row(admin, rosa.company, DISGUISED_ADDRESSES[1])

    await send_email(mail_sender(database, documents, messaging), email_id, last_try=True)

    assert providers.request_count == 0
    error = await admin.fetchval("select error from emails where status = 'failed'")
    assert error.startswith("r1@aa.example,r2@bb.example is not one email address")


async def test_a5_a_stored_disguised_reply_address_is_left_out(
    database: Database, admin: Connection, documents: DocumentContext, messaging: MessagingSettings,
    mail_server: MailServer,
) -> None:  # fmt: skip
    email_id = await add_email_row(admin, None, "support@cairn.example", reply_to=DISGUISED_ADDRESSES[0])

    await send_email(mail_sender(database, documents, messaging), email_id, last_try=True)

    assert mail_server.recipients == [["support@cairn.example"]]
    assert mail_server.emails[0]["Reply-To"] is None


@pytest.mark.parametrize("address", DISGUISED_ADDRESSES)
@pytest.mark.accept("SAFE-09")
async def test_a5_the_mail_server_gets_at_most_one_recipient_for_each_email(
    mail_server: MailServer, address: str
) -> None:
    """The mailer does not rely on the checks before it."""
    mailer = server_mailer(MessagingSettings(smtp=mail_server.settings))

    try:
        await mailer.send(make_email(recipient=address))
    except (MailRefused, ValueError):
        assert mail_server.recipients == []
    else:
        assert [len(recipients) for recipients in mail_server.recipients] == [1]


async def test_a5_an_encoded_word_in_a_name_stays_text(mail_server: MailServer) -> None:
    """Otherwise a mail program would show "security@bank.example" as the sender and as the subject."""
    word = "=?utf-8?q?security=40bank=2Eexample?="
    email: Email = make_email(sender_name=word, subject=word)

    await server_mailer(MessagingSettings(smtp=mail_server.settings)).send(email)

    headers = str(mail_server.emails[0]["From"]) + str(mail_server.emails[0]["Subject"])
    assert "security@bank" not in headers


@pytest.mark.parametrize("address", LEGAL_ADDRESSES)
async def test_a5_ordinary_addresses_of_all_scripts_stay_as_they_are(
    database: Database, rosa: Person, address: str
) -> None:
    session_id = await make_session(database, rosa, email=address)

    record = await sign(database, session_id, signer_email=address)

    assert record["signer_email"] == address


async def test_a5_the_database_and_the_server_accept_the_same_addresses(admin: Connection) -> None:
    every_character = [chr(code) for code in (*range(1, 0xD800), *range(0xE000, 0x30000), *range(0xE0000, 0xE1010))]
    addresses = [
        *DISGUISED_ADDRESSES,
        *LEGAL_ADDRESSES,
        "",
        "gil",
        "@",
        "a@",
        "@x",
        "a@b@c",
        "=@?.example",
        "a" * 312 + "@x.example",
    ]
    addresses += [f"a{character}b@x.example" for character in every_character]

    rows = await admin.fetch(
        "select address, cairn.is_one_address(address) as ok from unnest($1::text[]) a (address)", addresses
    )

    assert [row["address"] for row in rows if row["ok"] != is_one_address(row["address"])] == []
    assert [address for address in LEGAL_ADDRESSES if not is_one_address(address)] == []
    assert [address for address in DISGUISED_ADDRESSES if is_one_address(address)] == []
