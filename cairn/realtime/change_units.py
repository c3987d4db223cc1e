"""Limits how many subscriptions to row changes a network has, because each takes time at every change that it sees.

What a subscription costs is counted in units; see `RealtimeSettings.change_units_per_network`.
"""

from cairn.db import SERVICE
from cairn.realtime.channels import Channel
from cairn.realtime.errors import TooManyChangeSubscriptions
from cairn.realtime.network_totals import NetworkTotals
from cairn.realtime.settings import RealtimeSettings


class ChangeUnits:
    def __init__(self, settings: RealtimeSettings) -> None:
        self._totals = NetworkTotals(settings.change_units_per_network)
        self._units: dict[Channel, int] = {}

    def add(self, channel: Channel) -> None:
        """Counts the subscriptions of a channel. If these are too many, raises TooManyChangeSubscriptions.

        The service role has no limit.
        """
        if channel.principal.role == SERVICE.role:
            return
        units = sum(subscription.change_units for subscription in channel.subscriptions)
        if not self._totals.add(channel.network, units):
            raise TooManyChangeSubscriptions
        self._units[channel] = units

    def remove(self, channel: Channel) -> None:
        self._totals.add(channel.network, -self._units.pop(channel, 0))
