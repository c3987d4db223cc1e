import pytest

from cairn.auth.constant_time import RESPONSE_SECONDS
from tests.auth.mailbox import Mailbox
from tests.auth.visitor import Visitor, fragment, refusal, session_of

ROSA = "rosa@rio-rafting.example"


@pytest.mark.accept("AUTH-20")
async def test_a_forgotten_password_is_replaced(visitor: Visitor, office: Mailbox) -> None:
    elsewhere = session_of(await visitor.sign_up(ROSA))
    assert session_of(await visitor.ask("/recover", email=ROSA)) == {}

    session = fragment(await visitor.press((await office.newest(ROSA)).path))
    assert session["type"] == "recovery"
    session_of(await visitor.change(session, password="ten rapids before noon"))

    assert refusal(await visitor.sign_in(ROSA)) == (400, "invalid_credentials")
    assert session_of(await visitor.sign_in(ROSA, "ten rapids before noon"))
    assert refusal(await visitor.user(elsewhere)) == (403, "session_not_found")


async def test_nobody_learns_whether_an_address_has_an_account(visitor: Visitor, office: Mailbox) -> None:
    await visitor.sign_up(ROSA)

    known = await visitor.ask("/recover", email=ROSA)
    unknown = await visitor.ask("/recover", email="nobody@example.com")
    again = [await visitor.ask("/recover", email=email) for email in (ROSA, "nobody@example.com")]

    assert (known.status_code, known.json()) == (unknown.status_code, unknown.json()) == (200, {})
    assert min(known.elapsed, unknown.elapsed).total_seconds() >= RESPONSE_SECONDS - 0.01, "neither answers sooner"
    assert [refusal(answer) for answer in again] == [(429, "over_email_send_rate_limit")] * 2
    subjects = [letter.subject for letter in await office.letters()]
    assert subjects == ["Confirm your email address", "Choose a new password"]


async def test_an_address_is_needed(visitor: Visitor) -> None:
    answer = await visitor.ask("/recover")
    assert answer.json()["message"] == "An email address is required"
