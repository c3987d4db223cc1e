"""People who are known by their phone."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
import pytest_asyncio

from cairn.auth import AuthSettings, Keyring
from cairn.db import Database
from tests.auth.conftest import visiting
from tests.auth.mailbox import Mailbox
from tests.auth.visitor import PASSWORD, Visitor, refusal, session_of

PHONE = "41791234567"


@pytest_asyncio.fixture
async def caller(database: Database, keyring: Keyring, settings: AuthSettings) -> AsyncIterator[Visitor]:
    """Of a house that texts."""
    texting = settings.model_copy(
        update={"external_phone_enabled": True, "sms_max_frequency": timedelta(milliseconds=1)}
    )
    async with visiting(database, keyring, texting) as arrived:
        yield arrived


async def test_a_texted_code_signs_in_once(caller: Visitor, office: Mailbox) -> None:
    asked = session_of(await caller.ask("/otp", phone="+41 79 123 45 67", data={"role": "customer"}))
    [text] = await office.texts()
    assert asked["message_id"]
    assert text.recipient == PHONE

    session = session_of(await caller.verify("sms", phone=f"+{PHONE}", token=text.code))

    assert session["user"]["phone"] == PHONE
    assert session["user"]["phone_confirmed_at"] == session["user"]["confirmed_at"]
    assert session["user"]["app_metadata"]["providers"] == ["phone"]
    assert refusal(await caller.verify("sms", phone=PHONE, token=text.code)) == (403, "otp_expired")


async def test_signing_up_by_phone_waits_for_the_code(caller: Visitor, office: Mailbox) -> None:
    bare = session_of(await caller.ask("/signup", phone=PHONE, password=PASSWORD))
    assert "access_token" not in bare
    by_phone = {"phone": PHONE, "password": PASSWORD}
    assert refusal(await caller.ask("/token?grant_type=password", **by_phone)) == (400, "phone_not_confirmed")

    assert session_of(await caller.ask("/resend", type="sms", phone=PHONE))["message_id"]
    session_of(await caller.verify("sms", phone=PHONE, token=(await office.texts())[-1].code))

    assert session_of(await caller.ask("/token?grant_type=password", **by_phone))["user"]["id"] == bare["id"]
    hidden = session_of(await caller.ask("/signup", phone=PHONE, password="another password"))
    assert hidden["identities"] == []


async def test_a_new_phone_is_proven_before_it_counts(caller: Visitor, office: Mailbox) -> None:
    session = session_of(await caller.sign_up("rosa@rio-rafting.example"))

    asked = session_of(await caller.change(session, phone=f"+{PHONE}"))
    assert (asked["phone"], asked["new_phone"]) == ("", PHONE)
    done = session_of(await caller.verify("phone_change", phone=PHONE, token=(await office.texts())[-1].code))

    assert done["user"]["phone"] == PHONE
    assert "new_phone" not in done["user"]
    mallory = session_of(await caller.sign_up("mallory@rapid-rivals.example"))
    assert refusal(await caller.change(mallory, phone=PHONE)) == (422, "phone_exists")


async def test_asking_again_for_nothing_is_answered_alike(caller: Visitor, office: Mailbox) -> None:
    for kind in ("sms", "phone_change"):
        assert session_of(await caller.ask("/resend", type=kind, phone=PHONE))["message_id"]
    assert await office.texts() == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/signup", {"phone": PHONE, "password": PASSWORD}),
        ("/token?grant_type=password", {"phone": PHONE, "password": PASSWORD}),
        ("/otp", {"phone": PHONE}),
        ("/resend", {"phone": PHONE, "type": "sms"}),
    ],
)
async def test_without_a_gateway_every_way_is_closed(visitor: Visitor, path: str, body: dict[str, str]) -> None:
    assert refusal(await visitor.ask(path, **body)) == (400, "phone_provider_disabled")
