"""What every verb of this room has at hand."""

from contextlib import AbstractAsyncContextManager
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

    def transaction(self, *, read_only: bool = False) -> AbstractAsyncContextManager[Connection]:
        """These tables belong to nobody but our own code. Waiting for a lock ends before a client gives up."""
        return self.database.acting_as(SERVICE, {"lock_timeout": "5s"}, read_only=read_only)
