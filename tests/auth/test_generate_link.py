from typing import Any

import pytest

from tests.auth.mailbox import Mailbox
from tests.auth.visitor import PASSWORD, Visitor, fragment, refusal, session_of

ROSA = "rosa@rio-rafting.example"
MOVED = "rosa@wild-water.example"


async def generate(visitor: Visitor, kind: str, email: str = ROSA, **more: Any) -> dict[str, Any]:
    return session_of(await visitor.admin("POST", "/admin/generate_link", {"type": kind, "email": email, **more}))


@pytest.mark.accept("AUTH-26")
@pytest.mark.parametrize("kind", ["signup", "invite", "magiclink", "recovery"])
async def test_a_generated_link_works_like_a_mailed_one(visitor: Visitor, office: Mailbox, kind: str) -> None:
    if kind == "recovery":
        await visitor.sign_up(ROSA)
    before = len(await office.letters())

    made = await generate(visitor, kind, password=PASSWORD, redirect_to="http://127.0.0.1:8000/welcome")

    assert made["email"] == ROSA
    assert made["verification_type"] == ("signup" if kind == "magiclink" else kind)
    assert made["redirect_to"] == "http://127.0.0.1:8000/welcome"
    assert made["hashed_token"] in made["action_link"]
    assert "/auth/v1/verify?token=" in made["action_link"]
    assert len(await office.letters()) == before, "it is for the administrator to send"
    answer = await visitor.press(made["action_link"].partition("/auth/v1")[2])
    assert answer.headers["location"].startswith("http://127.0.0.1:8000/welcome#")
    assert fragment(answer)["access_token"]


async def test_the_code_of_a_link_works_too(visitor: Visitor) -> None:
    await visitor.sign_up(ROSA)
    made = await generate(visitor, "magiclink")

    assert session_of(await visitor.verify("email", email=ROSA, token=made["email_otp"]))["user"]["id"] == made["id"]


async def test_the_two_links_of_a_change_of_address(visitor: Visitor, office: Mailbox) -> None:
    await visitor.sign_up(ROSA)
    await visitor.verify("signup", token_hash=(await office.newest(ROSA)).token_hash)
    old = await generate(visitor, "email_change_current", new_email=MOVED)
    new = await generate(visitor, "email_change_new", new_email=MOVED)

    half = session_of(await visitor.verify("email_change", token_hash=new["hashed_token"]))
    whole = session_of(await visitor.verify("email_change", token_hash=old["hashed_token"]))

    assert "type=email_change&" in new["action_link"]
    assert half["code"] == "200"
    assert whole["user"]["email"] == MOVED


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        ({"type": "recovery", "email": "nobody@example.com"}, (404, "user_not_found")),
        ({"type": "email_change_new", "email": "nobody@example.com", "new_email": MOVED}, (404, "user_not_found")),
        ({"type": "signup", "email": ROSA}, (400, "validation_failed")),
        ({"type": "signup", "email": ROSA, "password": "short"}, (422, "weak_password")),
        ({"type": "nonsense", "email": ROSA}, (400, "validation_failed")),
        ({"type": "magiclink"}, (400, "validation_failed")),
        ({"type": "magiclink", "email": "nobody"}, (400, "validation_failed")),
    ],
)
async def test_what_cannot_be_made_is_refused(visitor: Visitor, body: dict[str, str], answer: tuple[int, str]) -> None:
    assert refusal(await visitor.admin("POST", "/admin/generate_link", body)) == answer
