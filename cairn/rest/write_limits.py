"""Limits how much visitors and accounts write. Otherwise one of them could fill the disk.

The limits are counted in memory, because a row lock in the signing transaction would make guests wait for each other.
"""

from datetime import timedelta
from math import ceil

from cairn.db import ANON, SERVICE, Principal
from cairn.limits import MemoryLimiter, network_of
from cairn.rest.errors import TooManyAnonymousWrites, TooManyWrites
from cairn.rest.request import Payload
from cairn.rest.settings import RestSettings

_WINDOW = timedelta(minutes=10)
_ACCOUNTS_PER_NETWORK = 4
"""All accounts of one network together may write as much as this number of accounts."""

_ROLES_WITHOUT_ACCOUNT = frozenset({ANON.role, SERVICE.role})
_WRITING_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class WriteLimits:
    """Visitors are counted by network, and accounts both by account and by network. The service role has no limit."""

    def __init__(self, settings: RestSettings) -> None:
        self._visitors = _Allowance(settings.anonymous_writes, settings.anonymous_write_bytes)
        self._accounts = _Allowance(settings.account_writes, settings.account_write_bytes)
        # Rows of lists have limits of their own. Otherwise one long list would use up the writes of everyone behind the
        # same address.
        self._visitor_rows = MemoryLimiter(settings.anonymous_writes, _WINDOW)
        self._account_rows = MemoryLimiter(settings.account_rows, _WINDOW)
        self._network_rows = MemoryLimiter(settings.account_rows * _ACCOUNTS_PER_NETWORK, _WINDOW)
        self._networks = _Allowance(
            settings.account_writes * _ACCOUNTS_PER_NETWORK, settings.account_write_bytes * _ACCOUNTS_PER_NETWORK
        )

    def count(self, principal: Principal, method: str, ip: str, body_bytes: int) -> None:
        """Raises TooManyWrites or TooManyAnonymousWrites if the caller has written too often or too much."""
        if principal.role == SERVICE.role or method not in _WRITING_METHODS:
            return
        network = network_of(ip)
        if principal.role == ANON.role:
            if (wait_seconds := self._visitors.take(network, body_bytes)) is not None:
                raise TooManyAnonymousWrites(headers={"Retry-After": str(ceil(wait_seconds))})
            return
        wait_seconds = self._accounts.take(str(principal.user_id), body_bytes)
        if wait_seconds is None:
            wait_seconds = self._networks.take(network, body_bytes)
        if wait_seconds is not None:
            raise TooManyWrites(headers={"Retry-After": str(ceil(wait_seconds))})

    def count_rows(self, principal: Principal, ip: str, payload: Payload) -> None:
        """Counts the rows of a list. A short row can store much, because a session copies the text of its template."""
        if payload.row_count < 2 or principal.role == SERVICE.role:
            return
        rows = _max_rows(payload)
        if principal.role == ANON.role:
            if (wait_seconds := self._visitor_rows.take(network_of(ip), rows)) is not None:
                raise TooManyAnonymousWrites(headers={"Retry-After": str(ceil(wait_seconds))})
            return
        wait_seconds = self._account_rows.take(str(principal.user_id), rows)
        if wait_seconds is None:
            wait_seconds = self._network_rows.take(network_of(ip), rows)
        if wait_seconds is not None:
            raise TooManyWrites(headers={"Retry-After": str(ceil(wait_seconds))})

    def check_changed_rows(self, principal: Principal) -> None:
        """Raises TooManyWrites if the account has recently changed too many rows with few requests."""
        if principal.role in _ROLES_WITHOUT_ACCOUNT:
            return
        if (wait_seconds := self._account_rows.take(str(principal.user_id), 0)) is not None:
            raise TooManyWrites(headers={"Retry-After": str(ceil(wait_seconds))})

    def count_changed_rows(self, principal: Principal, rows: int) -> None:
        """Counts the rows that a request has changed or deleted. A single row was already counted as a write."""
        if rows > 1 and principal.role not in _ROLES_WITHOUT_ACCOUNT:
            self._account_rows.charge(str(principal.user_id), rows)


def _max_rows(payload: Payload) -> int:
    """Returns the largest number of rows that the list can contain. In a large list, objects inside rows count too."""
    return payload.row_count if payload.is_counted else payload.content.count(b"{")


class _Allowance:
    """How many writes each key may send in the time window, and how many bytes they may contain together."""

    def __init__(self, max_requests: int, max_bytes: int) -> None:
        self._requests = MemoryLimiter(max_requests, _WINDOW)
        self._bytes = MemoryLimiter(max_bytes, _WINDOW)

    def take(self, key: str, body_bytes: int) -> float | None:
        """Returns None, or the seconds to wait."""
        wait_seconds = self._requests.take(key)
        return self._bytes.take(key, body_bytes) if wait_seconds is None else wait_seconds
