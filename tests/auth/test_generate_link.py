from typing import Any

import pytest

from tests.auth.mailbox import Mailbox
from tests.auth.visitor import PASSWORD, Visitor, error_of, json_of, redirect_fragment

ROSA = "rosa@rio-rafting.example"
NEW_ADDRESS = "rosa@wild-water.example"


async def generate(visitor: Visitor, kind: str, email: str = ROSA, **fields: Any) -> dict[str, Any]:
    return json_of(await visitor.admin("POST", "/admin/generate_link", {"type": kind, "email": email, **fields}))


@pytest.mark.accept("AUTH-26")
@pytest.mark.parametrize("kind", ["signup", "invite", "magiclink", "recovery"])
async def test_a_generated_link_works_like_an_emailed_one(visitor: Visitor, mailbox: Mailbox, kind: str) -> None:
    if kind == "recovery":
        await visitor.sign_up(ROSA)
    email_count = len(await mailbox.emails())

    link = await generate(visitor, kind, password=PASSWORD, redirect_to="http://127.0.0.1:8000/welcome")

    assert link["email"] == ROSA
    assert link["verification_type"] == ("signup" if kind == "magiclink" else kind)
    assert link["redirect_to"] == "http://127.0.0.1:8000/welcome"
    assert link["hashed_token"] in link["action_link"]
    assert "/auth/v1/verify?token=" in link["action_link"]
    assert len(await mailbox.emails()) == email_count, "the administrator sends the link"
    response = await visitor.follow_email_link(link["action_link"].partition("/auth/v1")[2])
    assert response.headers["location"].startswith("http://127.0.0.1:8000/welcome#")
    assert redirect_fragment(response)["access_token"]


async def test_the_code_of_a_generated_link_works(visitor: Visitor) -> None:
    await visitor.sign_up(ROSA)
    link = await generate(visitor, "magiclink")

    assert json_of(await visitor.verify("email", email=ROSA, token=link["email_otp"]))["user"]["id"] == link["id"]


async def test_generated_links_change_an_address(visitor: Visitor, mailbox: Mailbox) -> None:
    await visitor.sign_up(ROSA)
    await visitor.verify("signup", token_hash=(await mailbox.newest(ROSA)).token_hash)
    old_address_link = await generate(visitor, "email_change_current", new_email=NEW_ADDRESS)
    new_address_link = await generate(visitor, "email_change_new", new_email=NEW_ADDRESS)

    first_confirmation = json_of(await visitor.verify("email_change", token_hash=new_address_link["hashed_token"]))
    second_confirmation = json_of(await visitor.verify("email_change", token_hash=old_address_link["hashed_token"]))

    assert "type=email_change&" in new_address_link["action_link"]
    assert first_confirmation["code"] == "200"
    assert second_confirmation["user"]["email"] == NEW_ADDRESS


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"type": "recovery", "email": "unknown@example.com"}, (404, "user_not_found")),
        (
            {"type": "email_change_new", "email": "unknown@example.com", "new_email": NEW_ADDRESS},
            (404, "user_not_found"),
        ),
        ({"type": "signup", "email": ROSA}, (400, "validation_failed")),
        ({"type": "signup", "email": ROSA, "password": "short"}, (422, "weak_password")),
        ({"type": "nonsense", "email": ROSA}, (400, "validation_failed")),
        ({"type": "magiclink"}, (400, "validation_failed")),
        ({"type": "magiclink", "email": "no address"}, (400, "validation_failed")),
    ],
)
async def test_an_invalid_request_is_refused(visitor: Visitor, body: dict[str, str], expected: tuple[int, str]) -> None:
    assert error_of(await visitor.admin("POST", "/admin/generate_link", body)) == expected
