"""CL3: a thief with the password, but without the second factor, cannot keep the owner out with wrong codes.

9AL1: a network has a limited number of requests about second factors, each of which writes to the log of an account.

16A1: wrong codes count from the moment at which they were entered, even after their challenge has expired, and all
networks that the owner never used also share a limit for the day.

16A3: a session with the password alone cannot verify a factor that was enrolled before.

17A6: the network of a removed factor does not count as one that the owner has used.

CL3, 9AL1, 16A1, 16A3 and 17A6 are findings in docs/security.md.
"""

from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio

from cairn.auth import AuthSettings, Keyring
from cairn.db import SERVICE, Database
from tests.abuse.test_account_mail import VisitorAt, opened_visitors, sign_up_confirmed
from tests.auth.mailbox import Mailbox
from tests.auth.mfa_client import MfaClient, current_code, enrol_app, next_code
from tests.auth.visitor import Visitor, error_of, json_of

OWNER_IP, SLOWED_DOWN = "198.51.100.7", (429, "over_request_rate_limit")
VERA = "vera@victim.example"


@pytest_asyncio.fixture
async def visitor_at(database: Database, keyring: Keyring, settings: AuthSettings) -> AsyncIterator[VisitorAt]:
    async with opened_visitors(database, keyring, settings) as visitor_at:
        yield visitor_at


async def enrol_owner(visitor_at: VisitorAt, mailbox: Mailbox) -> tuple[Visitor, dict[str, Any]]:
    """Signs up Vera and adds an authenticator app. Returns her browser and the factor."""
    owner = visitor_at(OWNER_IP)
    _, factor = await enrol_app(owner, await sign_up_confirmed(owner, mailbox))
    return owner, factor


async def guess_codes(visitor_at: VisitorAt, factor: dict[str, Any], ip: str, times: int) -> list[int]:
    """Signs in with the password, and tries wrong codes from this IP address. Returns the statuses."""
    thief = visitor_at(ip)
    client = MfaClient(thief, json_of(await thief.sign_in(VERA)))
    return [(await client.try_code(factor["id"], "000000")).status_code for _ in range(times)]


async def test_cl3_wrong_codes_from_other_networks_do_not_keep_the_owner_out(
    visitor_at: VisitorAt, mailbox: Mailbox
) -> None:
    owner, factor = await enrol_owner(visitor_at, mailbox)
    assert await guess_codes(visitor_at, factor, "203.0.113.66", 16) == [422] * 15 + [429]

    session = json_of(await owner.sign_in(VERA))
    verified = json_of(await MfaClient(owner, session).try_code(factor["id"], next_code(factor)))

    assert verified["access_token"]


async def test_cl3_more_networks_of_a_thief_do_not_bring_more_guesses(visitor_at: VisitorAt, mailbox: Mailbox) -> None:
    _, factor = await enrol_owner(visitor_at, mailbox)

    statuses = [
        status for number in range(6) for status in await guess_codes(visitor_at, factor, f"203.0.113.{number}", 3)
    ]

    assert statuses == [422] * 15 + [429] * 3


async def test_cl3_wrong_codes_in_the_network_of_the_owner_are_limited_too(
    visitor_at: VisitorAt, mailbox: Mailbox
) -> None:
    owner, factor = await enrol_owner(visitor_at, mailbox)
    assert await guess_codes(visitor_at, factor, OWNER_IP, 15) == [422] * 15

    session = json_of(await owner.sign_in(VERA))
    response = await MfaClient(owner, session).try_code(factor["id"], next_code(factor))

    assert error_of(response) == SLOWED_DOWN


async def age_challenges(database: Database, seconds: int, column: str = "created_at") -> None:
    async with database.acting_as(SERVICE) as connection:
        await connection.execute(
            f"update auth.mfa_challenges set {column} = {column} - make_interval(secs => $1)", seconds
        )


async def test_16a1_wrong_codes_count_after_their_challenge_has_expired(
    visitor_at: VisitorAt, mailbox: Mailbox, database: Database
) -> None:
    _, factor = await enrol_owner(visitor_at, mailbox)
    thief = visitor_at("203.0.113.66")
    client = MfaClient(thief, json_of(await thief.sign_in(VERA)))
    challenge = json_of(await client.challenge(factor["id"]))
    await age_challenges(database, 280)
    for _ in range(15):
        response = await client.verify(factor["id"], challenge_id=challenge["id"], code="000000")
        assert error_of(response) == (422, "mfa_verification_failed")

    await age_challenges(database, 30)

    assert error_of(await client.try_code(factor["id"], "000000")) == SLOWED_DOWN


async def test_16a1_networks_that_the_owner_never_used_share_a_limit_for_the_day(
    database: Database, keyring: Keyring, settings: AuthSettings, mailbox: Mailbox
) -> None:
    limited = settings.model_copy(update={"rate_limit_guesses": 20})
    async with opened_visitors(database, keyring, limited) as visitor_at:
        owner, factor = await enrol_owner(visitor_at, mailbox)
        assert await guess_codes(visitor_at, factor, "203.0.113.66", 15) == [422] * 15
        await age_challenges(database, 300, "last_failure_at")
        assert await guess_codes(visitor_at, factor, "203.0.113.67", 6) == [422] * 5 + [429]
        await age_challenges(database, 300, "last_failure_at")

        assert await guess_codes(visitor_at, factor, "203.0.113.68", 1) == [429]
        assert await guess_codes(visitor_at, factor, OWNER_IP, 10) == [422] * 10
        session = json_of(await owner.sign_in(VERA))
        assert json_of(await MfaClient(owner, session).try_code(factor["id"], next_code(factor)))


async def test_17a6_the_network_of_a_removed_factor_has_no_limits_of_its_own(
    database: Database, keyring: Keyring, settings: AuthSettings, mailbox: Mailbox
) -> None:
    """A thief verifies a factor and removes it, before the owner has one."""
    limited, thief_ip = settings.model_copy(update={"rate_limit_guesses": 5}), "203.0.113.66"
    async with opened_visitors(database, keyring, limited) as visitor_at:
        owner, thief = visitor_at(OWNER_IP), visitor_at(thief_ip)
        await sign_up_confirmed(owner, mailbox)
        thief_client, thief_factor = await enrol_app(thief, json_of(await thief.sign_in(VERA)))
        assert (await thief_client.remove(thief_factor["id"])).status_code == 200
        _, factor = await enrol_app(owner, json_of(await owner.sign_in(VERA)))

        assert await guess_codes(visitor_at, factor, thief_ip, 6) == [422] * 5 + [429]
        assert await guess_codes(visitor_at, factor, OWNER_IP, 6) == [422] * 6


async def test_16a3_a_verified_factor_removes_the_unverified_ones_of_all_kinds(
    visitor_at: VisitorAt, mailbox: Mailbox
) -> None:
    owner, thief = visitor_at(OWNER_IP), visitor_at("203.0.113.66")
    session = await sign_up_confirmed(owner, mailbox)
    passkey = json_of(await MfaClient(thief, json_of(await thief.sign_in(VERA))).enrol("webauthn", friendly_name="x"))

    await enrol_app(owner, session)

    client = MfaClient(thief, json_of(await thief.sign_in(VERA)))
    assert error_of(await client.challenge(passkey["id"])) == (404, "mfa_factor_not_found")


async def test_16a3_a_session_with_the_password_alone_cannot_verify_another_factor(
    visitor_at: VisitorAt, mailbox: Mailbox
) -> None:
    owner = visitor_at(OWNER_IP)
    enrolled, _ = await enrol_app(owner, await sign_up_confirmed(owner, mailbox))
    second = json_of(await enrolled.enrol(friendly_name="second"))
    challenge = json_of(await enrolled.challenge(second["id"]))
    thief = MfaClient(owner, json_of(await owner.sign_in(VERA)))
    refused = (403, "insufficient_aal")

    assert error_of(await thief.challenge(second["id"])) == refused
    proof = {"challenge_id": challenge["id"], "code": current_code(second)}
    assert error_of(await thief.verify(second["id"], **proof)) == refused
    assert json_of(await enrolled.verify(second["id"], **proof))


async def test_16a3_a_factor_that_was_enrolled_long_ago_cannot_be_verified(
    visitor_at: VisitorAt, mailbox: Mailbox, database: Database
) -> None:
    owner = visitor_at(OWNER_IP)
    client = MfaClient(owner, await sign_up_confirmed(owner, mailbox))
    factor = json_of(await client.enrol(friendly_name="app"))
    challenge = json_of(await client.challenge(factor["id"]))
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update auth.mfa_factors set created_at = now() - interval '61 minutes'")

    assert error_of(await client.challenge(factor["id"])) == (404, "mfa_factor_not_found")
    response = await client.verify(factor["id"], challenge_id=challenge["id"], code=current_code(factor))
    assert error_of(response) == (404, "mfa_factor_not_found")


async def test_9al1_a_network_has_a_limited_number_of_requests_about_second_factors(
    database: Database, keyring: Keyring, settings: AuthSettings, mailbox: Mailbox
) -> None:
    limited = settings.model_copy(update={"rate_limit_factors": 3})
    async with opened_visitors(database, keyring, limited) as visitor_at:
        owner = visitor_at(OWNER_IP)
        session = await sign_up_confirmed(owner, mailbox)
        client, elsewhere = MfaClient(owner, session), MfaClient(visitor_at("203.0.113.66"), session)
        for _ in range(3):
            assert error_of(await client.recover("aaaa-bbbb")) == (422, "mfa_verification_failed")

        assert error_of(await client.recover("aaaa-bbbb")) == SLOWED_DOWN
        assert error_of(await client.recovery_codes()) == SLOWED_DOWN
        assert error_of(await elsewhere.recover("aaaa-bbbb")) == (422, "mfa_verification_failed")
