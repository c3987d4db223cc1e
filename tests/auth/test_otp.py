from datetime import timedelta

import pytest

from cairn.auth import Keyring
from cairn.db import SERVICE, Database
from tests.auth.conftest import VisitorWith
from tests.auth.mailbox import Mailbox
from tests.auth.visitor import Visitor, error_of, json_of

ROSA = "rosa@rio-rafting.example"


@pytest.mark.accept("AUTH-15", "AUTH-16")
async def test_a_code_signs_in_once(visitor: Visitor, mailbox: Mailbox, keyring: Keyring) -> None:
    await visitor.sign_up(ROSA)
    assert json_of(await visitor.post("/otp", email=ROSA.upper(), create_user=False)) == {}
    message = await mailbox.newest(ROSA)
    assert message.subject == "Sign in to Cairn"

    wrong_code = "000000" if message.code != "000000" else "111111"
    assert error_of(await visitor.verify("email", email=ROSA, token=wrong_code)) == (403, "otp_expired")
    session = json_of(await visitor.verify("email", email=ROSA, token=message.code))
    assert error_of(await visitor.verify("email", email=ROSA, token=message.code)) == (403, "otp_expired")

    assert session["user"]["email_confirmed_at"]
    claims = keyring.principal(session["access_token"]).claims
    assert [entry["method"] for entry in claims["amr"]] == ["otp"]


async def test_a_code_of_a_confirmed_account_signs_in_once(
    visitor: Visitor, mailbox: Mailbox, database: Database
) -> None:
    """An unconfirmed account would prove little: its first code hands the account over, which deletes all codes."""
    await visitor.sign_up(ROSA)
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update auth.users set email_confirmed_at = now()")
    json_of(await visitor.post("/otp", email=ROSA, create_user=False))
    message = await mailbox.newest(ROSA)

    assert json_of(await visitor.verify("email", email=ROSA, token=message.code))["access_token"]

    assert error_of(await visitor.verify("email", email=ROSA, token=message.code)) == (403, "otp_expired")
    assert error_of(await visitor.verify("email", token_hash=message.token_hash)) == (403, "otp_expired")


async def test_magiclink_is_an_alias_of_otp(visitor: Visitor, mailbox: Mailbox) -> None:
    await visitor.sign_up(ROSA)
    assert json_of(await visitor.post("/magiclink", email=ROSA)) == {}
    assert (await mailbox.newest(ROSA)).subject == "Sign in to Cairn"


async def test_a_new_address_gets_an_account_without_a_password(visitor: Visitor, mailbox: Mailbox) -> None:
    metadata = {"role": "customer", "name": "Gil"}
    assert json_of(await visitor.post("/otp", email="gil@example.com", data=metadata)) == {}

    message = await mailbox.newest("gil@example.com")
    session = json_of(await visitor.verify("magiclink", email="gil@example.com", token=message.code))

    assert session["user"]["app_metadata"]["role"] == "customer"
    assert session["user"]["user_metadata"]["name"] == "Gil"
    assert error_of(await visitor.sign_in("gil@example.com", "")) == (400, "validation_failed")
    assert error_of(await visitor.sign_in("gil@example.com", "anything at all")) == (400, "invalid_credentials")


async def test_no_account_is_created_when_sign_up_is_disabled(
    visitor: Visitor, visitor_with: VisitorWith, mailbox: Mailbox
) -> None:
    assert error_of(await visitor.post("/otp", email=ROSA, create_user=False)) == (422, "otp_disabled")
    async with visitor_with(disable_signup=True) as visitor_without_signup:
        assert error_of(await visitor_without_signup.post("/otp", email="gil@example.com")) == (422, "otp_disabled")
    assert await mailbox.emails() == []


@pytest.mark.accept("AUTH-15")
async def test_without_an_sms_gateway_phone_codes_are_refused(visitor: Visitor) -> None:
    response = await visitor.post("/otp", phone="+41791234567")

    assert error_of(response) == (400, "phone_provider_disabled")
    assert response.json()["message"] == "Unsupported phone provider: no SMS gateway is set up"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "One of email or phone must be set"),
        ({"email": ROSA, "channel": "sms"}, "Channel should only be specified with Phone OTP"),
        ({"phone": "12", "channel": "sms"}, "Invalid phone number format (E.164 required)"),
        (
            {"phone": "+41791234567", "channel": "pigeon"},
            "Invalid channel, supported values are 'sms' or 'whatsapp'",
        ),
        ({"email": ROSA, "code_challenge": "x" * 43}, "PKCE flow requires code_challenge_method and code_challenge"),
    ],
)
async def test_an_invalid_request_is_refused(visitor: Visitor, body: dict[str, str], message: str) -> None:
    response = await visitor.post("/otp", **body)
    assert error_of(response) == (400, "validation_failed")
    assert response.json()["message"] == message


@pytest.mark.parametrize(
    "proof",
    [
        {"email": ROSA},
        {"token": "123456", "token_hash": "x", "email": ROSA},
        {"token_hash": "x", "email": ROSA},
        {"token": "123456"},
        {"token": "123456", "email": ROSA, "phone": "+41791234567"},
    ],
)
async def test_verification_requires_either_a_code_or_a_hash(visitor: Visitor, proof: dict[str, str]) -> None:
    assert error_of(await visitor.verify("email", **proof)) == (400, "validation_failed")
    assert error_of(await visitor.verify("nonsense", token_hash="x")) == (400, "validation_failed")


async def test_the_length_of_codes_can_be_configured(visitor_with: VisitorWith, mailbox: Mailbox) -> None:
    async with visitor_with(mailer_otp_length=8, smtp_max_frequency=timedelta(milliseconds=1)) as visitor:
        await visitor.post("/otp", email=ROSA)

    assert len((await mailbox.newest(ROSA)).code) == 8
