"""Limits the memory of what open channels keep: the filters of their joins, and their presence entries."""

from cairn.realtime.channels import Channel
from cairn.realtime.errors import ChannelsTooLarge
from cairn.realtime.network_totals import NetworkTotals
from cairn.realtime.settings import RealtimeSettings


class KeptBytes:
    """Counts JSON, which needs about ten times as much memory after it is parsed."""

    def __init__(self, settings: RealtimeSettings) -> None:
        self._totals = NetworkTotals(settings.kept_bytes_per_network, settings.max_kept_bytes)
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
            self._totals.add(channel.network, -bytes_of.pop(channel, 0))

    def _set(self, bytes_of: dict[Channel, int], channel: Channel, byte_count: int) -> None:
        if not self._totals.add(channel.network, byte_count - bytes_of.get(channel, 0)):
            raise ChannelsTooLarge
        bytes_of[channel] = byte_count
