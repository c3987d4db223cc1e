"""Limits the memory of what open channels keep: the filters of their joins, and their presence entries."""

from collections import Counter

from cairn.realtime.channels import Channel, ChannelKey
from cairn.realtime.errors import ChannelPresenceTooLarge, ChannelsTooLarge
from cairn.realtime.network_totals import NetworkTotals
from cairn.realtime.settings import RealtimeSettings

# The presence entries of a channel are limited, because they are encoded for each new member. The limit is this many
# times that of one network, so that one network can use up only half of it.
_PRESENCE_LIMIT_FACTOR = 2

# What a list or an object needs in addition to its characters, and what a channel needs, in bytes of JSON.
_BYTES_PER_CONTAINER = 8
_BYTES_PER_CHANNEL = 200


def kept_size(text: str) -> int:
    """Returns how much memory the parsed JSON needs. An empty list has two characters and needs as much as ten."""
    return len(text) + _BYTES_PER_CONTAINER * (text.count("[") + text.count("{"))


class KeptBytes:
    """Counts JSON, which needs about ten times as much memory after it is parsed."""

    def __init__(self, settings: RealtimeSettings) -> None:
        self._totals = NetworkTotals(settings.kept_bytes_per_network, settings.max_kept_bytes)
        self._max_presence_bytes = _PRESENCE_LIMIT_FACTOR * settings.kept_bytes_per_network
        self._join_bytes: dict[Channel, int] = {}
        self._presence_bytes: dict[Channel, int] = {}
        self._presence_bytes_by_key: Counter[ChannelKey] = Counter()

    def set_join(self, channel: Channel, byte_count: int) -> None:
        """Counts the join of a channel. Raises ChannelsTooLarge, and counts nothing, if there is too much already."""
        self._set(self._join_bytes, channel, byte_count + _BYTES_PER_CHANNEL)

    def set_presence(self, channel: Channel, byte_count: int) -> None:
        """Counts the presence entry of a channel instead of its previous one. Raises like `set_join`.

        Raises ChannelPresenceTooLarge if the entries of all members are too large together.
        """
        added_bytes = byte_count - self._presence_bytes.get(channel, 0)
        if added_bytes > 0 and self._presence_bytes_by_key[channel.key] + added_bytes > self._max_presence_bytes:
            raise ChannelPresenceTooLarge
        self._set(self._presence_bytes, channel, byte_count)
        self._add_presence(channel, added_bytes)

    def remove(self, channel: Channel) -> None:
        self._add_presence(channel, -self._presence_bytes.get(channel, 0))
        for bytes_of in (self._join_bytes, self._presence_bytes):
            self._totals.add(channel.network, -bytes_of.pop(channel, 0))

    def _set(self, bytes_of: dict[Channel, int], channel: Channel, byte_count: int) -> None:
        if not self._totals.add(channel.network, byte_count - bytes_of.get(channel, 0)):
            raise ChannelsTooLarge
        bytes_of[channel] = byte_count

    def _add_presence(self, channel: Channel, byte_count: int) -> None:
        self._presence_bytes_by_key[channel.key] += byte_count
        # Clients choose the names of channels, so the counter would otherwise grow forever.
        if not self._presence_bytes_by_key[channel.key]:
            del self._presence_bytes_by_key[channel.key]
