"""The dependencies and counters that all sockets of this process share."""

from collections.abc import Callable
from dataclasses import dataclass, field

from cairn.db import Database, Principal
from cairn.kit import Problem
from cairn.realtime.change_feed import ChangeFeed
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


@dataclass(slots=True)
class RealtimeContext:
    database: Database
    feed: ChangeFeed
    channels: Channels
    bus: MessageBus
    presence: PresenceTracker
    settings: RealtimeSettings
    principal_of: Callable[[str], Principal]
    sockets: OpenSockets = field(init=False)
    http_messages: RateLimit = field(init=False)
    limits: NetworkLimits = field(init=False)
    unsent: UnsentBytes = field(init=False)
    kept: KeptBytes = field(init=False)

    def __post_init__(self) -> None:
        self.sockets = OpenSockets(self.settings)
        self.http_messages = RateLimit(self.settings.http_messages_per_second)
        self.limits = NetworkLimits(self.settings)
        self.kept = KeptBytes(self.settings)
        self.unsent = UnsentBytes(self.settings.max_total_unsent_bytes)

    def authenticate(self, token: str) -> Principal:
        try:
            return self.principal_of(token)
        except Problem as problem:
            raise token_error(problem) from problem


def user_token(payload: object) -> str | None:
    """Returns the user's access token from a payload. Opaque API keys identify no user and are ignored."""
    token = payload.get("access_token") if isinstance(payload, dict) else None
    return token if isinstance(token, str) and token and not token.startswith("sb_") else None
