"""16B7: a stranger who signs a public template cannot send a document with their own text to any address.

16B7 is a finding in docs/security.md.
"""

import json
from uuid import UUID

import pytest

from cairn.db import ANON, SERVICE, Connection, Database
from cairn.jobs import OutboxNotifier
from cairn.waivers import DocumentContext
from tests.abuse.test_copies import LONG_LURE, assert_has_no_text_of_a_stranger, open_document_link
from tests.abuse.test_template_names import copy_for_signer, queued_copy
from tests.factories import make_session, make_template, open_session, sign
from tests.mail_server import MailServer, plain_body
from tests.people import Person, confirm, sign_up
from tests.waivers.forms import sample_forms
from tests.waivers.forms.inviting import invite
from tests.waivers.forms.sample_forms import EMERGENCY

ADULT_ANSWERS = json.dumps({"emergency": EMERGENCY, "asthma": False})


async def open_public_session(database: Database, owner: Person) -> UUID:
    """Opens a session as the signing page of a template does."""
    return await open_session(database, ANON, await make_template(database, owner))


@pytest.mark.usefixtures("worker")
async def test_16b7_the_document_of_a_public_template_is_linked_and_not_attached(
    database: Database, documents: DocumentContext, notifier: OutboxNotifier, mail_server: MailServer, rosa: Person
) -> None:
    session_id = await open_public_session(database, rosa)
    await sign(database, session_id, name=LONG_LURE, signer_email="victim@example.com")
    notifier.notify()

    email = await mail_server.first_email(40)

    assert email["To"] == "victim@example.com"
    assert_has_no_text_of_a_stranger(email)
    assert "attached" not in plain_body(email)
    assert (await open_document_link(database, documents, email)).content.startswith(b"%PDF")


async def test_16b7_the_document_is_attached_if_the_company_sent_the_link_to_this_address(
    database: Database, mailing_documents: DocumentContext, rosa: Person
) -> None:
    session_id = await make_session(database, rosa, email="Gil@example.com")

    email = await copy_for_signer(database, mailing_documents, session_id, signer_email="gil@EXAMPLE.com")
    other_email = await copy_for_signer(database, mailing_documents, session_id, signer_email="victim@example.com")

    assert (email["attachment_type"], other_email["attachment_type"]) == ("pdf", "link")


async def test_16b7_the_document_is_attached_on_the_device_of_the_company_and_not_on_that_of_another(
    database: Database, mailing_documents: DocumentContext, rosa: Person, mallory: Person
) -> None:
    session_id = await open_public_session(database, rosa)

    email = await copy_for_signer(database, mailing_documents, session_id, by=rosa.principal)
    other_email = await copy_for_signer(database, mailing_documents, session_id, by=mallory.principal)

    assert (email["attachment_type"], other_email["attachment_type"]) == ("pdf", "link")


async def test_16b7_the_document_is_attached_for_a_guest_who_has_signed_in_with_the_address(
    database: Database, mailing_documents: DocumentContext, rosa: Person, gil: Person
) -> None:
    session_id = await open_public_session(database, rosa)

    email = await copy_for_signer(database, mailing_documents, session_id, by=gil.principal, signer_email=gil.email)
    other_email = await copy_for_signer(
        database, mailing_documents, session_id, by=gil.principal, signer_email="victim@example.com"
    )

    assert (email["attachment_type"], other_email["attachment_type"]) == ("pdf", "link")


async def test_16b7_the_address_of_an_account_counts_only_if_it_was_confirmed_before_signing(
    database: Database, mailing_documents: DocumentContext, rosa: Person
) -> None:
    account = await sign_up(database, "victim@example.com", "S", company=None, is_confirmed=False)
    session_id = await open_public_session(database, rosa)
    waiver = await sign(database, session_id, by=account.principal, signer_email=account.email)
    await confirm(database, account)

    email = await queued_copy(database, mailing_documents, waiver["id"])

    assert email["attachment_type"] == "link"


async def test_16b7_an_address_that_was_confirmed_without_the_password_does_not_count(
    database: Database, mailing_documents: DocumentContext, admin: Connection, rosa: Person, gil: Person
) -> None:
    await admin.execute("update auth.users set token_only_emails = array[email] where id = $1", gil.id)
    session_id = await open_public_session(database, rosa)

    email = await copy_for_signer(database, mailing_documents, session_id, by=gil.principal, signer_email=gil.email)

    assert email["attachment_type"] == "link"


async def test_16b7_a_guest_who_invites_an_adult_does_not_send_them_a_document_by_signing_for_them(
    database: Database, mailing_documents: DocumentContext, rosa: Person
) -> None:
    """The guest also knows the link that was sent to the adult's address."""
    invited_id = await invite(database, await sample_forms.open_session(database, rosa))
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("select waivers.record_invited_email($1, 'victim@example.com')", invited_id)

    email = await copy_for_signer(
        database, mailing_documents, invited_id, signer_email="victim@example.com", answers=ADULT_ANSWERS
    )

    assert email["attachment_type"] == "link"


async def test_16b7_an_unconfirmed_company_sends_no_document_to_any_address(
    database: Database, mailing_documents: DocumentContext, sam: Person
) -> None:
    email = await copy_for_signer(database, mailing_documents, await make_session(database, sam))

    assert email["attachment_type"] == "link"
