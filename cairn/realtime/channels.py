"""The channels of this process: who has joined which topic, and what each wants to hear of."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias, TypeVar
from uuid import uuid4

from cairn.db import Principal
from cairn.kit import Problem
from cairn.realtime.frame import Json, Message, Ref
from cairn.realtime.join_config import JoinConfig
from cairn.realtime.send_queue import SendQueue
from cairn.realtime.snapshot import Snapshot
from cairn.realtime.subscription import Subscription
from cairn.realtime.table import TableName

PREFIX = "realtime:"

# Role and claims: what row-level security knows of a principal.
Identity: TypeAlias = tuple[str, str]
# Public and private channels of one name are different places.
ChannelKey: TypeAlias = tuple[str, bool]

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Permissions:
    receives_broadcasts: bool = True
    receives_presence: bool = True
    broadcasts: bool = True
    tracks: bool = True


@dataclass(eq=False, slots=True)
class Channel:
    """One join of one socket."""

    topic: str
    join_ref: Ref
    outgoing: SendQueue
    principal: Principal
    config: JoinConfig
    may: Permissions = Permissions()
    subscriptions: tuple[Subscription, ...] = ()
    # Changes that this snapshot sees were there before the join.
    since: Snapshot | None = None
    is_open: bool = field(default=True, init=False)
    whose: Identity = field(init=False)
    presence_key: str = field(init=False)

    def __post_init__(self) -> None:
        self.become(self.principal)
        self.presence_key = self.config.presence.key or str(uuid4())

    def become(self, principal: Principal) -> None:
        self.principal = principal
        self.whose = principal.role, principal.claims_json

    @property
    def name(self) -> str:
        return self.topic.removeprefix(PREFIX)

    @property
    def place(self) -> ChannelKey:
        return self.topic, self.config.private

    def watches(self, table: TableName, event: str) -> bool:
        return any(subscription.watches(table, event) for subscription in self.subscriptions)

    def filters(self, table: TableName) -> Iterator[str]:
        sieves = (subscription.tables.get(table) for subscription in self.subscriptions)
        return (sieve.sql for sieve in sieves if sieve is not None)

    def knew(self, xid: int) -> bool:
        return self.since is not None and self.since.sees(xid)

    @property
    def session_id(self) -> str | None:
        """The sign-in behind the token; project keys have none."""
        named = self.principal.claims.get("session_id")
        return None if named is None else str(named)

    def has_expired(self, now: datetime) -> bool:
        expires = self.principal.claims.get("exp")
        return expires is not None and float(expires) <= now.timestamp()

    def push(self, event: str, payload: Mapping[str, object] | Json) -> None:
        self.outgoing.put(Message(self.topic, event, payload, join_ref=self.join_ref))

    def tell(self, extension: str, status: str, message: str) -> None:
        self.push("system", {"extension": extension, "status": status, "message": message, "channel": self.name})


class Channels:
    def __init__(self) -> None:
        self._by_place: defaultdict[ChannelKey, set[Channel]] = defaultdict(set)
        self._by_table: defaultdict[TableName, set[Channel]] = defaultdict(set)
        self.on_leaving: Callable[[Channel], None] = lambda _channel: None

    def __bool__(self) -> bool:
        return bool(self._by_place)

    def __iter__(self) -> Iterator[Channel]:
        return (channel for members in list(self._by_place.values()) for channel in list(members))

    def members(self, place: ChannelKey) -> Collection[Channel]:
        return list(self._by_place.get(place, ()))

    def watching(self, table: TableName) -> Collection[Channel]:
        return self._by_table.get(table, ())

    def add(self, channel: Channel) -> None:
        self._by_place[channel.place].add(channel)
        for subscription in channel.subscriptions:
            for table in subscription.tables:
                self._by_table[table].add(channel)

    def close(self, channel: Channel) -> None:
        """Leaves, and says so to the client."""
        if not channel.is_open:
            return
        self.forget(channel)
        # The ref of the join, so that a client does not take it for the end of a newer one.
        channel.outgoing.put(Message(channel.topic, "phx_close", {}, channel.join_ref, channel.join_ref))

    def end(self, channel: Channel, why: Problem) -> None:
        """Closes a channel that would have liked to stay."""
        if channel.is_open:
            channel.tell("system", "error", str(why))
            self.close(channel)

    def forget(self, channel: Channel) -> None:
        if not channel.is_open:
            return
        channel.is_open = False
        _discard(self._by_place, channel.place, channel)
        for subscription in channel.subscriptions:
            for table in subscription.tables:
                _discard(self._by_table, table, channel)
        self.on_leaving(channel)


def _discard(index: dict[Key, set[Channel]], key: Key, channel: Channel) -> None:
    """Leaves no empty set behind: topics are named by clients, and there is no end of names."""
    index[key].discard(channel)
    if not index[key]:
        del index[key]
