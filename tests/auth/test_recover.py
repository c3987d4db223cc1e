import pytest

from cairn.auth.constant_time import MIN_RESPONSE_SECONDS
from tests.auth.mailbox import Mailbox
from tests.auth.visitor import Visitor, fragment, json_of, refusal

ROSA = "rosa@rio-rafting.example"


@pytest.mark.accept("AUTH-20")
async def test_a_forgotten_password_is_replaced(visitor: Visitor, mailbox: Mailbox) -> None:
    other_session = json_of(await visitor.sign_up(ROSA))
    assert json_of(await visitor.post("/recover", email=ROSA)) == {}

    session = fragment(await visitor.follow_email_link((await mailbox.newest(ROSA)).path))
    assert session["type"] == "recovery"
    json_of(await visitor.change(session, password="ten rapids before noon"))

    assert refusal(await visitor.sign_in(ROSA)) == (400, "invalid_credentials")
    assert json_of(await visitor.sign_in(ROSA, "ten rapids before noon"))
    assert refusal(await visitor.user(other_session)) == (403, "session_not_found")


async def test_the_response_does_not_reveal_whether_an_account_exists(visitor: Visitor, mailbox: Mailbox) -> None:
    await visitor.sign_up(ROSA)

    known = await visitor.post("/recover", email=ROSA)
    unknown = await visitor.post("/recover", email="unknown@example.com")
    again = [await visitor.post("/recover", email=email) for email in (ROSA, "unknown@example.com")]

    assert (known.status_code, known.json()) == (unknown.status_code, unknown.json()) == (200, {})
    assert min(known.elapsed, unknown.elapsed).total_seconds() >= MIN_RESPONSE_SECONDS - 0.01, (
        "neither response is faster"
    )
    assert [refusal(response) for response in again] == [(429, "over_email_send_rate_limit")] * 2
    subjects = [message.subject for message in await mailbox.emails()]
    assert subjects == ["Confirm your email address", "Choose a new password"]


async def test_an_address_is_required(visitor: Visitor) -> None:
    response = await visitor.post("/recover")
    assert response.json()["message"] == "An email address is required"
