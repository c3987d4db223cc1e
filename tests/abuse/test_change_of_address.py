"""A1 and A7: no one can attack Vera by requesting that their own account moves to her address.

A1: Vera's click must not give her waivers to someone else. A7: if many accounts request her address, she must not get
many emails, and a guess must not be compared with the codes of all these accounts.

A1, A7, C11, CL6 and 16A8 are findings in docs/security.md.
"""

import asyncio
from typing import Any

import httpx
import pytest

from cairn.db import SERVICE, Database
from tests.auth.conftest import VisitorWith
from tests.auth.mailbox import Mailbox
from tests.auth.test_reauthenticate import ROSA, sign_up_confirmed
from tests.auth.visitor import PASSWORD, Visitor, error_of, json_of, redirect_fragment

VERA = "vera@victim.example"
VERAS_PHONE = "41791234567"
MALLORY = "mallory@rapid-rivals.example"
Session = dict[str, Any]


async def mallory_requests_veras_address(visitor: Visitor, mailbox: Mailbox) -> Session:
    """Mallory owns a confirmed account, requests Vera's address for it, and confirms this from her own mailbox."""
    session = await sign_up_confirmed(visitor, mailbox, MALLORY)
    json_of(await visitor.change(session, email=VERA))
    await visitor.follow_email_link((await mailbox.newest(MALLORY)).path)
    return session


async def assert_address_is_unchanged(visitor: Visitor, mallory: Session) -> None:
    assert json_of(await visitor.user(mallory))["email"] == MALLORY
    assert error_of(await visitor.sign_in(VERA)) == (400, "invalid_credentials")


async def submit_form(visitor: Visitor, token_hash: str, **fields: str) -> httpx.Response:
    form = {"type": "email_change", "token": token_hash, **fields}
    return await visitor.client.post("/verify", data=form)


@pytest.mark.parametrize("order_of_clicks", [("old", "new"), ("new", "old")])
@pytest.mark.accept("SAFE-04")
async def test_a1_a_click_of_a_stranger_does_not_move_an_account_to_her_address(
    visitor: Visitor, mailbox: Mailbox, order_of_clicks: tuple[str, str]
) -> None:
    """Vera does not know Mallory's password, so she can press the button only with another password."""
    session = await sign_up_confirmed(visitor, mailbox, MALLORY)
    json_of(await visitor.change(session, email=VERA))
    mails = {"old": await mailbox.newest(MALLORY), "new": await mailbox.newest(VERA)}
    page = await visitor.client.get(mails["new"].path)
    assert 'type="password"' in page.text
    assert MALLORY in page.text
    assert "choose_password" not in page.text

    for address in order_of_clicks:
        response = await visitor.follow_email_link(mails[address].path, password="the password of Vera")
        assert response.status_code == (422 if address == "new" else 303)

    await assert_address_is_unchanged(visitor, session)


async def test_a1_the_email_to_the_new_address_names_the_account(visitor: Visitor, mailbox: Mailbox) -> None:
    await mallory_requests_veras_address(visitor, mailbox)

    body = (await mailbox.newest(VERA)).body

    assert f"The Cairn account {MALLORY} will move to this address" in body
    assert "Confirm only if it is your account." in body


@pytest.mark.parametrize(
    ("lure", "is_confirmed"),
    [
        ("your.parcel.is.held@pay.the.fee.example", False),
        ("your.parcel.is.held.pay.the.fee.or.it.is.returned@to.the.sender.today.example", True),
        ("parcel.held.call.1-888-555-0100@today.example", True),
    ],
    ids=["unconfirmed", "long", "phone number"],
)
async def test_c11_the_email_to_the_new_address_contains_no_message_of_a_stranger(
    visitor: Visitor, mailbox: Mailbox, lure: str, is_confirmed: bool
) -> None:
    """Before this check, 13 accounts had a message as their address, and the server mailed it to 13 strangers."""
    session = json_of(await visitor.sign_up(lure))
    if is_confirmed:
        await visitor.verify("signup", token_hash=(await mailbox.newest(lure)).token_hash)

    json_of(await visitor.change(session, email=VERA))

    body = (await mailbox.newest(VERA)).body
    assert "A Cairn account will move to this address if you confirm it." in body
    assert "parcel" not in body


@pytest.mark.parametrize("fields", [{}, {"password": ""}, {"choose_password": "yes"}])
async def test_a1_a_form_without_the_password_does_not_move_the_account(
    visitor: Visitor, mailbox: Mailbox, fields: dict[str, str]
) -> None:
    mallory = await mallory_requests_veras_address(visitor, mailbox)

    response = await submit_form(visitor, (await mailbox.newest(VERA)).token_hash, **fields)

    assert response.status_code == 422
    assert "That is not the password of this account. Please try again." in response.text
    await assert_address_is_unchanged(visitor, mallory)


async def test_a1_the_owner_moves_the_account_with_its_password(visitor: Visitor, mailbox: Mailbox) -> None:
    await mallory_requests_veras_address(visitor, mailbox)
    path = (await mailbox.newest(VERA)).path
    assert (await visitor.follow_email_link(path, password="mistyped")).status_code == 422

    moved = redirect_fragment(await visitor.follow_email_link(path, password=PASSWORD))

    assert moved["type"] == "email_change"
    assert json_of(await visitor.user(moved))["email"] == VERA
    assert json_of(await visitor.sign_in(VERA))


async def test_a1_opening_a_link_does_not_move_the_account_even_if_the_pages_of_links_are_turned_off(
    visitor_with: VisitorWith, mailbox: Mailbox
) -> None:
    async with visitor_with(mailer_confirm_links=False) as visitor:
        session = await sign_up_confirmed(visitor, mailbox, MALLORY)
        json_of(await visitor.change(session, email=VERA))
        for address in (MALLORY, VERA):
            page = await visitor.client.get((await mailbox.newest(address)).path)

        assert 'type="password"' in page.text
        await assert_address_is_unchanged(visitor, session)


async def test_a1_an_account_without_a_password_gets_one_before_it_moves(
    visitor: Visitor, mailbox: Mailbox, database: Database
) -> None:
    """Only a session of the account can choose the password, so the click of a stranger is not enough."""
    mallory = await mallory_requests_veras_address(visitor, mailbox)
    async with database.acting_as(SERVICE) as conn:
        await conn.execute("update auth.users set encrypted_password = null")
    message = await mailbox.newest(VERA)

    page = await visitor.client.get(message.path)
    refused = await submit_form(visitor, message.token_hash, password="")

    for shown in (page.text, refused.text):
        assert "choose a password in its settings" in shown
        assert "<form" not in shown
    await assert_address_is_unchanged(visitor, mallory)
    json_of(await visitor.change(mallory, password=PASSWORD))
    moved = redirect_fragment(await visitor.follow_email_link(message.path, password=PASSWORD))
    assert json_of(await visitor.user(moved))["email"] == VERA


async def test_a1_an_account_that_is_confirmed_during_the_click_does_not_move(
    visitor: Visitor, mailbox: Mailbox, database: Database
) -> None:
    """The page of an unconfirmed account asks for no password. Mallory confirms her account during Vera's click."""
    mallory = json_of(await visitor.sign_up(MALLORY))
    json_of(await visitor.change(mallory, email=VERA))
    path = (await mailbox.newest(VERA)).path

    async with database.acting_as(SERVICE) as conn:
        await conn.execute("update auth.users set email_confirmed_at = now()")
        click = asyncio.create_task(visitor.follow_email_link(path))
        await asyncio.sleep(1)
        assert not click.done(), "the click waits for the lock on the user"

    assert (await click).status_code == 422
    await assert_address_is_unchanged(visitor, mallory)


async def test_a1_the_password_cannot_be_guessed_on_the_page(visitor_with: VisitorWith, mailbox: Mailbox) -> None:
    """A stranger gets the link if the owner mistypes the new address. Wrong passwords are limited as at a sign-in."""
    async with visitor_with(rate_limit_wrong_passwords=2) as visitor:
        mallory = await mallory_requests_veras_address(visitor, mailbox)
        token_hash = (await mailbox.newest(VERA)).token_hash
        statuses = [(await submit_form(visitor, token_hash, password="guess")).status_code for _ in range(2)]

        slowed_down = await submit_form(visitor, token_hash, password=PASSWORD)

        assert statuses == [422, 422]
        assert slowed_down.status_code == 429
        assert "Too many wrong passwords." in slowed_down.text
        assert json_of(await visitor.user(mallory))["email"] == MALLORY


async def sign_up_and_confirm(visitor: Visitor, mailbox: Mailbox, number: int) -> Session:
    address = f"mallory{number}@rapid-rivals.example"
    session = json_of(await visitor.sign_up(address))
    json_of(await visitor.verify("signup", token_hash=(await mailbox.newest(address)).token_hash))
    return session


async def test_a7_a_new_address_that_many_accounts_request_gets_one_email_within_a_minute(
    visitor: Visitor, mailbox: Mailbox
) -> None:
    accounts = [await sign_up_and_confirm(visitor, mailbox, number) for number in range(4)]

    responses = [await visitor.change(account, email=VERA) for account in accounts]

    assert [response.status_code for response in responses] == [200, 429, 429, 429]
    assert error_of(responses[-1]) == (429, "over_email_send_rate_limit")
    assert len(await mailbox.emails(VERA)) == 1
    assert "new_email" not in json_of(await visitor.user(accounts[-1]))


async def test_a7_only_the_newest_request_for_an_address_can_be_confirmed_with_a_code(
    visitor_without_email_delay: Visitor, mailbox: Mailbox, database: Database
) -> None:
    visitor = visitor_without_email_delay
    for number in range(3):
        account = await sign_up_and_confirm(visitor, mailbox, number)
        json_of(await visitor.change(account, email=VERA))
        await asyncio.sleep(0.01)
    *older, newest = await mailbox.emails(VERA)

    for message in older:
        by_code = await visitor.verify("email_change", email=VERA, token=message.code)
        assert error_of(by_code) == (403, "otp_expired")

    async with database.acting_as(SERVICE) as conn:
        query = "select code_tries from auth.one_time_tokens where purpose = 'email_change_new' order by created_at"
        assert [row["code_tries"] for row in await conn.fetch(query)] == [0, 0, len(older)]
    assert json_of(await visitor.verify("email_change", email=VERA, token=newest.code))["code"] == "200"


@pytest.mark.parametrize("way", ["page", "token hash"])
async def test_cl6_a_later_request_of_a_stranger_does_not_invalidate_the_link_of_the_owner(
    visitor_without_email_delay: Visitor, mailbox: Mailbox, way: str
) -> None:
    """Before this fix, a stranger who knew the new address could invalidate the owner's link once a minute."""
    visitor = visitor_without_email_delay
    owner = await sign_up_and_confirm(visitor, mailbox, 0)
    json_of(await visitor.change(owner, email=VERA))
    owners_link = await mailbox.newest(VERA)
    await asyncio.sleep(0.01)
    stranger = await sign_up_and_confirm(visitor, mailbox, 1)
    json_of(await visitor.change(stranger, email=VERA))
    old_address = await mailbox.newest("mallory0@rapid-rivals.example")

    await submit_form(visitor, old_address.token_hash, password=PASSWORD)
    if way == "page":
        await submit_form(visitor, owners_link.token_hash, password=PASSWORD)
    else:
        json_of(await visitor.verify("email_change", token_hash=owners_link.token_hash))

    assert json_of(await visitor.user(owner))["email"] == VERA


async def test_a7_a_guess_at_a_texted_code_is_compared_with_the_newest_request_only(
    phone_visitor: Visitor, mailbox: Mailbox
) -> None:
    for number in range(2):
        account = json_of(await phone_visitor.sign_up(f"mallory{number}@rapid-rivals.example"))
        json_of(await phone_visitor.change(account, phone=VERAS_PHONE))
        await asyncio.sleep(0.01)
    older, newest = await mailbox.text_messages()

    refused = await phone_visitor.verify("phone_change", phone=VERAS_PHONE, token=older.code)

    assert error_of(refused) == (403, "otp_expired")
    assert json_of(await phone_visitor.verify("phone_change", phone=VERAS_PHONE, token=newest.code))


async def test_16a8_a_link_for_one_new_address_does_not_confirm_another_one(
    visitor_without_email_delay: Visitor, mailbox: Mailbox
) -> None:
    """A new link replaces older ones of the same network, so the test moves the owner's link to another network."""
    visitor, thief_address = visitor_without_email_delay, "thief@rapid-rivals.example"
    session = await sign_up_confirmed(visitor, mailbox)
    json_of(await visitor.change(session, email=VERA))
    link_of_owner = (await mailbox.newest(ROSA)).path
    async with mailbox.database.acting_as(SERVICE) as connection:
        await connection.execute("update auth.one_time_tokens set requested_from = '198.51.100.7'")
    json_of(await visitor.change(session, email=thief_address))
    token_hash = (await mailbox.newest(thief_address)).token_hash
    await visitor.verify("email_change", token_hash=token_hash)

    page = await visitor.client.get(link_of_owner)

    assert page.status_code == 303
    assert redirect_fragment(page)["error_code"] == "otp_expired"
    assert json_of(await visitor.user(session))["email"] == ROSA


async def test_16a8_the_page_of_a_change_names_the_new_address(visitor: Visitor, mailbox: Mailbox) -> None:
    """Otherwise the owner of a stolen session may confirm the address of the thief, who requested it meanwhile."""
    session = await sign_up_confirmed(visitor, mailbox)
    json_of(await visitor.change(session, email=VERA))

    for reader in (ROSA, VERA):
        page = await visitor.client.get((await mailbox.newest(reader)).path)
        assert f"moves to {VERA}" in page.text


async def test_16a8_a_stranger_sees_only_their_own_address_on_the_page_of_a_change(
    visitor: Visitor, mailbox: Mailbox, database: Database
) -> None:
    session = await sign_up_confirmed(visitor, mailbox)
    json_of(await visitor.change(session, email=VERA))
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update auth.users set new_email = 'gil@example.com' where email = $1", ROSA)

    page = await visitor.client.get((await mailbox.newest(VERA)).path)

    assert f"moves to {VERA}" in page.text
    assert "gil@example.com" not in page.text
