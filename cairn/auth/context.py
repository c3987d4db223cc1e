from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import field

from cairn.auth.openid import OpenIdProvider
from cairn.auth.passwords import Passwords
from cairn.auth.settings import AuthSettings
from cairn.auth.text_sender import TextSender
from cairn.auth.tokens import Keyring
from cairn.db import SERVICE, Connection, Database
from cairn.kit import SecretBox, frozen_dataclass


@frozen_dataclass
class AuthContext:
    """Holds the settings and services that every auth function needs."""

    database: Database
    keyring: Keyring
    settings: AuthSettings
    passwords: Passwords
    # This is called after a commit that queued an email, so that the worker sends it without waiting for its next poll.
    wake_worker: Callable[[], None] = lambda: None
    providers: Mapping[str, OpenIdProvider] = field(default_factory=dict)
    text_sender: TextSender | None = None
    # This is false if there is no mail server. Then no one can confirm an address.
    sends_email: bool = True

    def transaction(self, *, read_only: bool = False) -> AbstractAsyncContextManager[Connection]:
        """Opens a transaction with the service role, because clients have no access to these tables.

        The lock timeout is shorter than the time after which a client gives up.
        """
        return self.database.acting_as(SERVICE, {"lock_timeout": "5s"}, read_only=read_only)

    @asynccontextmanager
    async def sending_transaction(self) -> AsyncIterator[Connection]:
        """Opens a transaction that may queue emails or text messages, and wakes the worker after the commit."""
        async with self.transaction() as conn:
            yield conn
        self.wake_worker()

    def secret_box(self, purpose: str) -> SecretBox:
        """Returns a box that encrypts and decrypts values. Each purpose has a different key."""
        secret = self.settings.sealing_secret or self.settings.jwt_secret
        return SecretBox(secret.get_secret_value(), purpose, self.settings.retired_sealing_values)


def configured_providers(settings: AuthSettings) -> dict[str, OpenIdProvider]:
    """Returns the providers for which the operator has set credentials."""
    google = settings.google
    if not google.client_id or google.client_secret is None:
        return {}
    secret = google.client_secret.get_secret_value()
    return {"google": OpenIdProvider("google", google.issuer, google.client_id, secret, google.further_client_ids)}
