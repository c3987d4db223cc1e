"""People who really sign up and in, and what their tokens open in the database."""

from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest
import pytest_asyncio

from cairn.auth import AuthSettings, Keyring, new_signing_key
from cairn.db import Database, Principal
from tests.auth.conftest import visiting
from tests.auth.mailbox import Mailbox
from tests.auth.visitor import Visitor, fragment, json_of

GIL = "gil@example.com"


@pytest.fixture
def auth_settings() -> AuthSettings:
    return AuthSettings.model_validate(
        {"jwt_secret": "a secret of the tests, and of nothing else", "signing_key": new_signing_key()}
    )


@pytest_asyncio.fixture
async def house(database: Database, auth_settings: AuthSettings) -> AsyncIterator["House"]:
    keyring = Keyring(auth_settings)
    async with visiting(database, keyring, auth_settings) as visitor:
        yield House(database, keyring, visitor, Mailbox(database))


class House:
    """Sessions are dictionaries, as the client gets them."""

    def __init__(self, database: Database, keyring: Keyring, visitor: Visitor, mail: Mailbox) -> None:
        self.database, self.keyring, self.visitor, self.mail = database, keyring, visitor, mail

    async def sign_up(self, email: str, role: str = "customer") -> dict[str, Any]:
        return json_of(await self.visitor.sign_up(email, name="Somebody", role=role))

    async def sign_in(self, email: str) -> dict[str, Any]:
        return json_of(await self.visitor.sign_in(email))

    async def open_the_mail(self, email: str) -> dict[str, Any]:
        """The session that the mailed link brings."""
        return fragment(await self.visitor.press((await self.mail.newest(email)).path))

    def principal(self, session: dict[str, Any]) -> Principal:
        return self.keyring.principal(session["access_token"])

    async def ask(self, session: dict[str, Any], query: str, *values: object) -> list["asyncpg.Record"]:
        async with self.database.acting_as(self.principal(session)) as connection:
            return await connection.fetch(query, *values)
