"""The channels of this process: the topics that its sockets have joined, and their subscriptions."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias, TypeVar
from uuid import UUID, uuid4

from cairn.db import Principal
from cairn.kit import Problem, frozen_dataclass
from cairn.realtime.filter import Filter
from cairn.realtime.frame import Json, Message, Ref
from cairn.realtime.join_config import JoinConfig
from cairn.realtime.send_queue import SendQueue
from cairn.realtime.snapshot import Snapshot
from cairn.realtime.subscription import Subscription
from cairn.realtime.table import TableName

TOPIC_PREFIX = "realtime:"
# The characters after the prefix. The keys of presence have the same limit.
MAX_TOPIC_LENGTH = 255
# Other tasks run after this many messages, so that a large channel does not delay them.
PUSHES_BEFORE_YIELDING = 200

# The role and the claims of a principal. Row-level security sees nothing else of it.
Identity: TypeAlias = tuple[str, str]
# The topic and whether the channel is private. A public and a private channel with the same topic are separate.
ChannelKey: TypeAlias = tuple[str, bool]

# A table and the kind of change: INSERT, UPDATE or DELETE.
Watched: TypeAlias = tuple[TableName, str]

Key = TypeVar("Key")
Member = TypeVar("Member")


@frozen_dataclass
class Permissions:
    receives_broadcasts: bool = True
    receives_presence: bool = True
    sends_broadcasts: bool = True
    tracks_presence: bool = True


@dataclass(eq=False, slots=True)
class Channel:
    """A topic that one socket has joined."""

    topic: str
    join_ref: Ref
    send_queue: SendQueue
    principal: Principal
    config: JoinConfig
    permissions: Permissions = field(default_factory=Permissions)
    subscriptions: tuple[Subscription, ...] = ()
    # The snapshot taken at the join. Changes that were committed before the snapshot are not delivered.
    join_snapshot: Snapshot | None = None
    is_open: bool = field(default=True, init=False)
    identity: Identity = field(init=False)
    # The user whose rights apply. None for project keys.
    user_id: UUID | None = field(init=False)
    presence_key: str = field(init=False)

    def __post_init__(self) -> None:
        self.set_principal(self.principal)
        self.presence_key = self.config.presence.key or str(uuid4())

    def set_principal(self, principal: Principal) -> None:
        self.principal = principal
        self.identity = identity_of(principal)
        self.user_id = principal.user_id if principal.role == "authenticated" else None

    @property
    def name(self) -> str:
        return self.topic.removeprefix(TOPIC_PREFIX)

    @property
    def network(self) -> str:
        """The network of the client."""
        return self.send_queue.network

    @property
    def key(self) -> ChannelKey:
        return self.topic, self.config.private

    @property
    def watched(self) -> set[Watched]:
        return {
            (table, event)
            for subscription in self.subscriptions
            for table in subscription.tables
            for event in subscription.events
        }

    def filters(self, table: TableName) -> Iterator[Filter]:
        filters = (subscription.tables.get(table) for subscription in self.subscriptions)
        return (row_filter for row_filter in filters if row_filter is not None)

    @property
    def regex_count(self) -> int:
        """The number of regular expressions in the filters."""
        return sum(subscription.regex_count for subscription in self.subscriptions)

    def joined_after_commit_of(self, xid: int) -> bool:
        """Returns whether the transaction `xid` had committed when the channel was joined."""
        return self.join_snapshot is not None and self.join_snapshot.sees(xid)

    @property
    def session_id(self) -> str | None:
        """The sign-in session of the token. Project keys have none."""
        session_id = self.principal.claims.get("session_id")
        return None if session_id is None else str(session_id)

    def has_expired(self, now: datetime) -> bool:
        expires = self.principal.claims.get("exp")
        return expires is not None and float(expires) <= now.timestamp()

    def push(self, event: str, payload: Mapping[str, object] | Json) -> None:
        self.send_queue.put(Message(self.topic, event, payload, join_ref=self.join_ref))

    def push_system(self, extension: str, status: str, message: str) -> None:
        self.push("system", {"extension": extension, "status": status, "message": message, "channel": self.name})


def identity_of(principal: Principal) -> Identity:
    return principal.role, principal.claims_json


class Channels:
    def __init__(self) -> None:
        self._by_key: defaultdict[ChannelKey, set[Channel]] = defaultdict(set)
        self._by_identity: defaultdict[Identity, set[Channel]] = defaultdict(set)
        self._by_user: defaultdict[UUID, set[Identity]] = defaultdict(set)
        self._watchers = Watchers()
        self.on_leave: Callable[[Channel], None] = lambda _channel: None

    def __bool__(self) -> bool:
        return bool(self._by_key)

    def __iter__(self) -> Iterator[Channel]:
        return (channel for members in list(self._by_key.values()) for channel in list(members))

    def members(self, key: ChannelKey) -> Collection[Channel]:
        return list(self._by_key.get(key, ()))

    @property
    def identities(self) -> Collection[Identity]:
        return list(self._by_identity)

    def with_identity(self, identity: Identity) -> Collection[Channel]:
        return list(self._by_identity.get(identity, ()))

    def has_identity(self, principal: Principal) -> bool:
        return identity_of(principal) in self._by_identity

    def identity_count(self, user_id: UUID) -> int:
        """Returns how many different tokens the channels of this user have. Each change is checked for each of them."""
        return len(self._by_user.get(user_id, ()))

    def one_of_each(self, identities: Iterable[Identity]) -> list[Channel]:
        """Returns one channel of each identity that still has a channel."""
        return [next(iter(self._by_identity[identity])) for identity in identities if identity in self._by_identity]

    def readers(self, watched: Watched, people: Collection[UUID] | None) -> Iterable[Identity]:
        """Returns the identities that watch these changes: those of `people` (None: all), and those without a user."""
        return self._watchers.identities(watched, people)

    def watching(self, watched: Watched, identity: Identity) -> Collection[Channel]:
        return list(self._watchers.channels(watched, identity))

    def add(self, channel: Channel) -> None:
        self._by_key[channel.key].add(channel)
        self._add_identity(channel)

    def set_principal(self, channel: Channel, principal: Principal) -> None:
        if not channel.is_open:
            return
        self._remove_identity(channel)
        channel.set_principal(principal)
        self._add_identity(channel)

    def close(self, channel: Channel) -> None:
        """Removes the channel and notifies the client."""
        if not channel.is_open:
            return
        self.remove(channel)
        # The message carries the ref of this join, so that the client does not close a newer join of the same topic.
        channel.send_queue.put(Message(channel.topic, "phx_close", {}, channel.join_ref, channel.join_ref))

    def end(self, channel: Channel, problem: Problem) -> None:
        """Closes the channel because of an error, which is reported to the client."""
        if channel.is_open:
            channel.push_system("system", "error", str(problem))
            self.close(channel)

    def remove(self, channel: Channel) -> None:
        if not channel.is_open:
            return
        channel.is_open = False
        _discard(self._by_key, channel.key, channel)
        self._remove_identity(channel)
        self.on_leave(channel)

    def _add_identity(self, channel: Channel) -> None:
        self._by_identity[channel.identity].add(channel)
        if channel.user_id is not None:
            self._by_user[channel.user_id].add(channel.identity)
        self._watchers.add(channel)

    def _remove_identity(self, channel: Channel) -> None:
        _discard(self._by_identity, channel.identity, channel)
        if channel.user_id is not None and channel.identity not in self._by_identity:
            _discard(self._by_user, channel.user_id, channel.identity)
        self._watchers.remove(channel)


class Watchers:
    """The channels that watch each kind of change, by identity.

    Anyone can open thousands of channels, and nearly all changes concern none of them. The identities are few, so a
    change is first checked for them, and the channels of an identity are read only if it may see the row.
    """

    def __init__(self) -> None:
        self._identities: defaultdict[Watched, defaultdict[UUID | None, set[Identity]]] = defaultdict(
            lambda: defaultdict(set)
        )
        self._channels: defaultdict[tuple[Watched, Identity], set[Channel]] = defaultdict(set)

    def identities(self, watched: Watched, people: Collection[UUID] | None) -> Iterable[Identity]:
        by_user = self._identities.get(watched)
        if by_user is None:
            return ()
        users = by_user if people is None else (None, *people)
        return (identity for user_id in users for identity in by_user.get(user_id, ()))

    def channels(self, watched: Watched, identity: Identity) -> Iterable[Channel]:
        return self._channels.get((watched, identity), ())

    def add(self, channel: Channel) -> None:
        for watched in channel.watched:
            self._identities[watched][channel.user_id].add(channel.identity)
            self._channels[watched, channel.identity].add(channel)

    def remove(self, channel: Channel) -> None:
        for watched in channel.watched:
            _discard(self._channels, (watched, channel.identity), channel)
            if (watched, channel.identity) not in self._channels:
                _discard(self._identities[watched], channel.user_id, channel.identity)


def _discard(index: dict[Key, set[Member]], key: Key, member: Member) -> None:
    """Removes the member, and its set if that is empty. Clients choose the topics, so empty sets would accumulate."""
    index[key].discard(member)
    if not index[key]:
        del index[key]
