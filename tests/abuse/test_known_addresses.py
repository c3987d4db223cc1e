"""16L3: two responses must say whether an address has an account, so a caller gets only a few of them.

16L3 is a finding in docs/security.md.
"""

import pytest

from cairn.auth import AuthSettings, Keyring
from cairn.db import Database
from tests.abuse.test_account_mail import HOME, HOTEL, opened_visitors, sign_up_confirmed
from tests.auth.conftest import VisitorWith
from tests.auth.mailbox import Mailbox
from tests.auth.test_reauthenticate import NEW_PASSWORD
from tests.auth.visitor import error_of, json_of

TAKEN, FREE = "gil@example.com", "unknown@example.com"
LIMITED = (429, "over_request_rate_limit")


async def test_16l3_a_user_learns_of_a_few_taken_addresses_a_day(
    visitor_with: VisitorWith, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cairn.auth.limits.TAKEN_ADDRESSES_PER_DAY", 2)
    async with visitor_with() as visitor:
        await visitor.sign_up(TAKEN)
        session = await sign_up_confirmed(visitor, mailbox)

        taken = [error_of(await visitor.change(session, email=TAKEN)) for _ in range(2)]

        assert taken == [(422, "email_exists")] * 2
        for address in (TAKEN, FREE):
            assert error_of(await visitor.change(session, email=address)) == LIMITED
        assert json_of(await visitor.change(session, password=NEW_PASSWORD)), "other changes are not limited"
        other = await sign_up_confirmed(visitor, mailbox, "rosa@rio-rafting.example")
        assert error_of(await visitor.change(other, email=TAKEN)) == (422, "email_exists")


async def test_16l3_a_network_learns_of_a_few_unknown_addresses_an_hour(
    database: Database, keyring: Keyring, settings: AuthSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cairn.auth.limits.UNKNOWN_ADDRESSES_PER_HOUR", 2)
    async with opened_visitors(database, keyring, settings) as visitor_at:
        stranger, guest = visitor_at(HOTEL), visitor_at(HOME)
        await guest.sign_up(TAKEN)

        unknown = [
            error_of(await stranger.post("/otp", email=f"unknown{number}@example.com", create_user=False))
            for number in range(2)
        ]

        assert unknown == [(422, "otp_disabled")] * 2
        for address in (TAKEN, FREE):
            assert error_of(await stranger.post("/otp", email=address, create_user=False)) == LIMITED
        assert json_of(await stranger.post("/otp", email="new@example.com")) == {}, "this creates an account"
        assert json_of(await guest.post("/otp", email=TAKEN, create_user=False)) == {}
