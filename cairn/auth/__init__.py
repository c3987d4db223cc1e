"""`/auth/v1`: people, passwords, sessions, tokens, second factors, Google, SAML.

Floor 5. `service()` is the application to mount; `Keyring` is how every other door learns who holds a token;
`ApiKeyGate` stands in front of the services and asks for a project key. Each verb has a file of its own, all refusals
are in `errors`, all SQL in `store`.
"""

from cairn.auth.errors import BadClaims, BadToken
from cairn.auth.gate import ApiKeyGate
from cairn.auth.keyring import Keyring, new_signing_key
from cairn.auth.limits import network_of
from cairn.auth.routes import service
from cairn.auth.settings import AuthSettings
from cairn.auth.sweep import sweep
from cairn.auth.texts import TextSender

__all__ = [
    "ApiKeyGate",
    "AuthSettings",
    "BadClaims",
    "BadToken",
    "Keyring",
    "TextSender",
    "network_of",
    "new_signing_key",
    "service",
    "sweep",
]
