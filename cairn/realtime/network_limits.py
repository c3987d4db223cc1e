"""Limits how much work the clients of one network cause, so that strangers cannot keep the server busy.

Work is counted in units of about 20 microseconds. A network may use the units of ten seconds in one burst. The cost
of a message is known only when it has been read, so the last accepted message may cost more than what is left. The
network then waits until the difference is refilled, but not longer than ten seconds.
"""

from datetime import timedelta

from cairn.db import SERVICE, Principal
from cairn.limits import MemoryLimiter
from cairn.realtime.errors import TooManyDeliveries
from cairn.realtime.settings import RealtimeSettings

_BURST = timedelta(seconds=10)
_BYTES_PER_UNIT = 4096
_JSON_VALUES_PER_UNIT = 100
# A join makes a few database queries, and each character of its filters is parsed.
_JOIN_UNITS = 10
_JOIN_BYTES_PER_UNIT = 256
_TRANSACTION_UNITS = 25
# A filter costs less than a transaction, because PostgreSQL checks all filters of a join in one.
_FILTER_UNITS = 5
# Compiling a regular expression may take much longer than checking other filters.
_REGEX_UNITS = 2000
_ALL_NETWORKS = "all"


class NetworkLimits:
    def __init__(self, settings: RealtimeSettings) -> None:
        self._received = _limiter(settings.received_units_per_network)
        self._sent = _limiter(settings.sent_units_per_network)
        self._sent_to_public_channels = _limiter(settings.sent_units_in_public_channels)

    def take_message(self, network: str) -> float | None:
        """Counts a message that has arrived. Returns how long it must wait before it is read, or None for no wait."""
        return self._received.take(network)

    def count_received(self, network: str, content: str | bytes) -> None:
        """Counts the time that it takes to parse the content of a message."""
        self._received.charge(network, _json_units(content))

    def count_join(self, network: str, byte_count: int) -> None:
        self._received.charge(network, _JOIN_UNITS + byte_count // _JOIN_BYTES_PER_UNIT)

    def count_transaction(self, network: str) -> None:
        """Counts a database transaction that a message of this network causes."""
        self._received.charge(network, _TRANSACTION_UNITS)

    def count_filters(self, network: str, filters: int, characters: int) -> None:
        """Counts the filters of a join. A filter counts once for each table to which it applies, with all its text."""
        self._received.charge(network, _FILTER_UNITS * filters + characters // _JOIN_BYTES_PER_UNIT)

    def count_filter_check(self, network: str, regexes: int) -> None:
        """Counts the transaction that checks the filters of a join, which contain `regexes` regular expressions."""
        self._received.charge(network, _TRANSACTION_UNITS + _REGEX_UNITS * regexes)

    def take_state(self, network: str, principal: Principal) -> None:
        """Counts the presence state for a new member. Raises TooManyDeliveries if earlier messages were too many.

        What it costs is known when it has been encoded, and is then counted by `count_state`.
        """
        if principal.role != SERVICE.role and self._sent.take(network) is not None:
            raise TooManyDeliveries

    def count_state(self, network: str, state: str) -> None:
        """Counts the time that it takes to encode and send a presence state."""
        self._sent.charge(network, _json_units(state))

    def take_deliveries(
        self, network: str, principal: Principal, byte_count: int, receiver_count: int, *, private: bool
    ) -> None:
        """Counts a message to `receiver_count` members. Raises TooManyDeliveries if earlier messages were too many.

        The message bus to the other server processes counts as a receiver. The service role has no limit.
        """
        self._take_sent(network, principal, (1 + receiver_count) * (1 + byte_count // _BYTES_PER_UNIT), private=private)

    def take_presence(
        self, network: str, principal: Principal, byte_count: int, receiver_count: int, *, is_first: bool, private: bool
    ) -> None:
        """Counts an entry of presence, which all members receive now, and once more when it ends.

        Entries that change within a short time are sent together, so only the first pays for the messages.
        """
        messages = 2 * receiver_count if is_first else 0
        units = 1 + messages + 2 * byte_count * receiver_count // _BYTES_PER_UNIT
        self._take_sent(network, principal, units, private=private)

    def _take_sent(self, network: str, principal: Principal, units: int, *, private: bool) -> None:
        if principal.role == SERVICE.role:
            return
        if self._sent.take(network) is not None:
            raise TooManyDeliveries
        self._sent.charge(network, units - 1)
        # Anyone can send to a public channel, and from many networks at once. So all networks together have a limit.
        if private:
            return
        if self._sent_to_public_channels.take(_ALL_NETWORKS) is not None:
            raise TooManyDeliveries
        self._sent_to_public_channels.charge(_ALL_NETWORKS, units - 1)


def _json_units(content: str | bytes) -> int:
    if isinstance(content, str):
        values = content.count(",") + content.count("{") + content.count("[")
    else:
        values = content.count(b",") + content.count(b"{") + content.count(b"[")
    return len(content) // _BYTES_PER_UNIT + values // _JSON_VALUES_PER_UNIT


def _limiter(units_per_second: int) -> MemoryLimiter:
    return MemoryLimiter(units_per_second * int(_BURST.total_seconds()), _BURST)
