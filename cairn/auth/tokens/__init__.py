"""JSON web tokens: the keys that sign and verify them, and the API key check in front of the services."""

from cairn.auth.tokens.api_key_gate import ApiKeyGate
from cairn.auth.tokens.keyring import Keyring, new_signing_key
from cairn.auth.tokens.token_cache import TokenCache

__all__ = [
    "ApiKeyGate",
    "Keyring",
    "TokenCache",
    "new_signing_key",
]
