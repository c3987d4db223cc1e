"""Counts things that networks hold open, such as connections."""

from collections import Counter

from cairn.limits.network import LARGER_NETWORK_FACTOR, with_larger_network


class NetworkCounter:
    """Allows each network `per_network` open things, and each /48 network of IPv6 a few times as many."""

    def __init__(self, per_network: int) -> None:
        self._per_network = per_network
        self._open: Counter[str] = Counter()

    def add(self, network: str) -> bool:
        """Returns False, and counts nothing, if the network has too many open."""
        larger = with_larger_network(network)
        if self._open[network] >= self._per_network:
            return False
        if larger is not None and self._open[larger] >= self._per_network * LARGER_NETWORK_FACTOR:
            return False
        self._open.update([network] if larger is None else [network, larger])
        return True

    def remove(self, network: str) -> None:
        larger = with_larger_network(network)
        for key in [network] if larger is None else [network, larger]:
            self._open[key] -= 1
            # Without this, the counter would grow forever.
            if self._open[key] <= 0:
                del self._open[key]
