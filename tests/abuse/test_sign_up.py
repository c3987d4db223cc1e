"""Low finding in docs/security.md: a sign-up does not reveal whether the address has an account.

That applies to servers that require a confirmed address.
"""

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
import pytest_asyncio

from cairn.auth.constant_time import MIN_RESPONSE_SECONDS
from tests.auth.conftest import VisitorWith
from tests.auth.mailbox import Mailbox
from tests.auth.visitor import Visitor, error_of, json_of

ROSA = "rosa@rio-rafting.example"
PASSWORD_OF_MALLORY = "mallory asks around"


@pytest_asyncio.fixture
async def strict_visitor(visitor_with: VisitorWith) -> AsyncIterator[Visitor]:
    """Returns a visitor of a server that requires a confirmed address before the first sign-in."""
    async with visitor_with(
        allow_unverified_email_sign_ins=False, smtp_max_frequency=timedelta(milliseconds=1)
    ) as visitor:
        yield visitor


async def sign_up_as_mallory(visitor: Visitor, email: str) -> httpx.Response:
    return await visitor.sign_up(email, PASSWORD_OF_MALLORY, name="Mallory", role="customer")


@pytest.mark.constant_time
@pytest.mark.parametrize("state", ["unknown", "unconfirmed", "confirmed"])
@pytest.mark.accept("SAFE-03")
async def test_low_every_sign_up_gets_the_same_response_in_the_same_time(
    strict_visitor: Visitor, mailbox: Mailbox, state: str
) -> None:
    if state != "unknown":
        json_of(await strict_visitor.sign_up(ROSA, name="Rosa Marín", role="company"))
    if state == "confirmed":
        await strict_visitor.verify("signup", token_hash=(await mailbox.newest(ROSA)).token_hash)

    response = await sign_up_as_mallory(strict_visitor, ROSA)
    user = json_of(response)

    assert response.elapsed.total_seconds() >= MIN_RESPONSE_SECONDS - 0.01
    assert user["email"] == ROSA
    assert user["user_metadata"] == {"name": "Mallory"}
    assert "Rosa" not in response.text, "the name of another person is not shown"
    assert "company_id" not in response.text, "nor the role or the company"
    assert user["confirmation_sent_at"]
    assert "email_confirmed_at" not in user
    for name in ("created_at", "updated_at"):
        assert _age(user[name]) < timedelta(seconds=3), f"{name} looks new"


async def test_low_an_existing_account_is_not_changed_and_gets_no_session(
    strict_visitor: Visitor, mailbox: Mailbox
) -> None:
    await strict_visitor.sign_up(ROSA)
    await strict_visitor.verify("signup", token_hash=(await mailbox.newest(ROSA)).token_hash)

    response = json_of(await sign_up_as_mallory(strict_visitor, ROSA))

    assert "access_token" not in response
    assert response["identities"] == [], "supabase-js applications recognize an existing account by this"
    assert error_of(await strict_visitor.sign_in(ROSA, PASSWORD_OF_MALLORY)) == (400, "invalid_credentials")


def _age(timestamp: Any) -> timedelta:
    return datetime.now().astimezone() - datetime.fromisoformat(timestamp)
