from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from cairn.app import Texts
from cairn.auth import AuthSettings, Keyring
from cairn.db import SERVICE, Connection, Database
from cairn.kit import now
from tests.auth.conftest import visiting
from tests.auth.mailbox import Mailbox
from tests.auth.mfa_client import Hand, code_of, next_code_of, with_app
from tests.auth.security_key import SecurityKey
from tests.auth.visitor import NEWER, PASSWORD, Visitor, bearer, refusal, session_of

ROSA = "rosa@rio-rafting.example"


@pytest.mark.accept("AUTH-24")
async def test_an_authenticator_app_raises_the_session(visitor: Visitor, keyring: Keyring) -> None:
    first = session_of(await visitor.sign_up(ROSA))
    hand = Hand(visitor, first)
    enrolled = session_of(await hand.enrol(friendly_name="My phone", issuer="Rio Rafting"))
    assert enrolled["totp"]["uri"].startswith("otpauth://totp/Rio%20Rafting:rosa%40rio-rafting.example?secret=")
    assert enrolled["totp"]["qr_code"].startswith("<svg ")
    assert "#" not in enrolled["totp"]["qr_code"]
    question = session_of(await hand.challenge(enrolled["id"]))
    assert question["type"] == "totp"
    assert 290 <= question["expires_at"] - now().timestamp() <= 300

    raised = session_of(await hand.verify(enrolled["id"], challenge_id=question["id"], code=code_of(enrolled)))

    before, after = (keyring.principal(session["access_token"]).claims for session in (first, raised))
    assert (before["aal"], after["aal"]) == ("aal1", "aal2")
    assert after["session_id"] == before["session_id"]
    assert [entry["method"] for entry in after["amr"]] == ["totp", "password"]
    assert raised["refresh_token"] != first["refresh_token"]
    [factor] = raised["user"]["factors"]
    assert (factor["id"], factor["status"], factor["friendly_name"]) == (enrolled["id"], "verified", "My phone")
    refreshed = session_of(await visitor.refresh(raised["refresh_token"]))
    assert keyring.principal(refreshed["access_token"]).claims["aal"] == "aal2"


async def test_an_answer_lost_on_the_way_loses_no_session(visitor: Visitor, keyring: Keyring) -> None:
    """The old refresh token is the direct parent of the new one and may come back."""
    first = session_of(await visitor.sign_up(ROSA))
    raised, _ = await with_app(visitor, first)

    again = session_of(await visitor.refresh(first["refresh_token"]))

    assert again["refresh_token"] == raised.session["refresh_token"]
    assert keyring.principal(again["access_token"]).claims["aal"] == "aal2"


async def test_sessions_that_never_showed_a_factor_end_and_raised_ones_go_on(visitor: Visitor) -> None:
    phone, laptop = session_of(await visitor.sign_up(ROSA)), session_of(await visitor.sign_in(ROSA))
    raised, enrolled = await with_app(visitor, phone)
    assert refusal(await visitor.user(laptop)) == (403, "session_not_found")
    assert refusal(await visitor.refresh(laptop["refresh_token"])) == (400, "refresh_token_not_found")

    tablet = Hand(visitor, session_of(await visitor.sign_in(ROSA)))
    session_of(await tablet.try_code(enrolled["id"], next_code_of(enrolled)))

    assert (await visitor.user(raised.session)).status_code == 200


async def test_a_code_is_accepted_once_and_a_wrong_one_never(visitor: Visitor) -> None:
    hand, enrolled = await with_app(visitor, session_of(await visitor.sign_up(ROSA)))
    factor, code = enrolled["id"], next_code_of(enrolled)

    assert session_of(await hand.try_code(factor, code))

    replayed = await hand.try_code(factor, code)
    assert refusal(replayed) == (422, "mfa_verification_failed")
    assert replayed.json()["message"] == "Invalid TOTP code entered"
    for wrong in ("", "abcdef", code_of(enrolled, 5), code_of(enrolled, -5), "٣٤٥٦٧٨", "1" * 5000):
        assert refusal(await hand.try_code(factor, wrong)) == (422, "mfa_verification_failed")


async def test_whoever_guesses_has_to_wait(visitor: Visitor, database: Database) -> None:
    hand, enrolled = await with_app(visitor, session_of(await visitor.sign_up(ROSA)))
    question = session_of(await hand.challenge(enrolled["id"]))
    for _ in range(15):
        await hand.verify(enrolled["id"], challenge_id=question["id"], code="000000")

    answer = await hand.try_code(enrolled["id"], next_code_of(enrolled))

    assert refusal(answer) == (429, "over_request_rate_limit")
    assert 0 < int(answer.headers["retry-after"]) <= 300
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update auth.mfa_challenges set created_at = created_at - interval '5 minutes'")
    assert session_of(await hand.try_code(enrolled["id"], next_code_of(enrolled)))


async def test_a_challenge_is_answered_once_in_time_and_from_where_it_was_posed(
    visitor: Visitor, database: Database
) -> None:
    hand, enrolled = await with_app(visitor, session_of(await visitor.sign_up(ROSA)))
    question = session_of(await hand.challenge(enrolled["id"]))

    async def answered(**change: Any) -> tuple[int, str]:
        async with database.acting_as(SERVICE) as connection:
            await _alter(connection, question["id"], **change)
        return refusal(await hand.verify(enrolled["id"], challenge_id=question["id"], code=next_code_of(enrolled)))

    assert await answered(ip="198.51.100.1") == (422, "mfa_ip_address_mismatch")
    assert await answered(created_at=now() - timedelta(seconds=301)) == (422, "mfa_challenge_expired")
    assert await answered(verified_at=now()) == (422, "mfa_ip_address_mismatch")
    for unknown in (str(uuid4()), "no uuid", ""):
        answer = await hand.verify(enrolled["id"], challenge_id=unknown, code=next_code_of(enrolled))
        assert refusal(answer) == (422, "mfa_factor_not_found")


async def _alter(connection: Connection, challenge_id: str, **change: Any) -> None:
    fresh = {"ip": "203.0.113.7", "created_at": now(), "verified_at": None, **change}
    await connection.execute(
        "update auth.mfa_challenges set ip = $2, created_at = $3, verified_at = $4 where id = $1",
        challenge_id, *fresh.values(),
    )  # fmt: skip


async def test_the_factors_of_others_do_not_exist(visitor: Visitor) -> None:
    rosa, enrolled = await with_app(visitor, session_of(await visitor.sign_up(ROSA)))
    mallory = Hand(visitor, session_of(await visitor.sign_up("mallory@rapid-rivals.example")))
    question = session_of(await rosa.challenge(enrolled["id"]))

    foreign = await mallory.verify(enrolled["id"], challenge_id=question["id"], code=next_code_of(enrolled))

    assert refusal(foreign) == (404, "mfa_factor_not_found")
    assert refusal(await mallory.challenge(enrolled["id"])) == (404, "mfa_factor_not_found")
    assert refusal(await mallory.remove(enrolled["id"])) == (404, "mfa_factor_not_found")
    assert refusal(await mallory.challenge("no-uuid")) == (404, "validation_failed")


async def test_names_are_not_used_twice_and_there_is_an_end_of_them(visitor: Visitor, database: Database) -> None:
    hand = Hand(visitor, session_of(await visitor.sign_up(ROSA)))

    assert session_of(await hand.enrol())
    assert refusal(await hand.enrol()) == (422, "mfa_factor_name_conflict")
    for number in range(9):
        assert session_of(await hand.enrol(friendly_name=f"number {number}"))
    assert refusal(await hand.enrol(friendly_name="one more")) == (422, "too_many_enrolled_mfa_factors")
    assert refusal(await hand.enrol(friendly_name="x" * 201)) == (400, "validation_failed")

    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update auth.mfa_factors set created_at = now() - interval '6 minutes'")
    assert session_of(await hand.enrol()), "what was never finished is forgotten"


async def test_with_a_factor_a_bare_password_opens_less(visitor: Visitor) -> None:
    raised, enrolled = await with_app(visitor, session_of(await visitor.sign_up(ROSA)))
    bare = Hand(visitor, session_of(await visitor.sign_in(ROSA)))

    more = await bare.enrol(friendly_name="the thief's")
    assert refusal(more) == (403, "insufficient_aal")
    assert more.json()["message"] == "AAL2 required to enroll a new factor"
    assert refusal(await bare.remove(enrolled["id"])) == (422, "insufficient_aal")
    assert refusal(await bare.recovery_codes()) == (403, "insufficient_aal")
    for change in (
        {"password": "ten rapids before noon"},
        {"email": "mallory@rapid-rivals.example"},
        {"phone": "447700900123"},
    ):
        refused = await visitor.change(bare.session, **change)
        assert refusal(refused) == (401, "insufficient_aal")
        assert refused.json()["message"] == (
            "AAL2 session is required to update email or password when MFA is enabled."
        )
    assert session_of(await visitor.change(bare.session, data={"name": "Rosa"}))
    assert session_of(await visitor.change(raised.session, password="ten rapids before noon"))


async def test_a_factor_is_added_only_soon_after_signing_in(visitor: Visitor, database: Database) -> None:
    session = session_of(await visitor.sign_up(ROSA))
    async with database.acting_as(SERVICE) as connection:
        await connection.execute('update auth.sessions set amr = \'[{"method": "password", "timestamp": 1000}]\'')

    assert refusal(await Hand(visitor, session).enrol()) == (403, "reauthentication_needed")
    assert session_of(await Hand(visitor, session_of(await visitor.sign_in(ROSA))).enrol())


@pytest.mark.accept("AUTH-24")
async def test_a_removed_factor_takes_its_trust_along(visitor: Visitor, keyring: Keyring) -> None:
    hand, enrolled = await with_app(visitor, session_of(await visitor.sign_up(ROSA)))
    [code, *_] = session_of(await hand.recovery_codes())["codes"]

    answer = await hand.remove(enrolled["id"])

    assert (answer.status_code, answer.json()) == (200, {"id": enrolled["id"]})
    session = session_of(await visitor.refresh(hand.session["refresh_token"]))
    claims = keyring.principal(session["access_token"]).claims
    assert (claims["aal"], [entry["method"] for entry in claims["amr"]]) == ("aal1", ["password"])
    assert "factors" not in session["user"]
    assert refusal(await Hand(visitor, session).recover(code)) == (422, "mfa_verification_failed")


async def test_secrets_of_factors_are_sealed_and_never_shown_again(visitor: Visitor, database: Database) -> None:
    hand, enrolled = await with_app(visitor, session_of(await visitor.sign_up(ROSA)))
    secret = enrolled["totp"]["secret"]

    async with database.acting_as(SERVICE) as connection:
        stored = await connection.fetchval("select secret from auth.mfa_factors")
        logged = await connection.fetchval("select jsonb_agg(facts)::text from auth.audit_log")
    assert secret not in stored + logged
    assert secret not in (await visitor.user(hand.session)).text


async def test_a_recovery_code_stands_in_once(visitor: Visitor, keyring: Keyring) -> None:
    hand, _ = await with_app(visitor, session_of(await visitor.sign_up(ROSA)))
    old = session_of(await hand.recovery_codes())["codes"]
    codes = session_of(await hand.recovery_codes())["codes"]
    assert len({*old, *codes}) == 20
    bare = Hand(visitor, session_of(await visitor.sign_in(ROSA)))
    mallory = Hand(visitor, session_of(await visitor.sign_up("mallory@rapid-rivals.example")))

    assert refusal(await mallory.recover(codes[0])) == (422, "mfa_verification_failed")
    assert refusal(await bare.recover(old[0])) == (422, "mfa_verification_failed")
    raised = session_of(await bare.recover(f" {codes[0].replace('-', '').upper()} "))

    claims = keyring.principal(raised["access_token"]).claims
    assert (claims["aal"], claims["amr"][0]["method"]) == ("aal2", "mfa/recovery_code")
    assert refusal(await bare.recover(codes[0])) == (422, "mfa_verification_failed")


@pytest.mark.accept("AUTH-24")
async def test_a_security_key_is_added_and_used(visitor: Visitor, keyring: Keyring, settings: AuthSettings) -> None:
    key = SecurityKey(settings.site_url)
    hand = Hand(visitor, session_of(await visitor.sign_up(ROSA)))
    factor = session_of(await hand.enrol("webauthn", friendly_name="key"))
    asked = session_of(await hand.challenge(factor["id"]))
    assert asked["webauthn"]["type"] == "create"
    made = key.create(asked["webauthn"]["credential_options"]["publicKey"])

    session_of(await hand.verify(factor["id"], challenge_id=asked["id"], webauthn={"credential_response": made}))
    hand = Hand(visitor, session_of(await visitor.sign_in(ROSA)))
    asked = session_of(await hand.challenge(factor["id"]))
    assert asked["webauthn"]["type"] == "request"
    signed = key.get(asked["webauthn"]["credential_options"]["publicKey"])
    raised = session_of(
        await hand.verify(factor["id"], challenge_id=asked["id"], webauthn={"credential_response": signed})
    )

    claims = keyring.principal(raised["access_token"]).claims
    assert (claims["aal"], claims["amr"][0]["method"]) == ("aal2", "mfa/webauthn")
    asked = session_of(await hand.challenge(factor["id"]))
    replayed = await hand.verify(factor["id"], challenge_id=asked["id"], webauthn={"credential_response": signed})
    assert refusal(replayed) == (422, "mfa_verification_failed")


async def test_a_key_used_on_another_page_or_another_key_is_refused(visitor: Visitor, settings: AuthSettings) -> None:
    hand = Hand(visitor, session_of(await visitor.sign_up(ROSA)))
    factor = session_of(await hand.enrol("webauthn"))
    asked = session_of(await hand.challenge(factor["id"]))
    options = asked["webauthn"]["credential_options"]["publicKey"]

    phished = SecurityKey("https://cairn.mallory.example").create(options)
    for answer in (
        phished,
        {},
        {"id": 5},
        {**phished, "response": {"clientDataJSON": "!"}},
        SecurityKey(settings.site_url).get({**options, "rpId": "127.0.0.1"}),
    ):
        refused = await hand.verify(factor["id"], challenge_id=asked["id"], webauthn={"credential_response": answer})
        assert refusal(refused) == (422, "mfa_verification_failed")


def by_phone(settings: AuthSettings, **more: Any) -> AuthSettings:
    return settings.model_copy(update={"mfa": settings.mfa.model_copy(update={"phone": True}), **more})


async def test_a_code_by_text_message_raises_the_session(
    database: Database, keyring: Keyring, settings: AuthSettings, office: Mailbox
) -> None:
    async with visiting(database, keyring, by_phone(settings), Texts()) as visitor:
        hand = Hand(visitor, session_of(await visitor.sign_up(ROSA)))
        assert refusal(await hand.enrol("phone", phone="not a number")) == (400, "validation_failed")
        factor = session_of(await hand.enrol("phone", phone="+44 7700 900123"))
        assert factor["phone"] == "447700900123"
        asked = session_of(await hand.challenge(factor["id"]))
        [message] = await office.texts()
        code = message.body[-6:]

        wrong = await hand.verify(factor["id"], challenge_id=asked["id"], code=f"{(int(code) + 1) % 10**6:06}")
        raised = session_of(await hand.verify(factor["id"], challenge_id=asked["id"], code=code))
        limited = [(await hand.challenge(factor["id"])).status_code for _ in range(5)]

    assert message.recipient == "447700900123"
    assert refusal(wrong) == (422, "mfa_verification_rejected")
    assert keyring.principal(raised["access_token"]).claims["amr"][0]["method"] == "mfa/phone"
    assert limited == [200, 200, 200, 200, 429]


async def test_codes_of_factors_count_among_the_text_messages_of_the_house(
    database: Database, keyring: Keyring, settings: AuthSettings, office: Mailbox
) -> None:
    async with visiting(database, keyring, by_phone(settings, rate_limit_sms_sent=1), Texts()) as visitor:
        hand = Hand(visitor, session_of(await visitor.sign_up(ROSA)))
        factor = session_of(await hand.enrol("phone", phone="+44 7700 900123"))
        session_of(await hand.challenge(factor["id"]))

        refused = await hand.challenge(factor["id"])

    assert refusal(refused) == (429, "over_sms_send_rate_limit")
    assert int(refused.headers["retry-after"]) > 0
    assert len(await office.texts()) == 1


async def test_what_is_not_offered_is_not_enrolled(
    database: Database, settings: AuthSettings, visitor: Visitor
) -> None:
    hand = Hand(visitor, session_of(await visitor.sign_up(ROSA)))
    assert refusal(await hand.enrol("phone", phone="+447700900123")) == (422, "mfa_phone_enroll_not_enabled")
    assert refusal(await hand.enrol("carrier pigeon")) == (400, "validation_failed")
    closed = settings.model_copy(update={"mfa": settings.mfa.model_copy(update={"totp": False, "webauthn": False})})

    async with visiting(database, Keyring(closed), closed) as there:
        hand = Hand(there, session_of(await there.sign_in(ROSA)))
        assert refusal(await hand.enrol("totp")) == (422, "mfa_totp_enroll_not_enabled")
        assert refusal(await hand.enrol("webauthn")) == (422, "mfa_webauthn_enroll_not_enabled")


@pytest.mark.accept("AUTH-28")
async def test_an_administrator_lists_and_removes_factors(visitor: Visitor, keyring: Keyring) -> None:
    hand, enrolled = await with_app(visitor, session_of(await visitor.sign_up(ROSA)))
    factors = f"/admin/users/{hand.session['user']['id']}/factors"
    service = {**NEWER, "Authorization": f"Bearer {keyring.service_key}"}

    for stranger in (bearer(hand.session), {**NEWER, "Authorization": f"Bearer {keyring.anon_key}"}):
        assert refusal(await visitor.client.get(factors, headers=stranger)) == (403, "not_admin")
        assert refusal(await visitor.client.delete(f"{factors}/{enrolled['id']}", headers=stranger))[0] == 403
    listed = (await visitor.client.get(factors, headers=service)).json()
    removed = session_of(await visitor.client.delete(f"{factors}/{enrolled['id']}", headers=service))

    assert [factor["id"] for factor in listed] == [enrolled["id"]] == [removed["id"]]
    assert (await visitor.client.get(factors, headers=service)).json() == []
    assert refusal(await visitor.client.delete(f"{factors}/{enrolled['id']}", headers=service)) == (
        404,
        "mfa_factor_not_found",
    )
    nobody = await visitor.client.get(f"/admin/users/{uuid4()}/factors", headers=service)
    assert refusal(nobody) == (404, "user_not_found")
    assert refusal(await visitor.client.get("/admin/users/x/factors", headers=service)) == (404, "validation_failed")
    assert session_of(await visitor.sign_in(ROSA, PASSWORD))
