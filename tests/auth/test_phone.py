"""Users can sign in with a phone number.

H1 is a finding in docs/security.md.
"""

from uuid import UUID

import pytest

from cairn.db import Database
from cairn.messaging.send_text import send_text
from tests.auth.conftest import VisitorWith
from tests.auth.mailbox import Mailbox
from tests.auth.visitor import PASSWORD, Visitor, error_of, json_of

PHONE = "41791234567"


async def test_a_texted_code_signs_in_once(phone_visitor: Visitor, mailbox: Mailbox) -> None:
    response = json_of(await phone_visitor.post("/otp", phone="+41 79 123 45 67", data={"role": "customer"}))
    [text] = await mailbox.text_messages()
    assert response["message_id"]
    assert text.recipient == PHONE

    session = json_of(await phone_visitor.verify("sms", phone=f"+{PHONE}", token=text.code))

    assert session["user"]["phone"] == PHONE
    assert session["user"]["phone_confirmed_at"] == session["user"]["confirmed_at"]
    assert session["user"]["app_metadata"]["providers"] == ["phone"]
    assert error_of(await phone_visitor.verify("sms", phone=PHONE, token=text.code)) == (403, "otp_expired")


async def test_a_sign_up_by_phone_is_confirmed_with_the_code(phone_visitor: Visitor, mailbox: Mailbox) -> None:
    unconfirmed = json_of(await phone_visitor.post("/signup", phone=PHONE, password=PASSWORD))
    assert "access_token" not in unconfirmed
    credentials = {"phone": PHONE, "password": PASSWORD}
    early_sign_in = await phone_visitor.post("/token?grant_type=password", **credentials)
    assert error_of(early_sign_in) == (400, "phone_not_confirmed")

    assert json_of(await phone_visitor.post("/resend", type="sms", phone=PHONE))["message_id"]
    json_of(await phone_visitor.verify("sms", phone=PHONE, token=(await mailbox.text_messages())[-1].code))

    session = json_of(await phone_visitor.post("/token?grant_type=password", **credentials))
    assert session["user"]["id"] == unconfirmed["id"]
    decoy = json_of(await phone_visitor.post("/signup", phone=PHONE, password="another password"))
    assert decoy["identities"] == []


async def test_h1_a_texted_sign_in_removes_the_password_of_the_person_who_signed_up_with_the_number(
    phone_visitor: Visitor, mailbox: Mailbox
) -> None:
    """Mallory signs up with Gil's number and never confirms it. Gil requests a code, and has it sent again."""
    json_of(await phone_visitor.post("/signup", phone=PHONE, password=PASSWORD))
    json_of(await phone_visitor.post("/otp", phone=PHONE))
    json_of(await phone_visitor.post("/resend", type="sms", phone=PHONE))
    gil = json_of(await phone_visitor.verify("sms", phone=PHONE, token=(await mailbox.text_messages())[-1].code))

    mallory = await phone_visitor.post("/token?grant_type=password", phone=PHONE, password=PASSWORD)

    assert error_of(mallory) == (400, "invalid_credentials")
    assert gil["user"]["app_metadata"]["providers"] == ["phone"]
    assert gil["user"]["phone_confirmed_at"]


async def test_a_new_phone_number_is_verified_before_it_is_used(phone_visitor: Visitor, mailbox: Mailbox) -> None:
    session = json_of(await phone_visitor.sign_up("rosa@rio-rafting.example"))

    pending = json_of(await phone_visitor.change(session, phone=f"+{PHONE}"))
    assert (pending["phone"], pending["new_phone"]) == ("", PHONE)
    changed_session = json_of(
        await phone_visitor.verify("phone_change", phone=PHONE, token=(await mailbox.text_messages())[-1].code)
    )

    assert changed_session["user"]["phone"] == PHONE
    assert "new_phone" not in changed_session["user"]
    mallory = json_of(await phone_visitor.sign_up("mallory@rapid-rivals.example"))
    assert error_of(await phone_visitor.change(mallory, phone=PHONE)) == (422, "phone_exists")


async def test_resending_without_a_pending_confirmation_gets_the_same_response(
    phone_visitor: Visitor, mailbox: Mailbox
) -> None:
    for kind in ("sms", "phone_change"):
        assert json_of(await phone_visitor.post("/resend", type=kind, phone=PHONE))["message_id"]
    assert await mailbox.text_messages() == []


async def test_a_code_that_the_gateway_refused_can_be_requested_again_at_once(
    visitor_with: VisitorWith, database: Database
) -> None:
    async with visitor_with(external_phone_enabled=True) as visitor:
        message_id = json_of(await visitor.post("/otp", phone=PHONE))["message_id"]
        too_early = await visitor.post("/otp", phone=PHONE)
        # Without a gateway, the worker refuses the message itself.
        await send_text(database, None, UUID(message_id), last_try=False)
        again = await visitor.post("/otp", phone=PHONE)
        once_more = await visitor.post("/otp", phone=PHONE)

    assert error_of(too_early) == (429, "over_sms_send_rate_limit")
    assert json_of(again)["message_id"] != message_id
    assert error_of(once_more) == (429, "over_sms_send_rate_limit")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/signup", {"phone": PHONE, "password": PASSWORD}),
        ("/token?grant_type=password", {"phone": PHONE, "password": PASSWORD}),
        ("/otp", {"phone": PHONE}),
        ("/resend", {"phone": PHONE, "type": "sms"}),
    ],
)
async def test_without_an_sms_gateway_every_phone_request_is_refused(
    visitor: Visitor, path: str, body: dict[str, str]
) -> None:
    assert error_of(await visitor.post(path, **body)) == (400, "phone_provider_disabled")
