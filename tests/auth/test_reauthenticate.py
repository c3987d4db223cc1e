from datetime import timedelta

import pytest

from cairn.auth import AuthSettings, Keyring
from cairn.db import Database
from tests.auth.conftest import AdvanceClock, open_visitor
from tests.auth.mailbox import Mailbox
from tests.auth.visitor import Visitor, bearer, error_of, json_of

ROSA = "rosa@rio-rafting.example"
NEW_PASSWORD = "ten rapids before noon"


async def sign_up_confirmed(visitor: Visitor, mailbox: Mailbox, email: str = ROSA) -> dict[str, object]:
    await visitor.sign_up(email)
    return json_of(await visitor.verify("signup", token_hash=(await mailbox.newest(email)).token_hash))


@pytest.mark.accept("AUTH-18")
async def test_a_nonce_changes_the_password_once(visitor: Visitor, mailbox: Mailbox) -> None:
    session = await sign_up_confirmed(visitor, mailbox)
    assert json_of(await visitor.client.get("/reauthenticate", headers=bearer(session))) == {}
    message = await mailbox.newest(ROSA)
    assert "http" not in message.body

    wrong_code = "000000" if message.code != "000000" else "111111"
    wrong_nonce = await visitor.change(session, password=NEW_PASSWORD, nonce=wrong_code)
    assert error_of(wrong_nonce) == (422, "reauthentication_not_valid")
    json_of(await visitor.change(session, password=NEW_PASSWORD, nonce=message.code))

    second_use = await visitor.change(session, password="eleven rapids before noon", nonce=message.code)
    assert error_of(second_use) == (422, "reauthentication_not_valid")
    assert json_of(await visitor.sign_in(ROSA, NEW_PASSWORD))


async def test_reauthentication_requires_a_confirmed_address(visitor: Visitor) -> None:
    session = json_of(await visitor.sign_up(ROSA))
    response = await visitor.client.get("/reauthenticate", headers=bearer(session))
    assert error_of(response) == (422, "email_not_confirmed")
    assert response.json()["message"] == "Please verify your email first."


async def test_a_nonce_can_be_required_a_day_after_signing_in(
    database: Database, settings: AuthSettings, mailbox: Mailbox, advance_clock: AdvanceClock
) -> None:
    strict_settings = settings.model_copy(
        update={"update_password_require_reauthentication": True, "access_token_lifetime": timedelta(days=7)}
    )
    async with open_visitor(database, Keyring(strict_settings), strict_settings) as visitor:
        session = await sign_up_confirmed(visitor, mailbox)
        json_of(await visitor.change(session, password=NEW_PASSWORD))

        advance_clock(timedelta(hours=25))
        response = await visitor.change(session, password="eleven rapids before noon")
        assert error_of(response) == (400, "reauthentication_needed")

        await visitor.client.get("/reauthenticate", headers=bearer(session))
        nonce = (await mailbox.newest(ROSA)).code
        assert json_of(await visitor.change(session, password="eleven rapids before noon", nonce=nonce))
