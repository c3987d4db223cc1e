"""Limits the memory of what open channels keep: the filters of their joins, and their presence entries."""

from collections import Counter

from cairn.limits import LARGER_NETWORK_FACTOR, key_of_larger_network
from cairn.realtime.channels import Channel
from cairn.realtime.errors import ChannelsTooLarge
from cairn.realtime.settings import RealtimeSettings

_ALL_NETWORKS = "all"


class KeptBytes:
    """Counts JSON, which needs about ten times as much memory after it is parsed."""

    def __init__(self, settings: RealtimeSettings) -> None:
        self._max_total = settings.max_kept_bytes
        self._max_per_network = settings.kept_bytes_per_network
        self._totals: Counter[str] = Counter()
        self._join_bytes: dict[Channel, int] = {}
        self._presence_bytes: dict[Channel, int] = {}

    def set_join(self, channel: Channel, byte_count: int) -> None:
        """Counts the join of a channel. Raises ChannelsTooLarge, and counts nothing, if there is too much already."""
        self._set(self._join_bytes, channel, byte_count)

    def set_presence(self, channel: Channel, byte_count: int) -> None:
        """Counts the presence entry of a channel instead of its previous one. Raises like `set_join`."""
        self._set(self._presence_bytes, channel, byte_count)

    def remove(self, channel: Channel) -> None:
        for bytes_of in (self._join_bytes, self._presence_bytes):
            self._change(channel.network, -bytes_of.pop(channel, 0))

    def _set(self, bytes_of: dict[Channel, int], channel: Channel, byte_count: int) -> None:
        added = byte_count - bytes_of.get(channel, 0)
        if any(self._totals[key] + added > limit for key, limit in self._limits(channel.network)) and added > 0:
            raise ChannelsTooLarge
        self._change(channel.network, added)
        bytes_of[channel] = byte_count

    def _change(self, network: str, byte_count: int) -> None:
        for key, _ in self._limits(network):
            self._totals[key] += byte_count
            # Without this, the counter would grow forever.
            if not self._totals[key]:
                del self._totals[key]

    def _limits(self, network: str) -> list[tuple[str, int]]:
        limits = [(_ALL_NETWORKS, self._max_total), (network, self._max_per_network)]
        larger = key_of_larger_network(network)
        return limits if larger is None else [*limits, (larger, self._max_per_network * LARGER_NETWORK_FACTOR)]
