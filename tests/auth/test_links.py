"""Mailed links: what opens them, what uses them up, and where they lead."""

from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from cairn.auth import AuthSettings, Keyring
from cairn.db import Database
from tests.auth.conftest import visiting
from tests.auth.mailbox import Mailbox
from tests.auth.test_refresh import Later
from tests.auth.visitor import Visitor, bearer, fragment, refusal, session_of

ROSA = "rosa@rio-rafting.example"


async def test_opening_a_link_only_shows_a_page(visitor: Visitor, office: Mailbox) -> None:
    await visitor.sign_up(ROSA)
    letter = await office.newest(ROSA)

    scanned = [await visitor.client.request(method, letter.path) for method in ("HEAD", "GET", "GET")]

    assert {page.status_code for page in scanned} == {200}
    assert "<script" not in scanned[1].text
    assert "frame-ancestors 'none'" in scanned[1].headers["content-security-policy"]
    assert scanned[1].headers["referrer-policy"] == "no-referrer"
    assert session_of(await visitor.verify("signup", token_hash=letter.token_hash))


@pytest.mark.accept("AUTH-16")
async def test_the_button_signs_in_and_leads_back(visitor: Visitor, office: Mailbox) -> None:
    await visitor.sign_up(ROSA)
    target = "http://127.0.0.1:8000/dashboard?tab=2&sb_flow_id=7"
    await visitor.client.post("/otp", params={"redirect_to": target}, json={"email": ROSA})
    letter = await office.newest(ROSA)

    answer = await visitor.press(letter.path)

    assert answer.headers["location"].startswith(target + "#access_token=")
    session = fragment(answer)
    assert session["type"] == "magiclink"
    assert session["token_type"] == "bearer"
    assert int(session["expires_in"]) == 3600
    assert (await visitor.client.get("/user", headers=bearer(session))).json()["email"] == ROSA
    assert session_of(await visitor.refresh(session["refresh_token"]))

    second = await visitor.client.get(letter.path)
    assert fragment(second) == {
        "error": "access_denied",
        "error_code": "otp_expired",
        "error_description": "Email link is invalid or has expired",
        "sb": "",
    }


async def test_where_the_house_says_so_opening_is_enough(
    database: Database, keyring: Keyring, settings: AuthSettings, office: Mailbox
) -> None:
    plain = settings.model_copy(update={"mailer_confirm_links": False})
    async with visiting(database, keyring, plain) as visitor:
        await visitor.sign_up(ROSA)
        letter = await office.newest(ROSA)
        assert (await visitor.client.head(letter.path)).status_code == 200

        opened = await visitor.client.get(letter.path.replace("token=", "token_hash="))

    assert fragment(opened)["access_token"]


async def test_an_old_link_is_worth_nothing(visitor: Visitor, office: Mailbox, later: Later) -> None:
    await visitor.sign_up(ROSA)
    letter = await office.newest(ROSA)

    later(timedelta(hours=25))

    assert fragment(await visitor.client.get(letter.path))["error_code"] == "otp_expired"
    assert refusal(await visitor.verify("signup", email=ROSA, token=letter.code)) == (403, "otp_expired")
    assert refusal(await visitor.verify("signup", token_hash=letter.token_hash)) == (403, "otp_expired")


async def test_a_link_is_good_for_its_own_purpose_alone(visitor: Visitor, office: Mailbox) -> None:
    await visitor.sign_up(ROSA)
    letter = await office.newest(ROSA)

    for kind in ("recovery", "invite", "email_change"):
        assert refusal(await visitor.verify(kind, token_hash=letter.token_hash)) == (403, "otp_expired")
    assert session_of(await visitor.verify("email", token_hash=letter.token_hash))


@pytest.mark.parametrize("kind", ["", "nonsense", "signup"])
async def test_a_link_nobody_sent_leads_to_the_site_with_an_error(visitor: Visitor, kind: str) -> None:
    target = "https://evil.example/steal"

    answer = await visitor.client.get("/verify", params={"token": "made up", "type": kind, "redirect_to": target})

    assert answer.headers["location"].startswith("http://127.0.0.1:8000#error=access_denied")


async def test_a_foreign_target_is_silently_replaced(visitor: Visitor, office: Mailbox) -> None:
    await visitor.client.post("/signup", params={"redirect_to": "https://evil.example/"},
                              json={"email": ROSA, "password": "nine rapids before noon"})  # fmt: skip
    letter = await office.newest(ROSA)
    assert parse_qs(urlsplit(letter.link).query)["redirect_to"] == ["http://127.0.0.1:8000"]

    tampered = letter.path.replace("http%3A%2F%2F127.0.0.1%3A8000", "https%3A%2F%2Fevil.example")
    assert tampered != letter.path

    answer = await visitor.press(tampered)

    assert answer.headers["location"].startswith("http://127.0.0.1:8000#access_token=")


async def test_the_button_needs_no_header_that_a_form_cannot_send(visitor: Visitor) -> None:
    without_key = await visitor.client.post("/verify", data={"token": "x", "type": "signup"}, headers={"apikey": ""})

    assert without_key.status_code == 401
