"""The channels of this process: who has joined which topic, and what each wants to hear of."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from cairn.db import Principal
from cairn.kit import Problem
from cairn.realtime.frame import Json, Message, Ref
from cairn.realtime.outgoing import Outgoing
from cairn.realtime.snapshot import Snapshot
from cairn.realtime.subscription import Subscription
from cairn.realtime.table import TableName
from cairn.realtime.wire import JoinConfig

PREFIX = "realtime:"

Key = TypeVar("Key")


@dataclass(eq=False, slots=True)
class Channel:
    """One join of one socket."""

    topic: str
    join_ref: Ref
    outgoing: Outgoing
    principal: Principal
    config: JoinConfig
    subscriptions: tuple[Subscription, ...] = ()
    # Changes that this snapshot sees were there before the join.
    since: Snapshot | None = None
    is_open: bool = field(default=True, init=False)

    def watches(self, table: TableName, event: str) -> bool:
        return any(subscription.watches(table, event) for subscription in self.subscriptions)

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

    def push(self, event: str, payload: dict[str, object] | Json) -> None:
        self.outgoing.put(Message(self.topic, event, payload, join_ref=self.join_ref))

    def tell(self, extension: str, status: str, message: str) -> None:
        name = self.topic.removeprefix(PREFIX)
        self.push("system", {"extension": extension, "status": status, "message": message, "channel": name})


class Channels:
    def __init__(self) -> None:
        self._by_topic: defaultdict[str, set[Channel]] = defaultdict(set)
        self._by_table: defaultdict[TableName, set[Channel]] = defaultdict(set)

    def __iter__(self) -> Iterator[Channel]:
        return (channel for members in list(self._by_topic.values()) for channel in list(members))

    def members(self, topic: str) -> Collection[Channel]:
        return list(self._by_topic.get(topic, ()))

    def watching(self, table: TableName) -> Collection[Channel]:
        return self._by_table.get(table, ())

    def add(self, channel: Channel) -> None:
        self._by_topic[channel.topic].add(channel)
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
        _discard(self._by_topic, channel.topic, channel)
        for subscription in channel.subscriptions:
            for table in subscription.tables:
                _discard(self._by_table, table, channel)


def _discard(index: dict[Key, set[Channel]], key: Key, channel: Channel) -> None:
    """Leaves no empty set behind: topics are named by clients, and there is no end of names."""
    index[key].discard(channel)
    if not index[key]:
        del index[key]
