import pytest

from cairn.auth.constant_time import MIN_RESPONSE_SECONDS
from tests.auth.mailbox import Mailbox
from tests.auth.visitor import Visitor, error_of, json_of, redirect_fragment

ROSA = "rosa@rio-rafting.example"


@pytest.mark.accept("AUTH-20")
async def test_a_forgotten_password_is_replaced(visitor: Visitor, mailbox: Mailbox) -> None:
    other_session = json_of(await visitor.sign_up(ROSA))
    assert json_of(await visitor.post("/recover", email=ROSA)) == {}

    session = redirect_fragment(await visitor.follow_email_link((await mailbox.newest(ROSA)).path))
    assert session["type"] == "recovery"
    json_of(await visitor.change(session, password="ten rapids before noon"))

    assert error_of(await visitor.sign_in(ROSA)) == (400, "invalid_credentials")
    assert json_of(await visitor.sign_in(ROSA, "ten rapids before noon"))
    assert error_of(await visitor.user(other_session)) == (403, "session_not_found")


@pytest.mark.constant_time
async def test_the_response_does_not_reveal_whether_an_account_exists(visitor: Visitor, mailbox: Mailbox) -> None:
    await visitor.sign_up(ROSA)

    known_response = await visitor.post("/recover", email=ROSA)
    unknown_response = await visitor.post("/recover", email="unknown@example.com")
    second_responses = [await visitor.post("/recover", email=email) for email in (ROSA, "unknown@example.com")]

    assert (
        (known_response.status_code, known_response.json())
        == (unknown_response.status_code, unknown_response.json())
        == (200, {})
    )
    assert min(known_response.elapsed, unknown_response.elapsed).total_seconds() >= MIN_RESPONSE_SECONDS - 0.01, (
        "neither response is faster"
    )
    assert [error_of(response) for response in second_responses] == [(429, "over_email_send_rate_limit")] * 2
    subjects = [message.subject for message in await mailbox.emails()]
    assert subjects == ["Confirm your email address", "Choose a new password"]


async def test_an_address_is_required(visitor: Visitor) -> None:
    response = await visitor.post("/recover")
    assert response.json()["message"] == "An email address is required"
