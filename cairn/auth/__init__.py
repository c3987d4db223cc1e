"""This package is the service `/auth/v1`: users, passwords, sessions, tokens, second factors, Google and SAML.

`service()` returns the application to mount. Other services verify access tokens with `Keyring`, and `ApiKeyGate`
requires a project key for almost every request to them. Each sub-package is one part of the API; `.importlinter` lists
their layers. All errors are in `errors`, and all queries are in `store`.
"""

from cairn.auth.admin import UserAdministration
from cairn.auth.errors import BadClaims, BadToken
from cairn.auth.model import User
from cairn.auth.routes import service
from cairn.auth.settings import AuthSettings, is_loopback_host, signing_key_hash
from cairn.auth.sweep import sweep
from cairn.auth.text_sender import TextSender
from cairn.auth.tokens import ApiKeyGate, Keyring, new_signing_key, public_signing_key

__all__ = [
    "ApiKeyGate",
    "AuthSettings",
    "BadClaims",
    "BadToken",
    "Keyring",
    "TextSender",
    "User",
    "UserAdministration",
    "is_loopback_host",
    "new_signing_key",
    "public_signing_key",
    "service",
    "signing_key_hash",
    "sweep",
]
