"""Users follow the links in their emails. Each link shows a page with a button, which works once and redirects."""

from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.auth.conftest import AdvanceClock, VisitorWith
from tests.auth.mailbox import Mailbox
from tests.auth.visitor import Visitor, bearer, error_of, json_of, redirect_fragment

ROSA = "rosa@rio-rafting.example"


async def test_opening_a_link_only_shows_a_page(visitor: Visitor, mailbox: Mailbox) -> None:
    await visitor.sign_up(ROSA)
    message = await mailbox.newest(ROSA)

    pages = [await visitor.client.request(method, message.path) for method in ("HEAD", "GET", "GET")]

    assert {page.status_code for page in pages} == {200}
    assert "<script" not in pages[1].text
    assert "frame-ancestors 'none'" in pages[1].headers["content-security-policy"]
    assert pages[1].headers["referrer-policy"] == "no-referrer"
    assert json_of(await visitor.verify("signup", token_hash=message.token_hash))


@pytest.mark.accept("AUTH-16")
async def test_the_button_signs_in_and_redirects_to_the_target(visitor: Visitor, mailbox: Mailbox) -> None:
    await visitor.sign_up(ROSA)
    target = "http://127.0.0.1:8000/dashboard?tab=2&sb_flow_id=7"
    await visitor.client.post("/otp", params={"redirect_to": target}, json={"email": ROSA})
    message = await mailbox.newest(ROSA)

    response = await visitor.follow_email_link(message.path)

    assert response.headers["location"].startswith(target + "#access_token=")
    session = redirect_fragment(response)
    assert session["type"] == "magiclink"
    assert session["token_type"] == "bearer"
    assert int(session["expires_in"]) == 3600
    assert (await visitor.client.get("/user", headers=bearer(session))).json()["email"] == ROSA
    assert json_of(await visitor.refresh(session["refresh_token"]))

    second_response = await visitor.client.get(message.path)
    assert redirect_fragment(second_response) == {
        "error": "access_denied",
        "error_code": "otp_expired",
        "error_description": "Email link is invalid or has expired",
        "sb": "",
    }


async def test_the_page_with_the_button_can_be_disabled(visitor_with: VisitorWith, mailbox: Mailbox) -> None:
    async with visitor_with(mailer_confirm_links=False) as visitor:
        await visitor.sign_up(ROSA)
        sign_up_page = await visitor.client.get((await mailbox.newest(ROSA)).path)
        await visitor.post("/otp", email=ROSA)
        message = await mailbox.newest(ROSA)
        assert (await visitor.client.head(message.path)).status_code == 200

        response = await visitor.client.get(message.path.replace("token=", "token_hash="))

    assert redirect_fragment(response)["access_token"]
    assert 'type="password"' in sign_up_page.text, "the link of a sign-up always asks for the password"


async def test_an_expired_link_is_refused(visitor: Visitor, mailbox: Mailbox, advance_clock: AdvanceClock) -> None:
    await visitor.sign_up(ROSA)
    message = await mailbox.newest(ROSA)

    advance_clock(timedelta(hours=25))

    assert redirect_fragment(await visitor.client.get(message.path))["error_code"] == "otp_expired"
    assert error_of(await visitor.verify("signup", email=ROSA, token=message.code)) == (403, "otp_expired")
    assert error_of(await visitor.verify("signup", token_hash=message.token_hash)) == (403, "otp_expired")


async def test_a_link_works_only_for_its_own_purpose(visitor: Visitor, mailbox: Mailbox) -> None:
    await visitor.sign_up(ROSA)
    message = await mailbox.newest(ROSA)

    for kind in ("recovery", "invite", "email_change"):
        assert error_of(await visitor.verify(kind, token_hash=message.token_hash)) == (403, "otp_expired")
    assert json_of(await visitor.verify("email", token_hash=message.token_hash))


@pytest.mark.parametrize("kind", ["", "nonsense", "signup"])
async def test_an_unknown_link_redirects_to_the_site_with_an_error(visitor: Visitor, kind: str) -> None:
    target = "https://evil.example/steal"

    response = await visitor.client.get("/verify", params={"token": "unknown", "type": kind, "redirect_to": target})

    assert response.headers["location"].startswith("http://127.0.0.1:8000#error=access_denied")


async def test_a_foreign_redirect_target_is_replaced_by_the_site(visitor: Visitor, mailbox: Mailbox) -> None:
    await visitor.client.post("/signup", params={"redirect_to": "https://evil.example/"},
                              json={"email": ROSA, "password": "nine rapids before noon"})  # fmt: skip
    message = await mailbox.newest(ROSA)
    assert parse_qs(urlsplit(message.link).query)["redirect_to"] == ["http://127.0.0.1:8000"]

    tampered_path = message.path.replace("http%3A%2F%2F127.0.0.1%3A8000", "https%3A%2F%2Fevil.example")
    assert tampered_path != message.path

    response = await visitor.follow_email_link(tampered_path)

    assert response.headers["location"].startswith("http://127.0.0.1:8000#access_token=")


async def test_posting_a_verification_needs_an_api_key(visitor: Visitor) -> None:
    response = await visitor.client.post("/verify", data={"token": "x", "type": "signup"}, headers={"apikey": ""})

    assert response.status_code == 401
