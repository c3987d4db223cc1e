"""Counts the open sockets of this process: in total, of each network and of each account."""

from collections import Counter
from collections.abc import Iterable

from cairn.realtime.errors import TooManySockets, TooManySocketsOfAccount, TooManySocketsOfNetwork
from cairn.realtime.settings import RealtimeSettings


class OpenSockets:
    def __init__(self, settings: RealtimeSettings) -> None:
        self._settings = settings
        self._total = 0
        self._of_network: Counter[str] = Counter()
        self._of_account: Counter[str] = Counter()

    def open(self, network: str) -> None:
        if self._total >= self._settings.max_sockets:
            raise TooManySockets
        if self._of_network[network] >= self._settings.sockets_per_network:
            raise TooManySocketsOfNetwork
        self._total += 1
        self._of_network[network] += 1

    def close(self, network: str) -> None:
        self._total -= 1
        _decrement(self._of_network, network)

    def add_account(self, account: str) -> None:
        """Counts a socket for an account. The account is known only when a channel is joined with its token."""
        if self._of_account[account] >= self._settings.sockets_per_account:
            raise TooManySocketsOfAccount
        self._of_account[account] += 1

    def remove_accounts(self, accounts: Iterable[str]) -> None:
        for account in accounts:
            _decrement(self._of_account, account)


def _decrement(counter: Counter[str], key: str) -> None:
    """Removes a key that is no longer used, so that the counter does not grow forever."""
    counter[key] -= 1
    if counter[key] <= 0:
        del counter[key]
