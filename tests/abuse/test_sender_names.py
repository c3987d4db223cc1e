"""H4, 16L5: the sender of an email cannot pretend to be someone else.

H4, 14L7 and 16L5 are findings in docs/security.md.
"""

import asyncpg
import httpx
import pytest

from cairn.db import Connection, Database
from tests.mail_server import MailServer
from tests.people import Person

NAMES_WITH_ADDRESSES = [
    "PayPal <service@paypal.com>",
    "service@paypal.com",
    "service\uff20paypal.com",
    "Rio Rafting https://evil.example",
    "Rio Rafting <evil.example>",
]
LOOK_ALIKES_OF_BRANDS = [
    "PayPal",
    "paypal customer service",
    "PayPaI",
    "P\u0430yP\u0430l",
    "Pay-Pal.com",
    "P a y P a l",
    "Páypal",
    "PayPal\u200b Support",
    "Arnazon Support",
    "G00gle Security Team",
    "M1crosoft",
    "Cairn Support",
]
HONEST_NAMES = [
    "Rio Rafting",
    "Amazon River Tours",
    "Amazon Orders and Rafts",
    "Łódź Kayaks",
    "Apple Valley Kayaks",
    "Visa Falls Outfitters",
    "Chase & Sons",
    "Cairn Guides",
    "Ростов Рафтинг",
    "北京漂流",
    "Team Rafting Support",
    "rio-rafting.com",
    "7th Heaven Zip Lines!",
    "Rafting <3 Rivers",
    "",
]


async def change_company(database: Database, person: Person, column: str, value: str) -> None:
    async with database.acting_as(person.principal) as connection:
        await connection.execute(f"update companies set {column} = $1", value)


@pytest.mark.parametrize("column", ["name", "sender_name"])
@pytest.mark.parametrize("name", NAMES_WITH_ADDRESSES)
@pytest.mark.accept("SAFE-07")
async def test_h4_a_sender_name_cannot_contain_an_address(
    database: Database, rosa: Person, column: str, name: str
) -> None:
    with pytest.raises(asyncpg.PostgresError) as refusal:
        await change_company(database, rosa, column, name)

    assert '"code": "sender_name_has_address"' in str(refusal.value.detail)


@pytest.mark.parametrize("name", LOOK_ALIKES_OF_BRANDS)
@pytest.mark.accept("SAFE-07")
async def test_h4_a_sender_name_cannot_be_the_look_alike_of_a_brand(
    database: Database, rosa: Person, name: str
) -> None:
    for column in ("name", "sender_name"):
        with pytest.raises(asyncpg.PostgresError) as refusal:
            await change_company(database, rosa, column, name)
        assert '"code": "sender_name_is_brand"' in str(refusal.value.detail)


@pytest.mark.parametrize(
    "name",
    [
        "P\u0251yP\u0251l",
        "\u1d18\u1d00\u028f\u1d18\u1d00\u029f",
        "\u0261oo\u0261le Support",
        "Netfl\u0131x",
        "\u0578etflix",
        "PayPal Wallet",
        "Amazon Delivery Updates",
    ],
)
async def test_16l5_a_sender_name_cannot_be_the_name_of_a_brand_in_other_characters_or_with_a_common_addition(
    database: Database, rosa: Person, name: str
) -> None:
    with pytest.raises(asyncpg.PostgresError) as refusal:
        await change_company(database, rosa, "sender_name", name)

    assert '"code": "sender_name_is_brand"' in str(refusal.value.detail)


@pytest.mark.parametrize("name", HONEST_NAMES)
async def test_honest_names_are_accepted(database: Database, rosa: Person, name: str) -> None:
    await change_company(database, rosa, "name", name)
    await change_company(database, rosa, "sender_name", name)


async def test_a_line_break_in_a_name_becomes_a_space(database: Database, rosa: Person) -> None:
    for column in ("name", "sender_name"):
        await change_company(database, rosa, column, "Rio\r\nBcc: victim-x")

    async with database.acting_as(rosa.principal) as connection:
        row = await connection.fetchrow("select name, sender_name from companies")
    assert row is not None
    assert set(row.values()) == {"Rio Bcc: victim-x"}


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("PayPal <service@paypal.com>", "Waivers <waivers@localhost>"),
        ("PayPal Support", "Waivers <waivers@localhost>"),
        ("Rio\nRafting", "Rio Rafting <waivers@localhost>"),
    ],
)
async def test_h4_a_forbidden_name_that_was_stored_before_does_not_appear_in_emails(
    client: httpx.AsyncClient, admin: Connection, mail_server: MailServer, rosa: Person, stored: str, shown: str
) -> None:
    """In version 0.1, a company with a line break in its name could not send any email."""
    await admin.execute("alter table companies disable trigger check_settings")
    await admin.execute("update companies set name = $2 where id = $1", rosa.company, stored)

    parameters = {"to": "gil@example.com", "subject": "Please sign", "body": "Hello"}
    response = await client.post("/send-email", json=parameters, headers={"Authorization": "Bearer rosa"})

    assert response.json()["status"] == "delivered"
    assert mail_server.emails[0]["From"] == shown


async def test_other_settings_can_be_saved_beside_a_forbidden_name_that_was_stored_before(
    database: Database, admin: Connection, rosa: Person
) -> None:
    await admin.execute("alter table companies disable trigger check_settings")
    await admin.execute("update companies set name = 'PayPal' where id = $1", rosa.company)
    await admin.execute("alter table companies enable trigger check_settings")

    await change_company(database, rosa, "time_zone", "Europe/Paris")


@pytest.mark.parametrize("column", ["name", "sender_name"])
async def test_14l7_a_name_that_is_too_long_is_not_compared_with_brands(
    database: Database, rosa: Person, column: str
) -> None:
    """Before this fix, comparing a name of 100,000 characters took four seconds."""
    async with database.acting_as(rosa.principal, {"statement_timeout": "2s"}) as connection:
        with pytest.raises(asyncpg.CheckViolationError):
            await connection.execute(f"update companies set {column} = $1", "P a y " * 50_000)
