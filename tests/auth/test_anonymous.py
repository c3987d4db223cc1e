from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio

from cairn.auth import AuthSettings, Keyring
from cairn.db import SERVICE, Database
from tests.auth.conftest import visiting
from tests.auth.mailbox import Mailbox
from tests.auth.oauth_flow import ROSA
from tests.auth.test_identities import link
from tests.auth.visitor import PASSWORD, Visitor, refusal, session_of

GIL = "gil@example.com"


@pytest_asyncio.fixture
async def running_server(database: Database, keyring: Keyring, settings: AuthSettings) -> AsyncIterator[Visitor]:
    welcoming = settings.model_copy(update={"external_anonymous_users_enabled": True, "rate_limit_anonymous_users": 3})
    async with visiting(database, keyring, welcoming) as arrived:
        yield arrived


async def nobody(visitor: Visitor, **data: Any) -> dict[str, Any]:
    return session_of(await visitor.ask("/signup", data=data))


async def test_nobody_in_particular_is_a_guest(running_server: Visitor, keyring: Keyring, database: Database) -> None:
    session = await nobody(running_server, boat="red")

    assert session["user"]["is_anonymous"] is True
    assert session["user"]["app_metadata"] == {"role": "customer"}
    assert session["user"]["identities"] == []
    claims = keyring.principal(session["access_token"]).claims
    assert claims["is_anonymous"] is True
    assert [each["method"] for each in claims["amr"]] == ["anonymous"]
    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select count(*) from companies") == 0


async def test_an_address_makes_it_an_account(running_server: Visitor, office: Mailbox) -> None:
    session = await nobody(running_server)
    assert refusal(await running_server.change(session, password=PASSWORD)) == (422, "validation_failed")

    session_of(await running_server.change(session, email=GIL, password=PASSWORD))
    done = session_of(await running_server.verify("email_change", token_hash=(await office.newest(GIL)).token_hash))

    assert done["user"]["is_anonymous"] is False
    assert done["user"]["id"] == session["user"]["id"]
    assert done["user"]["app_metadata"]["providers"] == ["email"]
    assert [identity["provider"] for identity in done["user"]["identities"]] == ["email"]
    assert session_of(await running_server.sign_in(GIL))


async def test_an_identity_elsewhere_makes_it_an_account_with_its_address_if_that_is_free(
    database: Database, with_google: AuthSettings
) -> None:
    welcoming = with_google.model_copy(update={"external_anonymous_users_enabled": True, "manual_linking": True})
    async with visiting(database, Keyring(welcoming), welcoming) as visitor:
        first, second = await nobody(visitor), await nobody(visitor)
        await visitor.sign_up(GIL)

        rosa = session_of(await visitor.user(await link(visitor, first, ROSA)))
        other = session_of(await visitor.user(await link(visitor, second, GIL)))

    assert [person["is_anonymous"] for person in (rosa, other)] == [False, False]
    assert [person["id"] for person in (rosa, other)] == [first["user"]["id"], second["user"]["id"]]
    assert [person["email"] for person in (rosa, other)] == [ROSA, ""]
    assert rosa["email_confirmed_at"]
    assert rosa["app_metadata"]["providers"] == ["google"]


async def test_not_too_many_from_one_address(running_server: Visitor) -> None:
    for _ in range(3):
        await nobody(running_server)

    refused = await running_server.ask("/signup", data={})

    assert refusal(refused) == (429, "over_request_rate_limit")
    assert int(refused.headers["retry-after"]) > 600
