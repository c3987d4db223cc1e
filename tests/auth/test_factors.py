from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from cairn.app import TextSender
from cairn.auth import AuthSettings, Keyring
from cairn.db import SERVICE, Connection, Database
from cairn.kit import now
from tests.auth.conftest import open_visitor
from tests.auth.mailbox import Mailbox
from tests.auth.mfa_client import MfaClient, current_code, enrol_app, next_code
from tests.auth.security_key import SecurityKey
from tests.auth.visitor import API_VERSION_HEADER, PASSWORD, Visitor, bearer, error_of, json_of

ROSA = "rosa@rio-rafting.example"


@pytest.mark.accept("AUTH-24")
async def test_an_authenticator_app_raises_the_session_to_aal2(visitor: Visitor, keyring: Keyring) -> None:
    aal1_session = json_of(await visitor.sign_up(ROSA))
    mfa = MfaClient(visitor, aal1_session)
    factor = json_of(await mfa.enrol(friendly_name="My phone", issuer="Rio Rafting"))
    assert factor["totp"]["uri"].startswith("otpauth://totp/Rio%20Rafting:rosa%40rio-rafting.example?secret=")
    assert factor["totp"]["qr_code"].startswith("<svg ")
    assert "#" not in factor["totp"]["qr_code"]
    challenge = json_of(await mfa.challenge(factor["id"]))
    assert challenge["type"] == "totp"
    assert 290 <= challenge["expires_at"] - now().timestamp() <= 300

    aal2_session = json_of(await mfa.verify(factor["id"], challenge_id=challenge["id"], code=current_code(factor)))

    before, after = (keyring.principal(session["access_token"]).claims for session in (aal1_session, aal2_session))
    assert (before["aal"], after["aal"]) == ("aal1", "aal2")
    assert after["session_id"] == before["session_id"]
    assert [entry["method"] for entry in after["amr"]] == ["totp", "password"]
    assert aal2_session["refresh_token"] != aal1_session["refresh_token"]
    [verified] = aal2_session["user"]["factors"]
    assert (verified["id"], verified["status"], verified["friendly_name"]) == (factor["id"], "verified", "My phone")
    refreshed = json_of(await visitor.refresh(aal2_session["refresh_token"]))
    assert keyring.principal(refreshed["access_token"]).claims["aal"] == "aal2"


async def test_data_needs_the_second_factor_as_soon_as_it_is_verified(
    visitor: Visitor, keyring: Keyring, database: Database
) -> None:
    async def user_id_in_sql(session: dict[str, Any]) -> str | None:
        async with database.acting_as(keyring.principal(session["access_token"])) as connection:
            user_id: str | None = await connection.fetchval("select auth.uid()::text")
        return user_id

    first_session = json_of(await visitor.sign_up(ROSA))
    rosa_id = first_session["user"]["id"]
    json_of(await MfaClient(visitor, first_session).enrol(friendly_name="Not verified yet"))
    assert await user_id_in_sql(first_session) == rosa_id

    aal2_client, _ = await enrol_app(visitor, first_session)

    assert await user_id_in_sql(aal2_client.session) == rosa_id
    assert await user_id_in_sql(json_of(await visitor.sign_in(ROSA))) is None


async def test_b_low_a_long_name_of_the_issuer_is_refused(visitor: Visitor) -> None:
    mfa = MfaClient(visitor, json_of(await visitor.sign_up(ROSA)))

    assert error_of(await mfa.enrol(friendly_name="My phone", issuer="R" * 5000)) == (400, "bad_json")
    json_of(await mfa.enrol(friendly_name="My phone", issuer="R" * 200))


@pytest.mark.parametrize("issuer", ["\N{CANOE}" * 85, "\N{CANOE}" * 200, "\u6c5f" * 100])
async def test_12l1_an_issuer_that_is_long_in_the_qr_code_is_refused(visitor: Visitor, issuer: str) -> None:
    """12L1 in docs/security.md: drawing a code of thousands of bytes stopped the web server or failed."""
    mfa = MfaClient(visitor, json_of(await visitor.sign_up(ROSA)))

    assert error_of(await mfa.enrol(friendly_name="My phone", issuer=issuer)) == (400, "bad_json")


async def test_a_lost_response_does_not_lose_the_session(visitor: Visitor, keyring: Keyring) -> None:
    """The old refresh token is the parent of the new one, so it can be used once more."""
    aal1_session = json_of(await visitor.sign_up(ROSA))
    aal2_client, _ = await enrol_app(visitor, aal1_session)

    repeated_session = json_of(await visitor.refresh(aal1_session["refresh_token"]))

    assert repeated_session["refresh_token"] == aal2_client.session["refresh_token"]
    assert keyring.principal(repeated_session["access_token"]).claims["aal"] == "aal2"


async def test_enrolling_a_factor_ends_the_other_aal1_sessions(visitor: Visitor) -> None:
    phone, laptop = json_of(await visitor.sign_up(ROSA)), json_of(await visitor.sign_in(ROSA))
    aal2_client, factor = await enrol_app(visitor, phone)
    assert error_of(await visitor.user(laptop)) == (403, "session_not_found")
    assert error_of(await visitor.refresh(laptop["refresh_token"])) == (400, "refresh_token_not_found")

    tablet = MfaClient(visitor, json_of(await visitor.sign_in(ROSA)))
    json_of(await tablet.try_code(factor["id"], next_code(factor)))

    assert (await visitor.user(aal2_client.session)).status_code == 200


async def test_a_code_is_accepted_only_once_and_a_wrong_code_is_refused(visitor: Visitor) -> None:
    mfa, factor = await enrol_app(visitor, json_of(await visitor.sign_up(ROSA)))
    factor_id, code = factor["id"], next_code(factor)

    assert json_of(await mfa.try_code(factor_id, code))

    replayed = await mfa.try_code(factor_id, code)
    assert error_of(replayed) == (422, "mfa_verification_failed")
    assert replayed.json()["message"] == "Invalid TOTP code entered"
    for wrong_code in ("", "abcdef", current_code(factor, 5), current_code(factor, -5), "٣٤٥٦٧٨", "1" * 5000):
        assert error_of(await mfa.try_code(factor_id, wrong_code)) == (422, "mfa_verification_failed")


async def test_guessing_codes_is_rate_limited(visitor: Visitor, database: Database) -> None:
    mfa, factor = await enrol_app(visitor, json_of(await visitor.sign_up(ROSA)))
    challenge = json_of(await mfa.challenge(factor["id"]))
    for _ in range(15):
        await mfa.verify(factor["id"], challenge_id=challenge["id"], code="000000")

    response = await mfa.try_code(factor["id"], next_code(factor))

    assert error_of(response) == (429, "over_request_rate_limit")
    assert 0 < int(response.headers["retry-after"]) <= 300
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update auth.mfa_challenges set last_failure_at = now() - interval '5 minutes'")
    assert json_of(await mfa.try_code(factor["id"], next_code(factor)))


async def test_a_challenge_is_valid_once_for_five_minutes_and_for_one_ip_address(
    visitor: Visitor, database: Database
) -> None:
    mfa, factor = await enrol_app(visitor, json_of(await visitor.sign_up(ROSA)))
    challenge = json_of(await mfa.challenge(factor["id"]))

    async def verify_after(**change: Any) -> tuple[int, str]:
        async with database.acting_as(SERVICE) as connection:
            await _update_challenge(connection, challenge["id"], **change)
        return error_of(await mfa.verify(factor["id"], challenge_id=challenge["id"], code=next_code(factor)))

    assert await verify_after(ip="198.51.100.1") == (422, "mfa_ip_address_mismatch")
    assert await verify_after(created_at=now() - timedelta(seconds=301)) == (422, "mfa_challenge_expired")
    assert await verify_after(verified_at=now()) == (422, "mfa_ip_address_mismatch")
    for unknown in (str(uuid4()), "not a uuid", ""):
        response = await mfa.verify(factor["id"], challenge_id=unknown, code=next_code(factor))
        assert error_of(response) == (422, "mfa_factor_not_found")


async def _update_challenge(connection: Connection, challenge_id: str, **change: Any) -> None:
    """Makes the challenge valid except for the columns in `change`."""
    columns = {"ip": "203.0.113.7", "created_at": now(), "verified_at": None, **change}
    await connection.execute(
        "update auth.mfa_challenges set ip = $2, created_at = $3, verified_at = $4 where id = $1",
        challenge_id, columns["ip"], columns["created_at"], columns["verified_at"],
    )  # fmt: skip


async def test_a_user_cannot_use_the_factors_of_another_user(visitor: Visitor) -> None:
    rosa, factor = await enrol_app(visitor, json_of(await visitor.sign_up(ROSA)))
    mallory = MfaClient(visitor, json_of(await visitor.sign_up("mallory@rapid-rivals.example")))
    challenge = json_of(await rosa.challenge(factor["id"]))

    response = await mallory.verify(factor["id"], challenge_id=challenge["id"], code=next_code(factor))

    assert error_of(response) == (404, "mfa_factor_not_found")
    assert error_of(await mallory.challenge(factor["id"])) == (404, "mfa_factor_not_found")
    assert error_of(await mallory.remove(factor["id"])) == (404, "mfa_factor_not_found")
    assert error_of(await mallory.challenge("no-uuid")) == (404, "validation_failed")


async def test_factor_names_are_unique_and_their_number_is_limited(visitor: Visitor, database: Database) -> None:
    mfa = MfaClient(visitor, json_of(await visitor.sign_up(ROSA)))

    assert json_of(await mfa.enrol())
    assert error_of(await mfa.enrol()) == (422, "mfa_factor_name_conflict")
    for number in range(9):
        assert json_of(await mfa.enrol(friendly_name=f"number {number}"))
    assert error_of(await mfa.enrol(friendly_name="one more")) == (422, "too_many_enrolled_mfa_factors")
    assert error_of(await mfa.enrol(friendly_name="x" * 201)) == (400, "validation_failed")

    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update auth.mfa_factors set created_at = now() - interval '6 minutes'")
    assert json_of(await mfa.enrol()), "unverified factors are removed"


async def test_a_user_with_a_factor_needs_aal2_for_sensitive_changes(visitor: Visitor) -> None:
    aal2_client, factor = await enrol_app(visitor, json_of(await visitor.sign_up(ROSA)))
    aal1_client = MfaClient(visitor, json_of(await visitor.sign_in(ROSA)))

    response = await aal1_client.enrol(friendly_name="factor of a thief")
    assert error_of(response) == (403, "insufficient_aal")
    assert response.json()["message"] == "AAL2 required to enroll a new factor"
    assert error_of(await aal1_client.remove(factor["id"])) == (422, "insufficient_aal")
    assert error_of(await aal1_client.recovery_codes()) == (403, "insufficient_aal")
    for change in (
        {"password": "ten rapids before noon"},
        {"email": "mallory@rapid-rivals.example"},
        {"phone": "447700900123"},
    ):
        response = await visitor.change(aal1_client.session, **change)
        assert error_of(response) == (401, "insufficient_aal")
        assert response.json()["message"] == (
            "AAL2 session is required to update email or password when MFA is enabled."
        )
    assert json_of(await visitor.change(aal1_client.session, data={"name": "Rosa"}))
    assert json_of(await visitor.change(aal2_client.session, password="ten rapids before noon"))


async def test_enrolling_a_factor_requires_a_recent_sign_in(visitor: Visitor, database: Database) -> None:
    session = json_of(await visitor.sign_up(ROSA))
    async with database.acting_as(SERVICE) as connection:
        await connection.execute('update auth.sessions set amr = \'[{"method": "password", "timestamp": 1000}]\'')

    assert error_of(await MfaClient(visitor, session).enrol()) == (403, "reauthentication_needed")
    assert json_of(await MfaClient(visitor, json_of(await visitor.sign_in(ROSA))).enrol())


@pytest.mark.accept("AUTH-24")
async def test_removing_a_factor_lowers_the_session_to_aal1(visitor: Visitor, keyring: Keyring) -> None:
    mfa, factor = await enrol_app(visitor, json_of(await visitor.sign_up(ROSA)))
    [code, *_] = json_of(await mfa.recovery_codes())["codes"]

    response = await mfa.remove(factor["id"])

    assert (response.status_code, response.json()) == (200, {"id": factor["id"]})
    session = json_of(await visitor.refresh(mfa.session["refresh_token"]))
    claims = keyring.principal(session["access_token"]).claims
    assert (claims["aal"], [entry["method"] for entry in claims["amr"]]) == ("aal1", ["password"])
    assert "factors" not in session["user"]
    assert error_of(await MfaClient(visitor, session).recover(code)) == (422, "mfa_verification_failed")


async def test_factor_secrets_are_stored_encrypted_and_never_shown_again(visitor: Visitor, database: Database) -> None:
    mfa, factor = await enrol_app(visitor, json_of(await visitor.sign_up(ROSA)))
    secret = factor["totp"]["secret"]

    async with database.acting_as(SERVICE) as connection:
        stored_secret = await connection.fetchval("select secret from auth.mfa_factors")
        audit_log = await connection.fetchval("select jsonb_agg(payload)::text from auth.audit_log")
    assert secret not in stored_secret + audit_log
    assert secret not in (await visitor.user(mfa.session)).text


async def test_a_recovery_code_works_once(visitor: Visitor, keyring: Keyring) -> None:
    mfa, _ = await enrol_app(visitor, json_of(await visitor.sign_up(ROSA)))
    old_codes = json_of(await mfa.recovery_codes())["codes"]
    codes = json_of(await mfa.recovery_codes())["codes"]
    assert len({*old_codes, *codes}) == 20
    aal1_client = MfaClient(visitor, json_of(await visitor.sign_in(ROSA)))
    mallory = MfaClient(visitor, json_of(await visitor.sign_up("mallory@rapid-rivals.example")))

    assert error_of(await mallory.recover(codes[0])) == (422, "mfa_verification_failed")
    assert error_of(await aal1_client.recover(old_codes[0])) == (422, "mfa_verification_failed")
    aal2_session = json_of(await aal1_client.recover(f" {codes[0].replace('-', '').upper()} "))

    claims = keyring.principal(aal2_session["access_token"]).claims
    assert (claims["aal"], claims["amr"][0]["method"]) == ("aal2", "mfa/recovery_code")
    assert error_of(await aal1_client.recover(codes[0])) == (422, "mfa_verification_failed")


@pytest.mark.accept("AUTH-24")
async def test_a_security_key_is_added_and_used(visitor: Visitor, keyring: Keyring, settings: AuthSettings) -> None:
    key = SecurityKey(settings.site_url)
    mfa = MfaClient(visitor, json_of(await visitor.sign_up(ROSA)))
    factor = json_of(await mfa.enrol("webauthn", friendly_name="key"))
    challenge = json_of(await mfa.challenge(factor["id"]))
    assert challenge["webauthn"]["type"] == "create"
    new_credential = key.create(challenge["webauthn"]["credential_options"]["publicKey"])

    json_of(
        await mfa.verify(factor["id"], challenge_id=challenge["id"], webauthn={"credential_response": new_credential})
    )
    mfa = MfaClient(visitor, json_of(await visitor.sign_in(ROSA)))
    challenge = json_of(await mfa.challenge(factor["id"]))
    assert challenge["webauthn"]["type"] == "request"
    signed_response = key.get(challenge["webauthn"]["credential_options"]["publicKey"])
    aal2_session = json_of(
        await mfa.verify(factor["id"], challenge_id=challenge["id"], webauthn={"credential_response": signed_response})
    )

    claims = keyring.principal(aal2_session["access_token"]).claims
    assert (claims["aal"], claims["amr"][0]["method"]) == ("aal2", "mfa/webauthn")
    challenge = json_of(await mfa.challenge(factor["id"]))
    replayed = await mfa.verify(
        factor["id"], challenge_id=challenge["id"], webauthn={"credential_response": signed_response}
    )
    assert error_of(replayed) == (422, "mfa_verification_failed")


async def test_a_security_key_response_from_another_origin_is_refused(visitor: Visitor, settings: AuthSettings) -> None:
    mfa = MfaClient(visitor, json_of(await visitor.sign_up(ROSA)))
    factor = json_of(await mfa.enrol("webauthn"))
    challenge = json_of(await mfa.challenge(factor["id"]))
    options = challenge["webauthn"]["credential_options"]["publicKey"]

    foreign_response = SecurityKey("https://cairn.mallory.example").create(options)
    for credential in (
        foreign_response,
        {},
        {"id": 5},
        {**foreign_response, "response": {"clientDataJSON": "!"}},
        SecurityKey(settings.site_url).get({**options, "rpId": "127.0.0.1"}),
    ):
        response = await mfa.verify(
            factor["id"], challenge_id=challenge["id"], webauthn={"credential_response": credential}
        )
        assert error_of(response) == (422, "mfa_verification_failed")


def with_phone_factors(settings: AuthSettings, **changes: Any) -> AuthSettings:
    return settings.model_copy(update={"mfa": settings.mfa.model_copy(update={"phone": True}), **changes})


async def test_a_code_by_text_message_raises_the_session_to_aal2(
    database: Database, keyring: Keyring, settings: AuthSettings, mailbox: Mailbox
) -> None:
    async with open_visitor(database, keyring, with_phone_factors(settings), TextSender()) as visitor:
        mfa = MfaClient(visitor, json_of(await visitor.sign_up(ROSA)))
        assert error_of(await mfa.enrol("phone", phone="not a number")) == (400, "validation_failed")
        factor = json_of(await mfa.enrol("phone", phone="+44 7700 900123"))
        assert factor["phone"] == "447700900123"
        challenge = json_of(await mfa.challenge(factor["id"]))
        [message] = await mailbox.text_messages()
        code = message.body[-6:]

        wrong_code_response = await mfa.verify(
            factor["id"], challenge_id=challenge["id"], code=f"{(int(code) + 1) % 10**6:06}"
        )
        aal2_session = json_of(await mfa.verify(factor["id"], challenge_id=challenge["id"], code=code))
        challenges = [await mfa.challenge(factor["id"]) for _ in range(5)]

    assert message.recipient == "447700900123"
    assert error_of(wrong_code_response) == (422, "mfa_verification_rejected")
    assert keyring.principal(aal2_session["access_token"]).claims["amr"][0]["method"] == "mfa/phone"
    assert [response.status_code for response in challenges] == [200, 200, 200, 200, 429]
    assert error_of(challenges[-1]) == (429, "over_sms_send_rate_limit")
    assert challenges[-1].json()["message"].startswith("Too many codes were requested.")


async def test_factor_codes_count_towards_the_text_message_limit(
    database: Database, keyring: Keyring, settings: AuthSettings, mailbox: Mailbox
) -> None:
    async with open_visitor(
        database, keyring, with_phone_factors(settings, rate_limit_sms_sent=1), TextSender()
    ) as visitor:
        mfa = MfaClient(visitor, json_of(await visitor.sign_up(ROSA)))
        factor = json_of(await mfa.enrol("phone", phone="+44 7700 900123"))
        json_of(await mfa.challenge(factor["id"]))

        response = await mfa.challenge(factor["id"])

    assert error_of(response) == (429, "over_sms_send_rate_limit")
    assert int(response.headers["retry-after"]) > 0
    assert len(await mailbox.text_messages()) == 1


async def test_a_disabled_factor_type_cannot_be_enrolled(
    database: Database, settings: AuthSettings, visitor: Visitor
) -> None:
    mfa = MfaClient(visitor, json_of(await visitor.sign_up(ROSA)))
    assert error_of(await mfa.enrol("phone", phone="+447700900123")) == (422, "mfa_phone_enroll_not_enabled")
    assert error_of(await mfa.enrol("carrier pigeon")) == (400, "validation_failed")
    without_factors = settings.model_copy(
        update={"mfa": settings.mfa.model_copy(update={"totp": False, "webauthn": False})}
    )

    async with open_visitor(database, Keyring(without_factors), without_factors) as other_visitor:
        mfa = MfaClient(other_visitor, json_of(await other_visitor.sign_in(ROSA)))
        assert error_of(await mfa.enrol("totp")) == (422, "mfa_totp_enroll_not_enabled")
        assert error_of(await mfa.enrol("webauthn")) == (422, "mfa_webauthn_enroll_not_enabled")


@pytest.mark.accept("AUTH-28")
async def test_an_administrator_lists_and_removes_factors(visitor: Visitor, keyring: Keyring) -> None:
    mfa, factor = await enrol_app(visitor, json_of(await visitor.sign_up(ROSA)))
    factors_path = f"/admin/users/{mfa.session['user']['id']}/factors"
    admin_headers = {**API_VERSION_HEADER, "Authorization": f"Bearer {keyring.service_key}"}

    for headers in (bearer(mfa.session), {**API_VERSION_HEADER, "Authorization": f"Bearer {keyring.anon_key}"}):
        assert error_of(await visitor.client.get(factors_path, headers=headers)) == (403, "not_admin")
        assert error_of(await visitor.client.delete(f"{factors_path}/{factor['id']}", headers=headers))[0] == 403
    listed_factors = (await visitor.client.get(factors_path, headers=admin_headers)).json()
    removed_factor = json_of(await visitor.client.delete(f"{factors_path}/{factor['id']}", headers=admin_headers))

    assert [listed["id"] for listed in listed_factors] == [factor["id"]] == [removed_factor["id"]]
    assert (await visitor.client.get(factors_path, headers=admin_headers)).json() == []
    second_removal = await visitor.client.delete(f"{factors_path}/{factor['id']}", headers=admin_headers)
    assert error_of(second_removal) == (404, "mfa_factor_not_found")
    unknown_user = await visitor.client.get(f"/admin/users/{uuid4()}/factors", headers=admin_headers)
    assert error_of(unknown_user) == (404, "user_not_found")
    malformed_id = await visitor.client.get("/admin/users/x/factors", headers=admin_headers)
    assert error_of(malformed_id) == (404, "validation_failed")
    assert json_of(await visitor.sign_in(ROSA, PASSWORD))
