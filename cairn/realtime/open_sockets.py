"""Counts the open sockets of this process: in total, of each network and of each account."""

from collections import Counter
from collections.abc import Iterable

from cairn.limits import NetworkCounter
from cairn.realtime.errors import TooManySockets, TooManySocketsOfAccount, TooManySocketsOfNetwork
from cairn.realtime.settings import RealtimeSettings


class OpenSockets:
    def __init__(self, settings: RealtimeSettings) -> None:
        self._settings = settings
        self._total = 0
        self._of_network = NetworkCounter(settings.sockets_per_network)
        self._of_account: Counter[str] = Counter()

    def open(self, network: str) -> None:
        if self._total >= self._settings.max_sockets:
            raise TooManySockets
        if not self._of_network.add(network):
            raise TooManySocketsOfNetwork
        self._total += 1

    def close(self, network: str) -> None:
        self._total -= 1
        self._of_network.remove(network)

    def add_account(self, account: str) -> None:
        """Counts a socket for an account. The account is known only when a channel is joined with its token."""
        if self._of_account[account] >= self._settings.sockets_per_account:
            raise TooManySocketsOfAccount
        self._of_account[account] += 1

    def remove_accounts(self, accounts: Iterable[str]) -> None:
        for account in accounts:
            self._of_account[account] -= 1
            # Without this, the counter would grow forever.
            if self._of_account[account] <= 0:
                del self._of_account[account]
