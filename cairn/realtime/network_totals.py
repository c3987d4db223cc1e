"""Sums what the open channels of each network use, so that strangers cannot use everything."""

from collections import Counter

from cairn.limits import LARGER_NETWORK_FACTOR, key_of_larger_network

_ALL_NETWORKS = "all"


class NetworkTotals:
    """The sums are limited for each network and, if `max_total` is given, for all of them together."""

    def __init__(self, max_per_network: int, max_total: int | None = None) -> None:
        self._max_per_network = max_per_network
        self._max_total = max_total
        self._totals: Counter[str] = Counter()

    def add(self, network: str, amount: int) -> bool:
        """Adds the amount, which may be negative. Returns False, and adds nothing, if the sum would be too large."""
        limits = self._limits(network)
        if amount > 0 and any(self._totals[key] + amount > limit for key, limit in limits):
            return False
        for key, _ in limits:
            self._totals[key] += amount
            # Without this, the counter would grow forever.
            if not self._totals[key]:
                del self._totals[key]
        return True

    def _limits(self, network: str) -> list[tuple[str, int]]:
        limits = [(network, self._max_per_network)]
        larger = key_of_larger_network(network)
        if larger is not None:
            limits.append((larger, self._max_per_network * LARGER_NETWORK_FACTOR))
        if self._max_total is not None:
            limits.append((_ALL_NETWORKS, self._max_total))
        return limits
