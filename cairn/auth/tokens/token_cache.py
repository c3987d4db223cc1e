"""Tokens whose signature was checked before: checking it again costs a hundred times what remembering does."""

from collections import OrderedDict
from hashlib import sha256

from cairn.db import Principal


class TokenCache:
    """The most recently used, and never more than `size`; a token itself is not kept, only its hash."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._principals: OrderedDict[bytes, Principal] = OrderedDict()

    def __len__(self) -> int:
        return len(self._principals)

    def get(self, token: str) -> Principal | None:
        key = _key(token)
        principal = self._principals.get(key)
        if principal is not None:
            self._principals.move_to_end(key)
        return principal

    def put(self, token: str, principal: Principal) -> None:
        self._principals[_key(token)] = principal
        if len(self._principals) > self._size:
            self._principals.popitem(last=False)


def _key(token: str) -> bytes:
    return sha256(token.encode(errors="surrogatepass")).digest()
