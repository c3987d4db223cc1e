"""11A1: strangers cannot use up the text messages of the server, without which owners of accounts cannot sign in.

16A9: strangers cannot lock the owner of a phone number out with wrong codes.

11A1 and 16A9 are findings in docs/security.md.
"""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest_asyncio

from cairn.app import TextSender
from cairn.auth import AuthSettings, Keyring
from cairn.db import Database
from tests.abuse.test_account_mail import VisitorAt, opened_visitors, sign_up_confirmed
from tests.auth.mailbox import Mailbox
from tests.auth.mfa_client import MfaClient
from tests.auth.visitor import Visitor, json_of

OWNER_IP, VERA = "198.51.100.7", "vera@victim.example"
MAX_TEXTS = 12


@pytest_asyncio.fixture
async def visitor_at(database: Database, keyring: Keyring, settings: AuthSettings) -> AsyncIterator[VisitorAt]:
    limited = settings.model_copy(
        update={
            "mfa": settings.mfa.model_copy(update={"phone": True}),
            "external_phone_enabled": True,
            "smtp_max_frequency": timedelta(milliseconds=1),
            "rate_limit_sms_sent": MAX_TEXTS,
        }
    )
    async with opened_visitors(database, keyring, limited, TextSender()) as visitor_at:
        yield visitor_at


async def request_texts(visitor: Visitor, prefix: int) -> int:
    """Requests codes for numbers of strangers until one is refused. Returns how many were accepted."""
    for number in range(MAX_TEXTS):
        response = await visitor.post("/otp", phone=f"+4179{prefix}{number:04}")
        if response.status_code == 429:
            assert response.json()["code"] == "over_sms_send_rate_limit"
            return number
        assert response.status_code == 200, response.text
    return MAX_TEXTS


async def test_11a1_strangers_do_not_keep_owners_from_their_second_factor(
    visitor_at: VisitorAt, mailbox: Mailbox
) -> None:
    owner = visitor_at(OWNER_IP)
    enrolling = MfaClient(owner, await sign_up_confirmed(owner, mailbox))
    factor = json_of(await enrolling.enrol("phone", phone="+44 7700 900123"))
    challenge = json_of(await enrolling.challenge(factor["id"]))
    code = (await mailbox.text_messages())[-1].body[-6:]
    json_of(await enrolling.verify(factor["id"], challenge_id=challenge["id"], code=code))

    # One network gets a third of the 12 texts, and all new numbers together half. One of these six texts went to the
    # owner, whose number was new above.
    assert await request_texts(visitor_at("203.0.113.1"), 100) == 4
    assert [await request_texts(visitor_at(f"203.0.113.{number}"), 200 + number) for number in (2, 3, 4)] == [1, 0, 0]

    signed_in = MfaClient(owner, json_of(await owner.sign_in(VERA)))
    assert json_of(await signed_in.challenge(factor["id"]))["id"]


async def test_11a1_numbers_that_were_not_confirmed_as_second_factors_count_as_those_of_strangers(
    visitor_at: VisitorAt, mailbox: Mailbox
) -> None:
    for number in range(2):
        await request_texts(visitor_at(f"203.0.113.{number}"), 300 + number)
    visitor = visitor_at(OWNER_IP)
    mallory = MfaClient(visitor, await sign_up_confirmed(visitor, mailbox))
    factor = json_of(await mallory.enrol("phone", phone="+44 7700 900123"))

    assert (await mallory.challenge(factor["id"])).status_code == 429


async def test_16a9_wrong_codes_of_strangers_do_not_lock_the_owner_of_a_number_out(
    database: Database, keyring: Keyring, settings: AuthSettings, mailbox: Mailbox
) -> None:
    phone = "447700900123"
    limited = settings.model_copy(
        update={
            "external_phone_enabled": True,
            "sms_max_frequency": timedelta(milliseconds=1),
            "rate_limit_guesses": 3,
        }
    )

    async def guess(visitor: Visitor) -> int:
        return (await visitor.verify("sms", phone=phone, token="x")).status_code

    async def sign_in(visitor: Visitor) -> int:
        json_of(await visitor.post("/otp", phone=phone))
        code = (await mailbox.text_messages())[-1].code
        return (await visitor.verify("sms", phone=phone, token=code)).status_code

    async with opened_visitors(database, keyring, limited, TextSender()) as visitor_at:
        owner = visitor_at(OWNER_IP)
        assert await sign_in(owner) == 200
        assert [await guess(visitor_at(f"203.0.113.{number}")) for number in range(4)] == [403, 403, 403, 429]

        assert await sign_in(owner) == 200
        assert await sign_in(visitor_at("203.0.113.9")) == 429
        assert [await guess(owner) for _ in range(4)] == [403, 403, 403, 429]
