"""The dependencies and counters that all sockets of this process share."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from cairn.db import Database, Principal
from cairn.kit import FairTurns, Problem
from cairn.limits import MemoryLimiter, key_of_larger_network
from cairn.realtime.change_feed import ChangeFeed
from cairn.realtime.change_units import ChangeUnits
from cairn.realtime.channels import Channels
from cairn.realtime.errors import token_error
from cairn.realtime.kept_bytes import KeptBytes
from cairn.realtime.message_bus import MessageBus
from cairn.realtime.network_limits import NetworkLimits
from cairn.realtime.open_sockets import OpenSockets
from cairn.realtime.presence import PresenceTracker
from cairn.realtime.rate_limit import RateLimit
from cairn.realtime.settings import RealtimeSettings
from cairn.realtime.unsent_bytes import UnsentBytes

# How many transactions for realtime clients run at once, altogether and for each network. The other connections of the
# pool are left for other requests, such as signing.
_TRANSACTIONS, _TRANSACTIONS_PER_NETWORK = 6, 2
# This is shorter than the 10 s for which a client waits for the reply to a join.
_MAX_WAIT_SECONDS = 5.0
# In this time, one network may send as many HTTP broadcasts as all networks together may send in one second.
_NETWORK_WINDOW = timedelta(seconds=4)


@dataclass(slots=True)
class RealtimeContext:
    database: Database
    feed: ChangeFeed
    channels: Channels
    bus: MessageBus
    presence: PresenceTracker
    settings: RealtimeSettings
    principal_of: Callable[[str], Principal]
    # If true, no new sockets and joins are accepted, because the process is about to stop.
    is_stopping: bool = field(default=False, init=False)
    sockets: OpenSockets = field(init=False)
    http_messages: RateLimit = field(init=False)
    http_messages_of_network: MemoryLimiter = field(init=False)
    limits: NetworkLimits = field(init=False)
    unsent: UnsentBytes = field(init=False)
    kept: KeptBytes = field(init=False)
    change_units: ChangeUnits = field(init=False)
    _turns: FairTurns = field(init=False)

    def __post_init__(self) -> None:
        self.sockets = OpenSockets(self.settings)
        self.http_messages = RateLimit(self.settings.http_messages_per_second)
        # In the long run, one network uses a quarter of what all networks may send.
        self.http_messages_of_network = MemoryLimiter(self.settings.http_messages_per_second, _NETWORK_WINDOW)
        self.limits = NetworkLimits(self.settings)
        self.kept = KeptBytes(self.settings)
        self.change_units = ChangeUnits(self.settings)
        self.unsent = UnsentBytes(self.settings.max_total_unsent_bytes)
        self._turns = FairTurns(
            running=_TRANSACTIONS,
            running_per_key=_TRANSACTIONS_PER_NETWORK,
            waiting=self.settings.max_sockets,
            waiting_per_key=self.settings.sockets_per_network,
            wait_seconds=_MAX_WAIT_SECONDS,
        )

    @asynccontextmanager
    async def database_turn(self, network: str) -> AsyncIterator[None]:
        """Waits until fewer than two transactions for clients of this network run. Raises TooBusy after five seconds.

        The networks of an IPv6 /48 network count together.
        """
        async with self._turns.turn(key_of_larger_network(network) or network):
            yield

    def authenticate(self, token: str) -> Principal:
        try:
            return self.principal_of(token)
        except Problem as problem:
            raise token_error(problem) from problem


def user_token(payload: object) -> str | None:
    """Returns the user's access token from a payload. Opaque project keys identify no user and are ignored."""
    token = payload.get("access_token") if isinstance(payload, dict) else None
    return token if isinstance(token, str) and token and not token.startswith("sb_") else None
