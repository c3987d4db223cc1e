from base64 import urlsafe_b64encode
from datetime import timedelta
from hashlib import sha256
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import httpx
import pytest

from tests.auth.mailbox import Mailbox
from tests.auth.test_refresh import Later
from tests.auth.visitor import NEWER, Visitor, refusal, session_of

ROSA = "rosa@rio-rafting.example"
VERIFIER = "a1" * 56
CHALLENGE = urlsafe_b64encode(sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
PKCE = {"code_challenge": CHALLENGE, "code_challenge_method": "s256"}


async def exchange(visitor: Visitor, code: str, verifier: str = VERIFIER) -> httpx.Response:
    body = {"auth_code": code, "code_verifier": verifier}
    return await visitor.client.post("/token?grant_type=pkce", json=body, headers=NEWER)


def code_in(answer: httpx.Response) -> str:
    parts = urlsplit(answer.headers["location"])
    assert parts.fragment == ""
    return parse_qs(parts.query)["code"][0]


@pytest.mark.accept("AUTH-11")
async def test_only_the_browser_that_asked_can_use_the_link(visitor: Visitor, office: Mailbox) -> None:
    await visitor.sign_up(ROSA)
    assert session_of(await visitor.ask("/recover", email=ROSA, **PKCE)) == {}
    letter = await office.newest(ROSA)
    assert letter.token_hash.startswith("pkce_")

    code = code_in(await visitor.press(letter.path))

    wrong = await exchange(visitor, code, "b2" * 56)
    assert refusal(wrong) == (400, "bad_code_verifier")
    session = session_of(await exchange(visitor, code))
    assert session["user"]["email"] == ROSA
    assert refusal(await exchange(visitor, code)) == (404, "flow_state_not_found")


async def test_a_code_is_short_lived(visitor: Visitor, office: Mailbox, later: Later) -> None:
    await visitor.ask("/otp", email=ROSA, **PKCE)
    code = code_in(await visitor.press((await office.newest(ROSA)).path))

    later(timedelta(minutes=6))

    assert refusal(await exchange(visitor, code)) == (422, "flow_state_expired")


async def test_a_code_that_was_never_handed_out_is_none(visitor: Visitor) -> None:
    for code in (str(uuid4()), "no uuid"):
        assert refusal(await exchange(visitor, code)) == (404, "flow_state_not_found")
    assert refusal(await exchange(visitor, "", "")) == (400, "validation_failed")


async def test_in_another_browser_the_hash_still_signs_in(visitor: Visitor, office: Mailbox) -> None:
    await visitor.ask("/otp", email=ROSA, **PKCE)
    hashed = (await office.newest(ROSA)).token_hash

    assert session_of(await visitor.verify("email", token_hash=hashed))["user"]["email"] == ROSA


async def test_an_error_is_told_in_the_query_as_well(visitor: Visitor, office: Mailbox) -> None:
    await visitor.ask("/otp", email=ROSA, **PKCE)
    letter = await office.newest(ROSA)
    await visitor.press(letter.path)

    again = await visitor.client.get(letter.path)

    parts = urlsplit(again.headers["location"])
    for place in (parts.query, parts.fragment):
        assert parse_qs(place)["error_code"] == ["otp_expired"]


async def test_the_plain_method_works_and_a_strange_challenge_is_refused(visitor: Visitor, office: Mailbox) -> None:
    await visitor.ask("/otp", email=ROSA, code_challenge=VERIFIER, code_challenge_method="plain")
    code = code_in(await visitor.press((await office.newest(ROSA)).path))
    assert session_of(await exchange(visitor, code))

    for challenge in ("short", "x" * 129, "ä" * 50):
        answer = await visitor.ask("/otp", email=ROSA, code_challenge=challenge, code_challenge_method="s256")
        assert refusal(answer) == (400, "validation_failed")
