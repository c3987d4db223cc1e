from datetime import timedelta

import pytest

from cairn.auth import AuthSettings, Keyring
from cairn.db import Database
from tests.auth.conftest import visiting
from tests.auth.mailbox import Mailbox
from tests.auth.visitor import Visitor, refusal, session_of

ROSA = "rosa@rio-rafting.example"


@pytest.mark.accept("AUTH-15", "AUTH-16")
async def test_a_code_signs_in_once(visitor: Visitor, office: Mailbox, keyring: Keyring) -> None:
    await visitor.sign_up(ROSA)
    assert session_of(await visitor.ask("/otp", email=ROSA.upper(), create_user=False)) == {}
    letter = await office.newest(ROSA)
    assert letter.subject == "Sign in to Cairn"

    wrong = "000000" if letter.code != "000000" else "111111"
    assert refusal(await visitor.verify("email", email=ROSA, token=wrong)) == (403, "otp_expired")
    session = session_of(await visitor.verify("email", email=ROSA, token=letter.code))
    assert refusal(await visitor.verify("email", email=ROSA, token=letter.code)) == (403, "otp_expired")

    assert session["user"]["email_confirmed_at"]
    claims = keyring.principal(session["access_token"]).claims
    assert [each["method"] for each in claims["amr"]] == ["otp"]


async def test_the_old_name_does_the_same(visitor: Visitor, office: Mailbox) -> None:
    await visitor.sign_up(ROSA)
    assert session_of(await visitor.ask("/magiclink", email=ROSA)) == {}
    assert (await office.newest(ROSA)).subject == "Sign in to Cairn"


async def test_somebody_new_gets_an_account_without_a_password(visitor: Visitor, office: Mailbox) -> None:
    about = {"role": "customer", "name": "Gil"}
    assert session_of(await visitor.ask("/otp", email="gil@example.com", data=about)) == {}

    letter = await office.newest("gil@example.com")
    session = session_of(await visitor.verify("magiclink", email="gil@example.com", token=letter.code))

    assert session["user"]["app_metadata"]["role"] == "customer"
    assert session["user"]["user_metadata"]["name"] == "Gil"
    assert refusal(await visitor.sign_in("gil@example.com", "")) == (400, "validation_failed")
    assert refusal(await visitor.sign_in("gil@example.com", "anything at all")) == (400, "invalid_credentials")


async def test_nobody_new_where_nobody_new_is_wanted(
    visitor: Visitor, database: Database, keyring: Keyring, settings: AuthSettings, office: Mailbox
) -> None:
    assert refusal(await visitor.ask("/otp", email=ROSA, create_user=False)) == (422, "otp_disabled")
    async with visiting(database, keyring, settings.model_copy(update={"disable_signup": True})) as late:
        assert refusal(await late.ask("/otp", email="gil@example.com")) == (422, "otp_disabled")
    assert await office.letters() == []


@pytest.mark.accept("AUTH-15")
async def test_without_a_gateway_a_phone_gets_a_clear_answer(visitor: Visitor) -> None:
    answer = await visitor.ask("/otp", phone="+41791234567")

    assert refusal(answer) == (400, "phone_provider_disabled")
    assert answer.json()["message"] == "Unsupported phone provider: no SMS gateway is set up"


@pytest.mark.parametrize(
    ("body", "words"),
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
async def test_what_cannot_be_meant_is_refused(visitor: Visitor, body: dict[str, str], words: str) -> None:
    answer = await visitor.ask("/otp", **body)
    assert refusal(answer) == (400, "validation_failed")
    assert answer.json()["message"] == words


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
async def test_a_proof_is_one_code_or_one_hash(visitor: Visitor, proof: dict[str, str]) -> None:
    assert refusal(await visitor.verify("email", **proof)) == (400, "validation_failed")
    assert refusal(await visitor.verify("nonsense", token_hash="x")) == (400, "validation_failed")


async def test_a_longer_code_where_the_house_wants_it(
    database: Database, keyring: Keyring, settings: AuthSettings, office: Mailbox
) -> None:
    longer = settings.model_copy(update={"mailer_otp_length": 8, "smtp_max_frequency": timedelta(milliseconds=1)})
    async with visiting(database, keyring, longer) as visitor:
        await visitor.ask("/otp", email=ROSA)

    assert len((await office.newest(ROSA)).code) == 8
