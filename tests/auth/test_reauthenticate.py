from datetime import timedelta

import pytest

from cairn.auth import AuthSettings, Keyring
from cairn.db import Database
from tests.auth.conftest import visiting
from tests.auth.mailbox import Mailbox
from tests.auth.test_refresh import Later
from tests.auth.visitor import Visitor, bearer, refusal, session_of

ROSA = "rosa@rio-rafting.example"
NEXT = "ten rapids before noon"


async def confirmed(visitor: Visitor, office: Mailbox) -> dict[str, object]:
    await visitor.sign_up(ROSA)
    return session_of(await visitor.verify("signup", token_hash=(await office.newest(ROSA)).token_hash))


@pytest.mark.accept("AUTH-18")
async def test_a_nonce_changes_the_password_once(visitor: Visitor, office: Mailbox) -> None:
    session = await confirmed(visitor, office)
    assert session_of(await visitor.client.get("/reauthenticate", headers=bearer(session))) == {}
    letter = await office.newest(ROSA)
    assert "http" not in letter.body

    wrong = "000000" if letter.code != "000000" else "111111"
    assert refusal(await visitor.change(session, password=NEXT, nonce=wrong)) == (422, "reauthentication_not_valid")
    session_of(await visitor.change(session, password=NEXT, nonce=letter.code))

    used = await visitor.change(session, password="eleven rapids before noon", nonce=letter.code)
    assert refusal(used) == (422, "reauthentication_not_valid")
    assert session_of(await visitor.sign_in(ROSA, NEXT))


async def test_only_a_confirmed_address_can_prove_anything(visitor: Visitor) -> None:
    session = session_of(await visitor.sign_up(ROSA))
    answer = await visitor.client.get("/reauthenticate", headers=bearer(session))
    assert refusal(answer) == (422, "email_not_confirmed")
    assert answer.json()["message"] == "Please verify your email first."


async def test_a_strict_house_asks_for_the_nonce_a_day_after_sign_in(
    database: Database, settings: AuthSettings, office: Mailbox, later: Later
) -> None:
    strict = settings.model_copy(
        update={"update_password_require_reauthentication": True, "access_token_lifetime": timedelta(days=7)}
    )
    async with visiting(database, Keyring(strict), strict) as visitor:
        session = await confirmed(visitor, office)
        session_of(await visitor.change(session, password=NEXT))

        later(timedelta(hours=25))
        late = await visitor.change(session, password="eleven rapids before noon")
        assert refusal(late) == (400, "reauthentication_needed")

        await visitor.client.get("/reauthenticate", headers=bearer(session))
        nonce = (await office.newest(ROSA)).code
        assert session_of(await visitor.change(session, password="eleven rapids before noon", nonce=nonce))
