"""An inquiry from the contact form is stored, sent to the operator, and rate limited."""

import asyncio
from pathlib import Path

import asyncpg
import pytest

from cairn.db import ANON, Database
from cairn.inquiries import Author, Inquiry, InquirySettings, TooManyInquiries, receive_inquiry, sweep
from tests.mail_server import running_mail_server
from tests.people import Person
from tests.serving import run_cairn, smtp_environment

INQUIRY = Inquiry("contact", "Gil Okafor", "gil@example.com", message="Do you ship paddles?")
AUTHOR = Author("203.0.113.7")
SETTINGS = InquirySettings(operator_email="support@cairn.example")


async def test_an_inquiry_is_stored_and_an_email_is_requested(
    database: Database, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    inquiry_id = await receive_inquiry(database, INQUIRY, AUTHOR, SETTINGS)

    row = await admin.fetchrow("select kind, email, message, network from inquiries.messages where id = $1", inquiry_id)
    email = await admin.fetchrow("select recipient, subject, reply_to, body, patient, company_id from emails")
    assert row is not None
    assert tuple(row) == ("contact", "gil@example.com", "Do you ship paddles?", "203.0.113.7")
    assert email is not None
    assert (email["recipient"], email["reply_to"]) == ("support@cairn.example", "gil@example.com")
    assert email["subject"] == "Message from Gil Okafor"
    assert "Do you ship paddles?" in email["body"]
    assert str(inquiry_id) in email["body"]
    assert (email["patient"], email["company_id"]) == (True, None)


async def test_inquiries_are_rate_limited_per_network(
    database: Database, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    settings = SETTINGS.model_copy(update={"rate_limit": 2})
    for _ in range(2):
        await receive_inquiry(database, INQUIRY, AUTHOR, settings)

    with pytest.raises(TooManyInquiries):
        await receive_inquiry(database, INQUIRY, AUTHOR, settings)
    await receive_inquiry(database, INQUIRY, Author("198.51.100.1"), settings)

    assert await admin.fetchval("select count(*) from inquiries.messages") == 3


async def test_inquiries_are_rate_limited_in_total(database: Database) -> None:
    settings = SETTINGS.model_copy(update={"rate_limit_total": 1})
    await receive_inquiry(database, INQUIRY, AUTHOR, settings)

    with pytest.raises(TooManyInquiries):
        await receive_inquiry(database, INQUIRY, Author("198.51.100.1"), settings)


async def test_a_network_may_send_inquiries_again_after_an_hour(
    database: Database, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    settings = SETTINGS.model_copy(update={"rate_limit": 1})
    await receive_inquiry(database, INQUIRY, AUTHOR, settings)
    await admin.execute("update inquiries.messages set created_at = now() - interval '61 minutes'")

    await receive_inquiry(database, INQUIRY, AUTHOR, settings)


async def test_the_network_is_deleted_after_a_day(
    database: Database, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    await receive_inquiry(database, INQUIRY, AUTHOR, SETTINGS)
    await admin.execute("update inquiries.messages set created_at = now() - interval '25 hours'")
    await receive_inquiry(database, INQUIRY, AUTHOR, SETTINGS)

    await sweep(database, SETTINGS)

    networks = await admin.fetch("select network from inquiries.messages order by created_at")
    assert [row["network"] for row in networks] == [None, "203.0.113.7"]


async def test_only_the_service_role_reads_messages(database: Database, rosa: Person) -> None:
    await receive_inquiry(database, INQUIRY, AUTHOR, SETTINGS)

    for reader in (ANON, rosa.principal):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.acting_as(reader) as connection:
                await connection.fetch("select id from inquiries.messages")


async def test_the_doctor_reports_a_missing_operator_address(tmp_path: Path) -> None:
    async with running_mail_server() as mail_server:
        mail_settings = smtp_environment(mail_server.settings)
        without_address = await asyncio.to_thread(run_cairn, "doctor", "--data", tmp_path, **mail_settings)
        with_address = await asyncio.to_thread(
            run_cairn,
            "doctor",
            "--data",
            tmp_path,
            **mail_settings,
            CAIRN_INQUIRIES__OPERATOR_EMAIL="support@cairn.example",
        )

    assert "FAIL  mail" in without_address.stdout
    assert "set CAIRN_INQUIRIES__OPERATOR_EMAIL" in without_address.stdout
    assert "ok    mail" in with_address.stdout
