"""Links in emails: what opens them, what uses them up, and where they redirect to."""

from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from cairn.auth import AuthSettings, Keyring
from cairn.db import Database
from tests.auth.conftest import AdvanceClock, visiting
from tests.auth.mailbox import Mailbox
from tests.auth.visitor import Visitor, bearer, fragment, json_of, refusal

ROSA = "rosa@rio-rafting.example"


async def test_opening_a_link_only_shows_a_page(visitor: Visitor, mailbox: Mailbox) -> None:
    await visitor.sign_up(ROSA)
    message = await mailbox.newest(ROSA)

    scanned = [await visitor.client.request(method, message.path) for method in ("HEAD", "GET", "GET")]

    assert {page.status_code for page in scanned} == {200}
    assert "<script" not in scanned[1].text
    assert "frame-ancestors 'none'" in scanned[1].headers["content-security-policy"]
    assert scanned[1].headers["referrer-policy"] == "no-referrer"
    assert json_of(await visitor.verify("signup", token_hash=message.token_hash))


@pytest.mark.accept("AUTH-16")
async def test_the_button_signs_in_and_redirects_to_the_target(visitor: Visitor, mailbox: Mailbox) -> None:
    await visitor.sign_up(ROSA)
    target = "http://127.0.0.1:8000/dashboard?tab=2&sb_flow_id=7"
    await visitor.client.post("/otp", params={"redirect_to": target}, json={"email": ROSA})
    message = await mailbox.newest(ROSA)

    response = await visitor.follow_email_link(message.path)

    assert response.headers["location"].startswith(target + "#access_token=")
    session = fragment(response)
    assert session["type"] == "magiclink"
    assert session["token_type"] == "bearer"
    assert int(session["expires_in"]) == 3600
    assert (await visitor.client.get("/user", headers=bearer(session))).json()["email"] == ROSA
    assert json_of(await visitor.refresh(session["refresh_token"]))

    second = await visitor.client.get(message.path)
    assert fragment(second) == {
        "error": "access_denied",
        "error_code": "otp_expired",
        "error_description": "Email link is invalid or has expired",
        "sb": "",
    }


async def test_opening_the_link_is_enough_where_so_configured(
    database: Database, keyring: Keyring, settings: AuthSettings, mailbox: Mailbox
) -> None:
    without_page = settings.model_copy(update={"mailer_confirm_links": False})
    async with visiting(database, keyring, without_page) as visitor:
        await visitor.sign_up(ROSA)
        message = await mailbox.newest(ROSA)
        assert (await visitor.client.head(message.path)).status_code == 200

        opened = await visitor.client.get(message.path.replace("token=", "token_hash="))

    assert fragment(opened)["access_token"]


async def test_an_expired_link_is_refused(visitor: Visitor, mailbox: Mailbox, advance_clock: AdvanceClock) -> None:
    await visitor.sign_up(ROSA)
    message = await mailbox.newest(ROSA)

    advance_clock(timedelta(hours=25))

    assert fragment(await visitor.client.get(message.path))["error_code"] == "otp_expired"
    assert refusal(await visitor.verify("signup", email=ROSA, token=message.code)) == (403, "otp_expired")
    assert refusal(await visitor.verify("signup", token_hash=message.token_hash)) == (403, "otp_expired")


async def test_a_link_works_only_for_its_own_purpose(visitor: Visitor, mailbox: Mailbox) -> None:
    await visitor.sign_up(ROSA)
    message = await mailbox.newest(ROSA)

    for kind in ("recovery", "invite", "email_change"):
        assert refusal(await visitor.verify(kind, token_hash=message.token_hash)) == (403, "otp_expired")
    assert json_of(await visitor.verify("email", token_hash=message.token_hash))


@pytest.mark.parametrize("kind", ["", "nonsense", "signup"])
async def test_an_unknown_link_redirects_to_the_site_with_an_error(visitor: Visitor, kind: str) -> None:
    target = "https://evil.example/steal"

    response = await visitor.client.get("/verify", params={"token": "unknown", "type": kind, "redirect_to": target})

    assert response.headers["location"].startswith("http://127.0.0.1:8000#error=access_denied")


async def test_a_foreign_target_is_replaced_silently(visitor: Visitor, mailbox: Mailbox) -> None:
    await visitor.client.post("/signup", params={"redirect_to": "https://evil.example/"},
                              json={"email": ROSA, "password": "nine rapids before noon"})  # fmt: skip
    message = await mailbox.newest(ROSA)
    assert parse_qs(urlsplit(message.link).query)["redirect_to"] == ["http://127.0.0.1:8000"]

    tampered = message.path.replace("http%3A%2F%2F127.0.0.1%3A8000", "https%3A%2F%2Fevil.example")
    assert tampered != message.path

    response = await visitor.follow_email_link(tampered)

    assert response.headers["location"].startswith("http://127.0.0.1:8000#access_token=")


async def test_posting_a_verification_needs_an_api_key(visitor: Visitor) -> None:
    without_key = await visitor.client.post("/verify", data={"token": "x", "type": "signup"}, headers={"apikey": ""})

    assert without_key.status_code == 401
