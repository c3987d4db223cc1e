import asyncio
from pathlib import Path

import asyncpg
import pytest

from cairn.db import ANON, Database
from cairn.inquiries import Inquiry, InquirySettings, TooManyInquiries, Writer, receive, sweep
from tests.cast import Person
from tests.mail_server import running_mail_server
from tests.serving import cairn, mail_through

FROM_GIL = Inquiry("contact", "Gil Okafor", "gil@example.com", message="Do you ship paddles?")
HERE = Writer("203.0.113.7")
SETTINGS = InquirySettings(operator_email="desk@cairn.example")


async def test_a_message_is_stored_and_mailed_at_once(
    database: Database, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    inquiry_id = await receive(database, FROM_GIL, HERE, SETTINGS)

    kept = await admin.fetchrow(
        "select kind, email, message, network from inquiries.messages where id = $1", inquiry_id
    )
    letter = await admin.fetchrow("select recipient, subject, reply_to, body, patient, company_id from emails")
    assert kept is not None
    assert tuple(kept) == ("contact", "gil@example.com", "Do you ship paddles?", "203.0.113.7")
    assert letter is not None
    assert (letter["recipient"], letter["reply_to"]) == ("desk@cairn.example", "gil@example.com")
    assert letter["subject"] == "Message from Gil Okafor"
    assert "Do you ship paddles?" in letter["body"]
    assert str(inquiry_id) in letter["body"]
    assert (letter["patient"], letter["company_id"]) == (True, None)


async def test_one_network_cannot_fill_the_table(
    database: Database, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    few = SETTINGS.model_copy(update={"rate_limit": 2})
    for _ in range(2):
        await receive(database, FROM_GIL, HERE, few)

    with pytest.raises(TooManyInquiries):
        await receive(database, FROM_GIL, HERE, few)
    await receive(database, FROM_GIL, Writer("198.51.100.1"), few)

    assert await admin.fetchval("select count(*) from inquiries.messages") == 3


async def test_all_networks_together_cannot_either(database: Database) -> None:
    few = SETTINGS.model_copy(update={"rate_limit_total": 1})
    await receive(database, FROM_GIL, HERE, few)

    with pytest.raises(TooManyInquiries):
        await receive(database, FROM_GIL, Writer("198.51.100.1"), few)


async def test_after_an_hour_the_network_may_write_again(
    database: Database, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    once = SETTINGS.model_copy(update={"rate_limit": 1})
    await receive(database, FROM_GIL, HERE, once)
    await admin.execute("update inquiries.messages set created_at = now() - interval '61 minutes'")

    await receive(database, FROM_GIL, HERE, once)


async def test_a_day_later_nobody_knows_where_it_came_from(
    database: Database, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    await receive(database, FROM_GIL, HERE, SETTINGS)
    await admin.execute("update inquiries.messages set created_at = now() - interval '25 hours'")
    await receive(database, FROM_GIL, HERE, SETTINGS)

    await sweep(database)

    networks = await admin.fetch("select network from inquiries.messages order by created_at")
    assert [row["network"] for row in networks] == [None, "203.0.113.7"]


async def test_nobody_but_the_service_reads_them(database: Database, rosa: Person) -> None:
    await receive(database, FROM_GIL, HERE, SETTINGS)

    for reader in (ANON, rosa.principal):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.acting_as(reader) as connection:
                await connection.fetch("select id from inquiries.messages")


async def test_the_doctor_notices_that_nobody_would_read_them(tmp_path: Path) -> None:
    async with running_mail_server() as office:
        through_it = mail_through(office.settings)
        alone = await asyncio.to_thread(cairn, "doctor", "--data", tmp_path, **through_it)
        answered = await asyncio.to_thread(
            cairn, "doctor", "--data", tmp_path, **through_it, CAIRN_INQUIRIES__OPERATOR_EMAIL="desk@cairn.example"
        )

    assert "FAIL  mail" in alone.stdout
    assert "set CAIRN_INQUIRIES__OPERATOR_EMAIL" in alone.stdout
    assert "ok    mail" in answered.stdout
