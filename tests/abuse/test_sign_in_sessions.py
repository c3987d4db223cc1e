"""Small findings ("low" in docs/security.md): stolen passwords, redirects, and phone numbers that are taken."""

import asyncio
from datetime import timedelta

import pytest

from cairn.auth import AuthSettings
from cairn.auth.redirects import redirect_target
from cairn.db import SERVICE, Database
from tests.auth.conftest import VisitorWith
from tests.auth.mfa_client import enrol_app
from tests.auth.visitor import Visitor, error_of, json_of

ROSA = "rosa@rio-rafting.example"


@pytest.mark.parametrize("scope", ["others", "global"])
async def test_low_a_session_without_the_second_factor_cannot_sign_out_others(visitor: Visitor, scope: str) -> None:
    """Mallory knows Rosa's password, but has no second factor."""
    rosa, _ = await enrol_app(visitor, json_of(await visitor.sign_up(ROSA)))
    mallory = json_of(await visitor.sign_in(ROSA))

    response = await visitor.log_out(mallory, scope)

    assert error_of(response) == (403, "insufficient_aal")
    assert (await visitor.user(rosa.session)).status_code == 200
    own_session_ended = (await visitor.user(mallory)).status_code == 403
    assert own_session_ended == (scope == "global"), "the scope `global` includes the own session"


async def test_low_a_session_with_the_second_factor_signs_out_the_others(visitor: Visitor) -> None:
    rosa, _ = await enrol_app(visitor, json_of(await visitor.sign_up(ROSA)))
    mallory = json_of(await visitor.sign_in(ROSA))

    assert (await visitor.log_out(rosa.session, "others")).status_code == 204

    assert error_of(await visitor.user(mallory)) == (403, "session_not_found")


@pytest.mark.parametrize("target", ["http://127.0.0.1:9999/steal", "https://[::1]/steal", "http://localhost:3000/"])
@pytest.mark.accept("SAFE-29")
def test_low_a_public_site_never_redirects_to_the_users_own_machine(settings: AuthSettings, target: str) -> None:
    public_site = settings.model_copy(update={"site_url": "https://cairn.example"})

    assert redirect_target(target, public_site) == "https://cairn.example"


def test_a_development_server_redirects_to_any_port_of_this_machine(settings: AuthSettings) -> None:
    assert redirect_target("http://127.0.0.1:5173/dashboard", settings) == "http://127.0.0.1:5173/dashboard"


async def test_low_a_phone_number_taken_at_the_same_moment_is_reported_as_a_phone_number(
    visitor_with: VisitorWith,
) -> None:
    """All requests find the number free. Only the first one to write it succeeds."""
    async with visitor_with(
        external_phone_enabled=True,
        sms_autoconfirm=True,
        sms_max_frequency=timedelta(milliseconds=1),
        rate_limit_otp=1000,
    ) as visitor:
        people = [json_of(await visitor.sign_up(f"guest{number}@example.com")) for number in range(6)]
        for attempt in range(10):
            phone = f"4179000{attempt:04d}"
            responses = await asyncio.gather(*(visitor.change(person, phone=phone) for person in people))
            failures = [response for response in responses if response.status_code != 200]
            assert len(failures) == len(people) - 1
            assert {error_of(response) for response in failures} == {(422, "phone_exists")}


async def test_17a5_signing_out_is_logged_only_if_a_session_ends(visitor: Visitor, database: Database) -> None:
    """17A5 in docs/security.md: before this fix, signing out the other sessions again and again filled the log."""
    session = json_of(await visitor.sign_up(ROSA))
    await visitor.sign_in(ROSA)

    for _ in range(3):
        assert (await visitor.log_out(session, "others")).status_code == 204

    assert (await visitor.log_out(session, "global")).status_code == 204
    async with database.acting_as(SERVICE) as connection:
        entries = await connection.fetch("select payload ->> 'scope' as scope from auth.audit_log where act = 'logout'")
    assert sorted(entry["scope"] for entry in entries) == ["global", "others"]
