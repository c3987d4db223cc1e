from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio

from cairn.auth import AuthSettings, Keyring
from cairn.db import SERVICE, Database
from tests.auth.conftest import visiting
from tests.auth.mailbox import Mailbox
from tests.auth.oauth_flow import ROSA
from tests.auth.test_identities import link
from tests.auth.visitor import PASSWORD, Visitor, json_of, refusal

GIL = "gil@example.com"


@pytest_asyncio.fixture
async def visitor(database: Database, keyring: Keyring, settings: AuthSettings) -> AsyncIterator[Visitor]:
    allowing = settings.model_copy(update={"external_anonymous_users_enabled": True, "rate_limit_anonymous_users": 3})
    async with visiting(database, keyring, allowing) as visitor:
        yield visitor


async def sign_up_anonymously(visitor: Visitor, **data: Any) -> dict[str, Any]:
    return json_of(await visitor.post("/signup", data=data))


async def test_an_anonymous_user_is_a_customer(visitor: Visitor, keyring: Keyring, database: Database) -> None:
    session = await sign_up_anonymously(visitor, boat="red")

    assert session["user"]["is_anonymous"] is True
    assert session["user"]["app_metadata"] == {"role": "customer"}
    assert session["user"]["identities"] == []
    claims = keyring.principal(session["access_token"]).claims
    assert claims["is_anonymous"] is True
    assert [each["method"] for each in claims["amr"]] == ["anonymous"]
    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select count(*) from companies") == 0


async def test_an_address_turns_an_anonymous_user_into_an_account(visitor: Visitor, mailbox: Mailbox) -> None:
    session = await sign_up_anonymously(visitor)
    assert refusal(await visitor.change(session, password=PASSWORD)) == (422, "validation_failed")

    json_of(await visitor.change(session, email=GIL, password=PASSWORD))
    done = json_of(await visitor.verify("email_change", token_hash=(await mailbox.newest(GIL)).token_hash))

    assert done["user"]["is_anonymous"] is False
    assert done["user"]["id"] == session["user"]["id"]
    assert done["user"]["app_metadata"]["providers"] == ["email"]
    assert [identity["provider"] for identity in done["user"]["identities"]] == ["email"]
    assert json_of(await visitor.sign_in(GIL))


async def test_linking_google_turns_an_anonymous_user_into_an_account(
    database: Database, google_settings: AuthSettings
) -> None:
    allowing = google_settings.model_copy(update={"external_anonymous_users_enabled": True, "manual_linking": True})
    async with visiting(database, Keyring(allowing), allowing) as visitor:
        first, second = await sign_up_anonymously(visitor), await sign_up_anonymously(visitor)
        await visitor.sign_up(GIL)

        rosa = json_of(await visitor.user(await link(visitor, first, ROSA)))
        other = json_of(await visitor.user(await link(visitor, second, GIL)))

    assert [user["is_anonymous"] for user in (rosa, other)] == [False, False]
    assert [user["id"] for user in (rosa, other)] == [first["user"]["id"], second["user"]["id"]]
    assert [user["email"] for user in (rosa, other)] == [ROSA, ""]
    assert rosa["email_confirmed_at"]
    assert rosa["app_metadata"]["providers"] == ["google"]


async def test_anonymous_sign_ups_are_limited_per_ip_address(visitor: Visitor) -> None:
    for _ in range(3):
        await sign_up_anonymously(visitor)

    refused = await visitor.post("/signup", data={})

    assert refusal(refused) == (429, "over_request_rate_limit")
    assert int(refused.headers["retry-after"]) > 600
