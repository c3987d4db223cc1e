"""A1: a client can redeem the token of a change of address without the page, and then it sends no password.

`verifyOtp` of supabase-js is such a client. The account moves, but a person who only knows its old password does not
see the waivers of the new address, because they may belong to someone else.

A1 is a finding in docs/security.md.
"""

from typing import Any

import pytest

from cairn.db import SERVICE
from tests.abuse.test_change_of_address import MALLORY, VERA
from tests.accounts.conftest import Accounts
from tests.auth.visitor import PASSWORD, json_of, redirect_fragment

NEW_PASSWORD = "a password that only Vera knows"
OTHER_ADDRESS = "mallory@rapid-rivals.example"
Session = dict[str, Any]


async def address_state(accounts: Accounts, session: Session) -> str:
    [row] = await accounts.fetch(session, "select my_address() as state")
    return str(row["state"])


async def mallory_requests_veras_address(accounts: Accounts) -> Session:
    session = await accounts.sign_up(MALLORY)
    json_of(await accounts.visitor.verify("signup", token_hash=(await accounts.mail.newest(MALLORY)).token_hash))
    json_of(await accounts.visitor.change(session, email=VERA))
    return session


async def redeem(accounts: Accounts, address: str, *, by_code: bool = False) -> Session:
    message = await accounts.mail.newest(address)
    proof = {"email": address, "token": message.code} if by_code else {"token_hash": message.token_hash}
    return json_of(await accounts.visitor.verify("email_change", **proof))


async def move_with_tokens_alone(accounts: Accounts) -> tuple[Session, Session]:
    """Returns the session with which Mallory requested the change, and the one that Vera's token has opened."""
    mallory = await mallory_requests_veras_address(accounts)
    await redeem(accounts, MALLORY)
    return mallory, await redeem(accounts, VERA)


@pytest.mark.parametrize("by_code", [False, True])
@pytest.mark.accept("SAFE-04")
async def test_a1_a_token_alone_does_not_give_the_waivers_to_the_person_with_the_old_password(
    accounts: Accounts, by_code: bool
) -> None:
    mallory = await mallory_requests_veras_address(accounts)
    await redeem(accounts, MALLORY)

    vera = await redeem(accounts, VERA, by_code=by_code)

    assert vera["user"]["email"] == VERA
    assert await address_state(accounts, vera) == "proven"
    assert await address_state(accounts, mallory) == "sign in again"
    assert await address_state(accounts, await accounts.sign_in(VERA)) == "sign in again"


async def test_a1_the_token_of_the_old_address_does_not_prove_the_new_one(accounts: Accounts) -> None:
    await mallory_requests_veras_address(accounts)
    assert (await redeem(accounts, VERA))["code"] == "200"

    mallory = await redeem(accounts, MALLORY)

    assert mallory["user"]["email"] == VERA
    assert await address_state(accounts, mallory) == "sign in again"
    assert await address_state(accounts, await accounts.sign_in(VERA)) == "sign in again"


async def test_a1_requesting_another_change_does_not_prove_the_address(accounts: Accounts) -> None:
    """Mallory confirms a further change from her own mailbox, but Vera's address does not confirm it."""
    mallory, _ = await move_with_tokens_alone(accounts)
    async with accounts.database.acting_as(SERVICE) as connection:
        await connection.execute("delete from limits.buckets")
    json_of(await accounts.visitor.change(mallory, email=OTHER_ADDRESS))
    path = (await accounts.mail.newest(OTHER_ADDRESS)).path

    confirmed = redirect_fragment(await accounts.visitor.follow_email_link(path, password=PASSWORD))

    assert confirmed["message"].startswith("Confirmation link accepted")
    assert await address_state(accounts, await accounts.sign_in(VERA)) == "sign in again"


async def state_after_new_password(accounts: Accounts, session: Session) -> str:
    """Chooses a new password in this session, signs in with it, and returns the state of the address."""
    json_of(await accounts.visitor.change(session, password=NEW_PASSWORD))
    return await address_state(accounts, json_of(await accounts.visitor.sign_in(VERA, NEW_PASSWORD)))


async def test_a1_a_password_that_was_chosen_after_the_proof_proves_the_address(accounts: Accounts) -> None:
    _, vera = await move_with_tokens_alone(accounts)

    assert await state_after_new_password(accounts, vera) == "proven"


async def test_a1_a_password_that_was_chosen_without_the_proof_does_not_prove_the_address(accounts: Accounts) -> None:
    mallory, _ = await move_with_tokens_alone(accounts)

    assert await state_after_new_password(accounts, mallory) == "sign in again"


@pytest.mark.parametrize(
    "other_way_in",
    [
        "update auth.users set phone = '41791234567', phone_confirmed_at = now()",
        """insert into auth.identities (user_id, provider, provider_id, identity_data)
           select id, 'google', 'mallory', '{}' from auth.users""",
    ],
)
async def test_a1_a_new_password_proves_nothing_for_other_ways_into_the_account(
    accounts: Accounts, other_way_in: str
) -> None:
    """Mallory may still sign in with her phone or with Google."""
    _, vera = await move_with_tokens_alone(accounts)
    async with accounts.database.acting_as(SERVICE) as connection:
        await connection.execute(other_way_in)

    assert await state_after_new_password(accounts, vera) == "sign in again"


async def test_a1_a_link_to_the_address_proves_it_for_the_session_that_it_opens(accounts: Accounts) -> None:
    await move_with_tokens_alone(accounts)
    await accounts.visitor.post("/recover", email=VERA)

    session = await accounts.open_emailed_link(VERA)

    assert await address_state(accounts, session) == "proven"
    assert await address_state(accounts, await accounts.sign_in(VERA)) == "sign in again"


async def test_a1_the_password_on_the_page_proves_the_address_for_all_ways_in(accounts: Accounts) -> None:
    await mallory_requests_veras_address(accounts)
    await redeem(accounts, MALLORY)
    path = (await accounts.mail.newest(VERA)).path

    await accounts.visitor.follow_email_link(path, password=PASSWORD)

    assert await address_state(accounts, await accounts.sign_in(VERA)) == "proven"
