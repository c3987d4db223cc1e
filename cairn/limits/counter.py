"""Limits how many connections, or similar resources, each IP network has open at once."""

from collections import Counter

from cairn.limits.network import LARGER_NETWORK_FACTOR, key_of_larger_network


class NetworkCounter:
    """A network may have `limit` resources open, and a whole IPv6 /48 network `LARGER_NETWORK_FACTOR` times as many."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._open: Counter[str] = Counter()

    def add(self, network: str) -> bool:
        """Returns False, and counts nothing, if the network has too many open."""
        larger = key_of_larger_network(network)
        if self._open[network] >= self._limit:
            return False
        if larger is not None and self._open[larger] >= self._limit * LARGER_NETWORK_FACTOR:
            return False
        self._open.update([network] if larger is None else [network, larger])
        return True

    def remove(self, network: str) -> None:
        larger = key_of_larger_network(network)
        for key in [network] if larger is None else [network, larger]:
            self._open[key] -= 1
            # Without this, the counter would grow forever.
            if self._open[key] <= 0:
                del self._open[key]
