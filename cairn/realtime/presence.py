"""Tracks which members of a channel are online.

Each process owns the entries of its own sockets, and the full state is the union over all processes. A process that
starts requests the entries of the others. When a process shuts down or goes silent, its entries are removed.
"""

import asyncio
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias
from uuid import uuid4

from cairn.realtime.channels import PUSHES_BEFORE_YIELDING, Channel, ChannelKey, Channels
from cairn.realtime.frame import Json
from cairn.realtime.message_bus import MessageBus

Meta: TypeAlias = dict[str, Any]
# The outer key is the presence key, and the inner key is the ref of a tracked entry.
Entries: TypeAlias = dict[str, dict[str, Meta]]

# Diffs are debounced: when a thousand members reconnect together, each receives a few messages and not a thousand.
_DEBOUNCE_SECONDS = 0.05


class PresenceTracker:
    def __init__(self, channels: Channels, bus: MessageBus) -> None:
        self._channels = channels
        self._bus = bus
        self._tracked: dict[Channel, tuple[str, Meta]] = {}
        self._by_process: defaultdict[str, dict[ChannelKey, Entries]] = defaultdict(dict)
        # The joins and leaves that have not been pushed yet.
        self._pending: dict[ChannelKey, tuple[Entries, Entries]] = {}
        self._push_tasks: set[asyncio.Task[None]] = set()

    def track(self, channel: Channel, payload: Mapping[str, Any]) -> None:
        """Adds the entry of a channel, or replaces its previous entry."""
        leaves: Entries = {}
        if channel in self._tracked:
            previous_ref, previous_meta = self._tracked[channel]
            leaves = {channel.presence_key: {previous_ref: previous_meta}}
        ref = uuid4().hex[:16]
        meta = {**payload, "phx_ref": ref}
        self._tracked[channel] = ref, meta
        self._change(channel.key, {channel.presence_key: {ref: meta}}, leaves)

    def untrack(self, channel: Channel) -> None:
        if channel in self._tracked:
            ref, meta = self._tracked.pop(channel)
            self._change(channel.key, {}, {channel.presence_key: {ref: meta}})

    def state(self, channel_key: ChannelKey) -> dict[str, Any]:
        """Returns the payload of `presence_state`."""
        state: Entries = {}
        for entries_by_channel in self._by_process.values():
            _add(state, entries_by_channel.get(channel_key, {}))
        return _payload(state)

    def has_pending_diff(self, channel_key: ChannelKey) -> bool:
        """Returns whether a change would be sent together with an earlier one."""
        return channel_key in self._pending

    def handle_bus_message(self, process: str, kind: str, payload: Mapping[str, Any]) -> None:
        if kind == "hello":
            own_entries = self._by_process.get(self._bus.process_id, {})
            self._bus.send(
                "present", channels=[[list(channel_key), entries] for channel_key, entries in own_entries.items()]
            )
        elif kind == "presence":
            topic, private = payload["channel"]
            self._apply(process, (topic, private), payload["joins"], payload["leaves"])
        elif kind == "present":
            self._replace(process, {(topic, private): entries for (topic, private), entries in payload["channels"]})

    def remove_process(self, process: str) -> None:
        self._replace(process, {})
        self._by_process.pop(process, None)

    def _change(self, channel_key: ChannelKey, joins: Entries, leaves: Entries) -> None:
        self._apply(self._bus.process_id, channel_key, joins, leaves)
        self._bus.send("presence", channel=channel_key, joins=joins, leaves=leaves)

    def _replace(self, process: str, entries_by_channel: Mapping[ChannelKey, Entries]) -> None:
        current = self._by_process[process]
        for channel_key in {*current, *entries_by_channel}:
            before, after = current.get(channel_key, {}), entries_by_channel.get(channel_key, {})
            self._apply(process, channel_key, _difference(after, before), _difference(before, after))

    def _apply(self, process: str, channel_key: ChannelKey, joins: Entries, leaves: Entries) -> None:
        entries = self._by_process[process].setdefault(channel_key, {})
        _add(entries, joins)
        _remove(entries, leaves)
        # Clients choose the names of channels, so empty ones must not accumulate.
        if not entries:
            del self._by_process[process][channel_key]
        self._schedule_diff(channel_key, joins, leaves)

    def _schedule_diff(self, channel_key: ChannelKey, joins: Entries, leaves: Entries) -> None:
        if not (joins or leaves) or not self._channels.members(channel_key):
            return
        if channel_key not in self._pending:
            self._pending[channel_key] = {}, {}
            task = asyncio.create_task(self._push_diffs(channel_key))
            self._push_tasks.add(task)
            task.add_done_callback(self._push_tasks.discard)
        pending_joins, pending_leaves = self._pending[channel_key]
        _add(pending_joins, joins)
        # An entry that joined and left within the debounce time is not reported at all.
        _add(pending_leaves, _difference(leaves, pending_joins))
        _remove(pending_joins, leaves)

    async def _push_diffs(self, channel_key: ChannelKey) -> None:
        """Pushes the changes of a channel until there are no more. Each diff is encoded once for all members."""
        while True:
            await asyncio.sleep(_DEBOUNCE_SECONDS)
            joins, leaves = self._pending[channel_key]
            if not (joins or leaves):
                del self._pending[channel_key]
                return
            self._pending[channel_key] = {}, {}
            diff = Json(json.dumps({"joins": _payload(joins), "leaves": _payload(leaves)}))
            for number, member in enumerate(self._channels.members(channel_key), start=1):
                if member.is_open and member.config.presence.enabled and member.permissions.receives_presence:
                    member.push("presence_diff", diff)
                if number % PUSHES_BEFORE_YIELDING == 0:
                    await asyncio.sleep(0)


def _flatten(entries: Entries) -> Iterator[tuple[str, str, Meta]]:
    return ((key, ref, meta) for key, metas in entries.items() for ref, meta in metas.items())


def _add(entries: Entries, added: Entries) -> None:
    for key, ref, meta in _flatten(added):
        entries.setdefault(key, {})[ref] = meta


def _remove(entries: Entries, removed: Entries) -> None:
    for key, ref, _ in _flatten(removed):
        metas = entries.get(key, {})
        metas.pop(ref, None)
        if not metas:
            entries.pop(key, None)


def _difference(entries: Entries, others: Entries) -> Entries:
    difference: Entries = {}
    for key, ref, meta in _flatten(entries):
        if ref not in others.get(key, {}):
            difference.setdefault(key, {})[ref] = meta
    return difference


def _payload(entries: Entries) -> dict[str, Any]:
    return {key: {"metas": list(metas.values())} for key, metas in entries.items()}
