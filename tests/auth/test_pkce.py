from base64 import urlsafe_b64encode
from datetime import timedelta
from hashlib import sha256
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import httpx
import pytest

from tests.auth.conftest import AdvanceClock
from tests.auth.mailbox import Mailbox
from tests.auth.oauth_flow import VERIFIER, exchange
from tests.auth.visitor import Visitor, error_of, json_of

ROSA = "rosa@rio-rafting.example"
CHALLENGE = urlsafe_b64encode(sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
PKCE = {"code_challenge": CHALLENGE, "code_challenge_method": "s256"}


def code_from_redirect(response: httpx.Response) -> str:
    parts = urlsplit(response.headers["location"])
    assert parts.fragment == ""
    return parse_qs(parts.query)["code"][0]


@pytest.mark.accept("AUTH-11")
async def test_only_the_browser_that_requested_the_link_can_use_it(visitor: Visitor, mailbox: Mailbox) -> None:
    await visitor.sign_up(ROSA)
    assert json_of(await visitor.post("/recover", email=ROSA, **PKCE)) == {}
    message = await mailbox.newest(ROSA)
    assert message.token_hash.startswith("pkce_")

    code = code_from_redirect(await visitor.follow_email_link(message.path))

    wrong_verifier = await exchange(visitor, code, "b" * 112)
    assert error_of(wrong_verifier) == (400, "bad_code_verifier")
    session = json_of(await exchange(visitor, code))
    assert session["user"]["email"] == ROSA
    assert error_of(await exchange(visitor, code)) == (404, "flow_state_not_found")


async def test_a_code_expires(visitor: Visitor, mailbox: Mailbox, advance_clock: AdvanceClock) -> None:
    await visitor.post("/otp", email=ROSA, **PKCE)
    code = code_from_redirect(await visitor.follow_email_link((await mailbox.newest(ROSA)).path))

    advance_clock(timedelta(minutes=6))

    assert error_of(await exchange(visitor, code)) == (422, "flow_state_expired")


async def test_an_unknown_code_is_refused(visitor: Visitor) -> None:
    for code in (str(uuid4()), "not a uuid"):
        assert error_of(await exchange(visitor, code)) == (404, "flow_state_not_found")
    assert error_of(await exchange(visitor, "", "")) == (400, "validation_failed")


async def test_the_token_hash_signs_in_from_another_browser(visitor: Visitor, mailbox: Mailbox) -> None:
    await visitor.post("/otp", email=ROSA, **PKCE)
    token_hash = (await mailbox.newest(ROSA)).token_hash

    assert json_of(await visitor.verify("email", token_hash=token_hash))["user"]["email"] == ROSA


async def test_an_error_is_reported_in_the_query_and_in_the_fragment(visitor: Visitor, mailbox: Mailbox) -> None:
    await visitor.post("/otp", email=ROSA, **PKCE)
    message = await mailbox.newest(ROSA)
    await visitor.follow_email_link(message.path)

    second_response = await visitor.client.get(message.path)

    parts = urlsplit(second_response.headers["location"])
    for parameters in (parts.query, parts.fragment):
        assert parse_qs(parameters)["error_code"] == ["otp_expired"]


async def test_the_plain_method_works_and_a_malformed_challenge_is_refused(visitor: Visitor, mailbox: Mailbox) -> None:
    await visitor.post("/otp", email=ROSA, code_challenge=VERIFIER, code_challenge_method="plain")
    code = code_from_redirect(await visitor.follow_email_link((await mailbox.newest(ROSA)).path))
    assert json_of(await exchange(visitor, code))

    for challenge in ("short", "x" * 129, "ä" * 50):
        response = await visitor.post("/otp", email=ROSA, code_challenge=challenge, code_challenge_method="s256")
        assert error_of(response) == (400, "validation_failed")
