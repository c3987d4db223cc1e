"""This package signs and verifies JSON web tokens, and checks the project keys of requests to the services."""

from cairn.auth.tokens.api_key_gate import ApiKeyGate
from cairn.auth.tokens.keyring import Keyring, new_signing_key, public_signing_key
from cairn.auth.tokens.token_cache import TokenCache

__all__ = [
    "ApiKeyGate",
    "Keyring",
    "TokenCache",
    "new_signing_key",
    "public_signing_key",
]
