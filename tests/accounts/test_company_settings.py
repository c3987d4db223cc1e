"""The settings of a company and their effects."""

from datetime import timedelta
from typing import TypeAlias

import asyncpg
import pytest

from cairn.db import Database
from tests.accounts.conftest import Accounts
from tests.auth.visitor import json_of
from tests.factories import SAMPLE_TEMPLATE_ID, make_session
from tests.people import Person

Admin: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


async def change_settings(database: Database, person: Person, **settings: object) -> None:
    columns = ", ".join(f"{name} = ${number}" for number, name in enumerate(settings, 2))
    async with database.acting_as(person.principal) as connection:
        await connection.execute(f"update companies set {columns} where id = $1", person.company_id, *settings.values())


async def test_a_new_company_has_the_default_settings(database: Database, rosa: Person) -> None:
    async with database.acting_as(rosa.principal) as connection:
        row = await connection.fetchrow(
            """
            select time_zone, link_days, reminders, reminder_first_days, reminder_every_days, reminder_limit,
                   sender_name, reply_to, framed_by
              from companies
            """
        )
    assert row is not None
    assert tuple(row) == ("UTC", 30, True, 3, 3, 3, None, None, ["*"])


@pytest.mark.accept("APP-34")
@pytest.mark.parametrize(
    ("sent", "zone", "is_set"),
    [
        ("America/Denver", "America/Denver", True),
        ("Mars/Base", "UTC", False),
        ("ABC-5", "UTC", False),
        (["America/Denver"], "UTC", False),
        (None, "UTC", False),
    ],
)
async def test_a_new_company_has_the_time_zone_of_the_browser_if_the_server_knows_it(
    accounts: Accounts, sent: object, zone: str, is_set: bool
) -> None:
    session = json_of(await accounts.visitor.sign_up("rosa@rio-rafting.example", name="Rosa Marín", time_zone=sent))

    [row] = await accounts.fetch(session, "select time_zone, time_zone_is_set from companies")
    assert tuple(row) == (zone, is_set)


@pytest.mark.accept("APP-34")
async def test_a_saved_time_zone_counts_as_chosen_even_if_it_is_the_default(
    database: Database, admin: Admin, rosa: Person, mallory: Person
) -> None:
    is_set = "select time_zone_is_set from companies where id = $1"
    await change_settings(database, rosa, link_days=7)
    assert await admin.fetchval(is_set, rosa.company) is False

    await change_settings(database, rosa, time_zone="UTC")

    assert await admin.fetchval(is_set, rosa.company) is True
    assert await admin.fetchval(is_set, mallory.company) is False
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await change_settings(database, rosa, time_zone_is_set=False)


async def test_a_link_expires_after_the_companys_number_of_days(
    database: Database, rosa: Person, mallory: Person
) -> None:
    await change_settings(database, rosa, link_days=7)
    rosas_session = await make_session(database, rosa)
    mallorys_session = await make_session(database, mallory)
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute(
            "insert into waiver_sessions (template_id, status) values ($1, 'template_default')", SAMPLE_TEMPLATE_ID
        )

    assert await link_lifetime(database, rosa, rosas_session) == timedelta(days=7)
    assert await link_lifetime(database, mallory, mallorys_session) == timedelta(days=30)
    async with database.acting_as(rosa.principal) as connection:
        expiry = await connection.fetchval("select expires_at from waiver_sessions where status = 'template_default'")
    assert expiry is None


async def link_lifetime(database: Database, person: Person, session_id: object) -> timedelta:
    async with database.acting_as(person.principal) as connection:
        lifetime: timedelta = await connection.fetchval(
            "select expires_at - created_at from waiver_sessions where id = $1", session_id
        )
    return lifetime


async def test_blank_values_become_null_and_addresses_lower_case(database: Database, rosa: Person) -> None:
    await change_settings(database, rosa, sender_name="  ", reply_to=" Office@Rio.Example ", time_zone="America/Denver")

    async with database.acting_as(rosa.principal) as connection:
        row = await connection.fetchrow("select sender_name, reply_to, time_zone from companies")
    assert row is not None
    assert tuple(row) == (None, "office@rio.example", "America/Denver")


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("time_zone", "Nowhere/Atlantis"), ("time_zone", "ABC-5"), ("time_zone", "x" * 65),
        ("link_days", 0), ("link_days", 366),
        ("reminder_first_days", 0), ("reminder_every_days", 61), ("reminder_limit", 11),
        ("sender_name", "Rio\r\nBcc: everyone@example.com"), ("sender_name", "x" * 201),
        ("reply_to", "not an address"), ("reply_to", "a@b.example, c@d.example"), ("reply_to", "<a@b.example>"),
        ("framed_by", ["*", "https://rio.example"]), ("framed_by", ["rio.example"]), ("framed_by", ["https://rio.example/"]),
        ("framed_by", ["https://rio.example; script-src *"]), ("framed_by", ["https://rio.example\r\nX-Evil: 1"]),
        ("framed_by", ["https://rio.example\n"]), ("framed_by", ["https://*"]), ("framed_by", [None]),
        ("framed_by", None), ("framed_by", [["https://rio.example"], ["https://sea.example"]]),
        ("framed_by", [f"https://{number}.example" for number in range(21)]), ("framed_by", ["https://" + "x" * 260]),
    ],
)  # fmt: skip
async def test_an_invalid_setting_is_refused(database: Database, rosa: Person, setting: str, value: object) -> None:
    with pytest.raises(asyncpg.PostgresError):
        await change_settings(database, rosa, **{setting: value})


@pytest.mark.parametrize(
    "websites", [[], ["*"], ["https://rio.example", "http://localhost:8080", "https://xn--ro-nja.example"]]
)
async def test_a_company_chooses_the_websites_that_may_embed_its_pages(
    database: Database, admin: Admin, rosa: Person, mallory: Person, websites: list[str]
) -> None:
    await change_settings(database, rosa, framed_by=websites)

    for company, expected in ((rosa.company, websites), (mallory.company, ["*"])):
        assert await admin.fetchval("select accounts.framed_by($1)", company) == expected


async def test_only_the_people_of_a_company_can_change_its_settings(
    database: Database, admin: Admin, rosa: Person, bea: Person, mallory: Person
) -> None:
    async with database.acting_as(mallory.principal) as connection:
        await connection.execute("update companies set link_days = 1 where id = $1", rosa.company)
    assert await admin.fetchval("select link_days from companies where id = $1", rosa.company) == 30

    await change_settings(database, bea, link_days=14)

    assert await admin.fetchval("select link_days from companies where id = $1", rosa.company) == 14
