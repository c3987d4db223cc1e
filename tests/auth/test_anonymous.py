from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio

from cairn.auth import AuthSettings, Keyring
from cairn.db import SERVICE, Database
from tests.auth.conftest import VisitorWith, open_visitor
from tests.auth.mailbox import Mailbox
from tests.auth.oauth_flow import ROSA
from tests.auth.test_identities import link
from tests.auth.visitor import PASSWORD, Visitor, error_of, json_of

GIL = "gil@example.com"


@pytest_asyncio.fixture
async def visitor(visitor_with: VisitorWith) -> AsyncIterator[Visitor]:
    async with visitor_with(external_anonymous_users_enabled=True, rate_limit_anonymous_users=3) as visitor:
        yield visitor


async def sign_up_anonymously(visitor: Visitor, **data: Any) -> dict[str, Any]:
    return json_of(await visitor.post("/signup", data=data))


async def test_an_anonymous_user_is_a_customer(visitor: Visitor, keyring: Keyring, database: Database) -> None:
    session = await sign_up_anonymously(visitor, boat="red")

    assert session["user"]["is_anonymous"] is True
    assert session["user"]["app_metadata"] == {"role": "customer"}
    assert session["user"]["identities"] == []
    claims = keyring.claims(session["access_token"])
    assert claims["is_anonymous"] is True
    assert [entry["method"] for entry in claims["amr"]] == ["anonymous"]
    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select count(*) from companies") == 0


async def test_an_anonymous_user_becomes_permanent_with_an_address(visitor: Visitor, mailbox: Mailbox) -> None:
    session = await sign_up_anonymously(visitor)
    assert error_of(await visitor.change(session, password=PASSWORD)) == (422, "validation_failed")

    json_of(await visitor.change(session, email=GIL, password=PASSWORD))
    confirmed = json_of(await visitor.verify("email_change", token_hash=(await mailbox.newest(GIL)).token_hash))

    assert confirmed["user"]["is_anonymous"] is False
    assert confirmed["user"]["id"] == session["user"]["id"]
    assert confirmed["user"]["app_metadata"]["providers"] == ["email"]
    assert [identity["provider"] for identity in confirmed["user"]["identities"]] == ["email"]
    # Anyone could have typed this address, so the password counts only if it is chosen after the address is confirmed.
    assert error_of(await visitor.sign_in(GIL)) == (400, "invalid_credentials")
    json_of(await visitor.change(confirmed, password=PASSWORD))
    assert json_of(await visitor.sign_in(GIL))


async def test_an_anonymous_user_becomes_permanent_by_linking_google(
    database: Database, google_settings: AuthSettings
) -> None:
    anonymous_settings = google_settings.model_copy(
        update={"external_anonymous_users_enabled": True, "manual_linking": True}
    )
    async with open_visitor(database, Keyring(anonymous_settings), anonymous_settings) as visitor:
        first_session, second_session = await sign_up_anonymously(visitor), await sign_up_anonymously(visitor)
        await visitor.sign_up(GIL)

        rosa = json_of(await visitor.user(await link(visitor, first_session, ROSA)))
        gil = json_of(await visitor.user(await link(visitor, second_session, GIL)))

    assert [user["is_anonymous"] for user in (rosa, gil)] == [False, False]
    assert [user["id"] for user in (rosa, gil)] == [first_session["user"]["id"], second_session["user"]["id"]]
    assert [user["email"] for user in (rosa, gil)] == [ROSA, ""]
    assert rosa["email_confirmed_at"]
    assert rosa["app_metadata"]["providers"] == ["google"]


async def test_anonymous_sign_ups_are_limited_per_ip_address(visitor: Visitor) -> None:
    for _ in range(3):
        await sign_up_anonymously(visitor)

    response = await visitor.post("/signup", data={})

    assert error_of(response) == (429, "over_request_rate_limit")
    assert int(response.headers["retry-after"]) > 600
