"""What every verb of this room has at hand."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from cairn.auth.keyring import Keyring
from cairn.auth.passwords import Passwords
from cairn.auth.settings import AuthSettings
from cairn.db import SERVICE, Connection, Database


@dataclass(frozen=True, slots=True)
class Desk:
    database: Database
    keyring: Keyring
    settings: AuthSettings
    passwords: Passwords
    # Wakes the worker after a commit that asked for a mail.
    ring: Callable[[], None] = lambda: None

    def transaction(self, *, read_only: bool = False) -> AbstractAsyncContextManager[Connection]:
        """These tables belong to nobody but our own code. Waiting for a lock ends before a client gives up."""
        return self.database.acting_as(SERVICE, {"lock_timeout": "5s"}, read_only=read_only)

    @asynccontextmanager
    async def mailing(self) -> AsyncIterator[Connection]:
        """A transaction in which something may be sent."""
        async with self.transaction() as conn:
            yield conn
        self.ring()
