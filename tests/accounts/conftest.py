"""Accounts that sign up and sign in through the auth service, and query the database with their tokens."""

from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest
import pytest_asyncio

from cairn.auth import AuthSettings, Keyring, new_signing_key
from cairn.db import Database, Principal
from tests.auth.conftest import open_visitor
from tests.auth.mailbox import Mailbox
from tests.auth.visitor import Visitor, json_of, redirect_fragment

GIL = "gil@example.com"


@pytest.fixture
def auth_settings() -> AuthSettings:
    return AuthSettings.model_validate(
        # The emails contain a code beside the link, so that tests can use either.
        {"jwt_secret": "a secret that is only used in tests", "signing_key": new_signing_key(), "mailer_codes": True}
    )


@pytest_asyncio.fixture
async def accounts(database: Database, auth_settings: AuthSettings) -> AsyncIterator["Accounts"]:
    keyring = Keyring(auth_settings)
    async with open_visitor(database, keyring, auth_settings) as visitor:
        yield Accounts(database, keyring, visitor, Mailbox(database))


class Accounts:
    """Every `session` is the JSON object that a client receives when it signs in."""

    def __init__(self, database: Database, keyring: Keyring, visitor: Visitor, mail: Mailbox) -> None:
        self.database, self.keyring, self.visitor, self.mail = database, keyring, visitor, mail

    async def sign_up(self, email: str, role: str = "customer") -> dict[str, Any]:
        return json_of(await self.visitor.sign_up(email, name="Someone", role=role))

    async def sign_in(self, email: str) -> dict[str, Any]:
        return json_of(await self.visitor.sign_in(email))

    async def open_emailed_link(self, email: str) -> dict[str, Any]:
        """Opens the link of the newest email and returns the session that this starts."""
        return redirect_fragment(await self.visitor.follow_email_link((await self.mail.newest(email)).path))

    def principal(self, session: dict[str, Any]) -> Principal:
        return self.keyring.principal(session["access_token"])

    async def fetch(self, session: dict[str, Any], query: str, *values: object) -> list["asyncpg.Record"]:
        async with self.database.acting_as(self.principal(session)) as connection:
            return await connection.fetch(query, *values)
