"""H1: someone who signs up with a stranger's address keeps nothing once the stranger has proven to own it.

H1 and IL4 are findings in docs/security.md.
"""

import asyncio
from typing import Any

import pytest

from cairn.app import TextSender
from cairn.auth import AuthSettings, Keyring
from cairn.auth.model import s256
from cairn.db import SERVICE, Connection, Database
from tests.auth.conftest import open_visitor
from tests.auth.mailbox import Mailbox
from tests.auth.mfa_client import MfaClient, enrol_app
from tests.auth.visitor import PASSWORD, Visitor, bearer, error_of, json_of, redirect_fragment

VERA = "vera@victim.example"
MALLORYS_PASSWORD = "mallory waits here"
VERAS_PASSWORD = "ten rapids before noon"
Session = dict[str, Any]


async def mallory_signs_up_as_vera(visitor: Visitor, **data: Any) -> Session:
    """Mallory signs up with Vera's address and adds a second factor."""
    session = json_of(await visitor.sign_up(VERA, MALLORYS_PASSWORD, **data))
    mfa, _ = await enrol_app(visitor, session)
    return mfa.session


async def assert_vera_owns_the_account_alone(visitor: Visitor, vera: Session, mallory: Session) -> None:
    """Mallory has kept neither her session nor her password, and Vera can use the account."""
    assert error_of(await visitor.user(mallory)) == (403, "session_not_found")
    assert error_of(await visitor.refresh(mallory["refresh_token"])) == (400, "refresh_token_not_found")
    assert error_of(await visitor.sign_in(VERA, MALLORYS_PASSWORD)) == (400, "invalid_credentials")
    user = json_of(await visitor.user(vera))
    assert user["email_confirmed_at"]
    assert "factors" not in user
    assert [identity["provider"] for identity in user["identities"]] == ["email"]
    assert user["app_metadata"]["providers"] == ["email"]
    json_of(await visitor.change(vera, password=VERAS_PASSWORD))
    assert json_of(await visitor.sign_in(VERA, VERAS_PASSWORD))


@pytest.mark.parametrize(("path", "kind"), [("/otp", "magiclink"), ("/recover", "recovery")])
@pytest.mark.parametrize("way", ["link", "code", "token hash"])
@pytest.mark.accept("SAFE-01")
async def test_h1_a_mailed_link_or_code_gives_the_account_to_the_owner_of_the_address(
    visitor: Visitor, mailbox: Mailbox, path: str, kind: str, way: str
) -> None:
    mallory = await mallory_signs_up_as_vera(visitor)

    json_of(await visitor.post(path, email=VERA))
    message = await mailbox.newest(VERA)
    if way == "link":
        vera: Session = dict(redirect_fragment(await visitor.follow_email_link(message.path)))
    elif way == "code":
        vera = json_of(await visitor.verify("email", email=VERA, token=message.code))
    else:
        vera = json_of(await visitor.verify(kind, token_hash=message.token_hash))

    await assert_vera_owns_the_account_alone(visitor, vera, mallory)


async def test_h1_an_invitation_gives_the_account_to_the_invited_person(visitor: Visitor, mailbox: Mailbox) -> None:
    mallory = await mallory_signs_up_as_vera(visitor)

    json_of(await visitor.admin("POST", "/invite", {"email": VERA}))
    vera = redirect_fragment(await visitor.follow_email_link((await mailbox.newest(VERA)).path))

    await assert_vera_owns_the_account_alone(visitor, vera, mallory)


async def test_h1_a_change_to_a_strangers_address_gives_an_unconfirmed_account_to_the_stranger(
    visitor: Visitor, mailbox: Mailbox
) -> None:
    mallory = json_of(await visitor.sign_up("mallory@rapid-rivals.example", MALLORYS_PASSWORD))
    json_of(await visitor.change(mallory, email=VERA))

    vera = redirect_fragment(await visitor.follow_email_link((await mailbox.newest(VERA)).path))

    await assert_vera_owns_the_account_alone(visitor, vera, mallory)


async def test_h1_a_link_with_pkce_still_opens_a_session_of_the_browser_that_requested_it(
    visitor: Visitor, mailbox: Mailbox
) -> None:
    mallory = await mallory_signs_up_as_vera(visitor)
    verifier = "v" * 64

    json_of(await visitor.post("/otp", email=VERA, code_challenge=s256(verifier), code_challenge_method="s256"))
    redirect = await visitor.follow_email_link((await mailbox.newest(VERA)).path)
    code = redirect.headers["location"].partition("code=")[2]
    vera = json_of(await visitor.post("/token?grant_type=pkce", auth_code=code, code_verifier=verifier))

    await assert_vera_owns_the_account_alone(visitor, vera, mallory)


async def test_h1_a_confirmed_account_keeps_its_password_and_sessions(visitor: Visitor, mailbox: Mailbox) -> None:
    """Only an account that was never confirmed is handed over. A magic link to a confirmed address only signs in."""
    session = json_of(await visitor.sign_up(VERA))
    json_of(await visitor.verify("signup", token_hash=(await mailbox.newest(VERA)).token_hash))
    mfa, _ = await enrol_app(visitor, session)

    json_of(await visitor.post("/otp", email=VERA))
    json_of(await visitor.verify("magiclink", token_hash=(await mailbox.newest(VERA)).token_hash))

    assert len(json_of(await visitor.user(mfa.session))["factors"]) == 1
    assert json_of(await visitor.sign_in(VERA, PASSWORD))


async def test_h1_a_request_of_mallory_reads_nothing_after_the_account_was_handed_over(
    visitor: Visitor, mailbox: Mailbox, database: Database, keyring: Keyring
) -> None:
    """An access token is valid for an hour, but not without its session."""
    mallory = json_of(await visitor.sign_up(VERA, MALLORYS_PASSWORD))
    principal = keyring.principal(mallory["access_token"])
    async with database.acting_as(principal) as conn:
        assert await conn.fetchval("select count(*) from companies") == 1

    await visitor.post("/recover", email=VERA)
    await visitor.follow_email_link((await mailbox.newest(VERA)).path)

    async with database.acting_as(principal) as conn:
        assert await conn.fetchval("select count(*) from companies") == 0
        assert await conn.fetchval("select count(*) from profiles") == 0


@pytest.mark.accept("SAFE-02")
async def test_h1_the_sign_up_link_asks_for_the_password_of_the_person_who_signed_up(
    visitor: Visitor, mailbox: Mailbox
) -> None:
    """Vera opens a mail that she did not ask for. Without Mallory's password, her click confirms nothing."""
    mallory = json_of(await visitor.sign_up(VERA, MALLORYS_PASSWORD))
    message = await mailbox.newest(VERA)
    page = await visitor.client.get(message.path)
    assert 'type="password"' in page.text

    refused = await visitor.follow_email_link(message.path, password=VERAS_PASSWORD)

    assert refused.status_code == 422
    assert 'type="password"' in refused.text
    assert "That is not the password of this account" in refused.text
    assert "email_confirmed_at" not in json_of(await visitor.user(mallory))

    vera = redirect_fragment(await visitor.follow_email_link(message.path, button="choose_password"))

    assert vera["type"] == "recovery"
    await assert_vera_owns_the_account_alone(visitor, vera, mallory)


async def test_h1_an_empty_password_confirms_nothing(visitor: Visitor, mailbox: Mailbox) -> None:
    mallory = json_of(await visitor.sign_up(VERA, MALLORYS_PASSWORD))

    refused = await visitor.follow_email_link((await mailbox.newest(VERA)).path, password="")

    assert refused.status_code == 422
    assert "email_confirmed_at" not in json_of(await visitor.user(mallory))


async def test_a_client_that_submits_the_form_without_the_password_field_confirms_the_address(
    visitor: Visitor, mailbox: Mailbox
) -> None:
    """A page in a browser always sends the field. This client knows only the token, like one that calls `verifyOtp`."""
    session = json_of(await visitor.sign_up(VERA))
    message = await mailbox.newest(VERA)

    response = await visitor.client.post("/verify", data={"type": "signup", "token": message.token_hash})

    assert redirect_fragment(response)["type"] == "signup"
    assert json_of(await visitor.user(session))["email_confirmed_at"]


async def test_h1_the_person_who_signed_up_keeps_everything(visitor: Visitor, mailbox: Mailbox) -> None:
    session = json_of(await visitor.sign_up(VERA))

    confirmed = redirect_fragment(await visitor.follow_email_link((await mailbox.newest(VERA)).path, password=PASSWORD))

    assert confirmed["type"] == "signup"
    assert json_of(await visitor.user(session))["email_confirmed_at"]
    assert json_of(await visitor.sign_in(VERA))


async def test_h1_a_sign_in_that_began_before_the_account_was_handed_over_opens_no_session(
    visitor: Visitor, mailbox: Mailbox, database: Database
) -> None:
    """Checking a password takes time. Mallory signs in again and again, hoping to finish just after Vera's click."""
    await visitor.sign_up(VERA, MALLORYS_PASSWORD)
    await visitor.post("/recover", email=VERA)
    path = (await mailbox.newest(VERA)).path

    async def sign_in_later(delay: float) -> int:
        await asyncio.sleep(delay)
        return (await visitor.sign_in(VERA, MALLORYS_PASSWORD)).status_code

    sign_ins = [asyncio.create_task(sign_in_later(number * 0.01)) for number in range(20)]
    await asyncio.sleep(0.1)
    vera = redirect_fragment(await visitor.follow_email_link(path))
    await asyncio.gather(*sign_ins)

    async with database.acting_as(SERVICE) as conn:
        assert await conn.fetchval("select count(*) from auth.sessions") == 1
    assert (await visitor.client.get("/user", headers=bearer(vera))).status_code == 200


async def test_h1_the_user_is_marked_until_a_new_password_is_set(visitor: Visitor, mailbox: Mailbox) -> None:
    """The web application reads this mark and then asks for a new password. A user who never had one is not marked."""
    await visitor.sign_up(VERA, MALLORYS_PASSWORD)
    await visitor.post("/otp", email=VERA)
    vera = json_of(await visitor.verify("magiclink", token_hash=(await mailbox.newest(VERA)).token_hash))
    assert vera["user"]["app_metadata"]["password_removed"] is True

    changed = json_of(await visitor.change(vera, password=VERAS_PASSWORD))

    assert "password_removed" not in changed["app_metadata"]
    await visitor.post("/otp", email="gil@example.com")
    gil = await mailbox.newest("gil@example.com")
    session = json_of(await visitor.verify("email", token_hash=gil.token_hash))
    assert "password_removed" not in session["user"]["app_metadata"]


@pytest.mark.parametrize("kind", ["totp", "webauthn", "phone"])
@pytest.mark.accept("SAFE-02")
async def test_h1_no_second_factor_can_be_added_before_the_address_is_confirmed(
    database: Database, keyring: Keyring, settings: AuthSettings, mailbox: Mailbox, kind: str
) -> None:
    mfa_settings = settings.model_copy(update={"mfa": settings.mfa.model_copy(update={"phone": True})})
    async with open_visitor(database, keyring, mfa_settings, TextSender(), sends_email=True) as visitor:
        session = json_of(await visitor.sign_up(VERA))
        refused = await MfaClient(visitor, session).enrol(kind, phone="+41791234567")

        json_of(await visitor.verify("signup", token_hash=(await mailbox.newest(VERA)).token_hash))
        accepted = await MfaClient(visitor, session).enrol(kind, phone="+41791234567")

    assert error_of(refused) == (422, "email_not_confirmed")
    assert refused.json()["message"] == "Confirm your email address first. Then you can add a second factor."
    assert accepted.status_code == 200


async def test_h1_without_a_mail_server_a_second_factor_can_be_tried_out(visitor: Visitor) -> None:
    session = json_of(await visitor.sign_up(VERA))

    assert (await MfaClient(visitor, session).enrol()).status_code == 200


@pytest.mark.accept("SAFE-01")
async def test_h1_the_company_no_longer_sends_anything_to_addresses_that_mallory_entered(
    visitor: Visitor, mailbox: Mailbox, admin: Connection
) -> None:
    """Otherwise Mallory's webhook, mail provider or reply address would receive what Vera's guests sign and write."""
    company_id = await mallory_connects_everything(visitor, admin, VERA)
    other_company_id = await mallory_connects_everything(visitor, admin, "mallory@rapid-rivals.example")

    await visitor.post("/recover", email=VERA)
    await visitor.follow_email_link((await mailbox.newest(VERA)).path)

    assert await connections_of(admin, company_id) == (0, 0, None)
    assert await connections_of(admin, other_company_id) == (1, 1, "mallory@evil.example")


async def test_h1_settings_with_which_mallory_could_harm_the_company_are_reset(
    visitor: Visitor, mailbox: Mailbox, admin: Connection
) -> None:
    """Otherwise Vera's waivers would be erased after a month, and her links would expire after a day.

    Besides, only Mallory's website could embed Vera's pages.
    """
    company_id = await mallory_connects_everything(visitor, admin, VERA)
    await admin.execute(
        "update companies set keep_waivers_months = 1, link_days = 1, framed_by = '{https://evil.example}'"
    )

    await visitor.post("/recover", email=VERA)
    await visitor.follow_email_link((await mailbox.newest(VERA)).path)

    row = await admin.fetchrow(
        "select keep_waivers_months, link_days, framed_by from companies where id = $1", company_id
    )
    assert row is not None
    assert tuple(row) == (None, 30, ["*"])


async def test_il4_the_owner_of_the_address_gets_neither_a_planned_deletion_nor_the_old_name_of_the_sender(
    visitor: Visitor, mailbox: Mailbox, admin: Connection
) -> None:
    await mallory_connects_everything(visitor, admin, VERA)
    await admin.execute("update companies set sender_name = 'Mallory', delete_at = now() + interval '30 days'")
    await admin.execute("update profiles set delete_at = now() + interval '7 days'")

    await visitor.post("/recover", email=VERA)
    await visitor.follow_email_link((await mailbox.newest(VERA)).path)

    row = await admin.fetchrow(
        "select p.delete_at, c.delete_at, c.sender_name from profiles p join companies c on c.id = p.company_id"
    )
    assert row is not None
    assert tuple(row) == (None, None, None)


async def test_h1_a_company_with_other_members_keeps_what_it_has_connected(
    visitor: Visitor, mailbox: Mailbox, admin: Connection
) -> None:
    company_id = await mallory_connects_everything(visitor, admin, VERA)
    colleague = {"email": "bea@rio-rafting.example", "app_metadata": {"role": "company", "company_id": company_id}}
    json_of(await visitor.admin("POST", "/admin/users", colleague))

    await visitor.post("/recover", email=VERA)
    await visitor.follow_email_link((await mailbox.newest(VERA)).path)

    assert await connections_of(admin, company_id) == (1, 1, "mallory@evil.example")


async def mallory_connects_everything(visitor: Visitor, admin: Connection, email: str) -> str:
    session = json_of(await visitor.sign_up(email, MALLORYS_PASSWORD))
    company_id: str = session["user"]["app_metadata"]["company_id"]
    await admin.execute(
        """
        insert into integrations.endpoints (company_id, kind, name, url, sealed_secret)
        values ($1, 'webhook', 'mine', 'https://evil.example/hook', 'x')
        """,
        company_id,
    )
    await admin.execute(
        """
        insert into messaging.configurations (company_id, provider, custom_endpoint)
        values ($1, 'custom', 'https://evil.example/mail')
        """,
        company_id,
    )
    await admin.execute("update companies set reply_to = 'mallory@evil.example' where id = $1", company_id)
    return company_id


async def connections_of(admin: Connection, company_id: str) -> tuple[int, int, str | None]:
    row = await admin.fetchrow(
        """
        select (select count(*) from integrations.endpoints where company_id = $1) as endpoints,
               (select count(*) from messaging.configurations where company_id = $1) as mail_providers,
               reply_to
          from companies where id = $1
        """,
        company_id,
    )
    assert row is not None
    return row["endpoints"], row["mail_providers"], row["reply_to"]
