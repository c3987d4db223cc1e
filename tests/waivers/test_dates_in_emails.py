"""Emails write dates as people do, in the time zone of the company or of the device on which a guest signed."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from cairn.accounts import EmailRecipient, confirmed_people
from cairn.db import SERVICE, Connection, Database
from cairn.deletion.company_messages import OWNER, company_requested_email
from cairn.waivers.reminders.messages import reminder_email
from cairn.waivers.reminders.store import Reminder
from tests.people import Person

SITE = "https://cairn.example"
# It is still November 15 in Denver.
EVENING = datetime(2026, 11, 16, 2, 6, tzinfo=UTC)

pytestmark = pytest.mark.accept("APP-36")


def test_a_reminder_says_until_which_day_its_link_is_valid() -> None:
    reminder = Reminder(
        id=uuid4(),
        requested_at=EVENING,
        session_id=uuid4(),
        company_id=uuid4(),
        company_name="Rio Rafting",
        template_name="River trip",
        recipient_name="Gil Okafor",
        recipient_email="gil@example.com",
        status="pending",
        expires_at=EVENING,
        opted_out_at=None,
        phone=None,
        time_zone="America/Denver",
    )

    body = reminder_email(reminder, SITE).body

    assert body.startswith("Hi Gil,\n\nRio Rafting is still waiting for your signature")
    assert "You do not need an account. The link is valid until November 15, 2026.\n" in body


def test_the_people_of_a_company_read_dates_in_its_time_zone() -> None:
    rosa = EmailRecipient(uuid4(), "Rosa Delgado", "rosa@example.com", "America/Denver")

    email = company_requested_email(rosa, "Rio Rafting", OWNER, delete_at=EVENING, now=EVENING, site_url=SITE)

    assert email.subject == "Rio Rafting will be deleted on November 15, 2026"
    assert email.body.startswith("Hi Rosa,\n\nThe owner of Rio Rafting asked us to delete the account of Rio Rafting.")


async def test_the_time_zone_of_the_company_is_that_of_its_settings(
    database: Database, admin: Connection, rosa: Person
) -> None:
    await admin.execute("update companies set time_zone = 'America/Denver' where id = $1", rosa.company)

    async with database.acting_as(SERVICE) as connection:
        people = await confirmed_people(connection, rosa.company)

    assert {person.time_zone for person in people} == {"America/Denver"}
