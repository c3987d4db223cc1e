"""Who is there: each process owns what its own sockets track, and everybody's state is the sum of all.

A process that comes asks the others for theirs; one that goes, or falls silent, takes its own along.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias
from uuid import uuid4

from cairn.realtime.channels import Channel, ChannelKey, Channels
from cairn.realtime.message_bus import MessageBus

Meta: TypeAlias = dict[str, Any]
# By key, then by the ref of the tracking.
Present: TypeAlias = dict[str, dict[str, Meta]]

# A thousand members that come back at once are told of in a few messages each, not in a thousand.
_GATHER_SECONDS = 0.05


class PresenceTracker:
    def __init__(self, channels: Channels, relay: MessageBus) -> None:
        self._channels = channels
        self._relay = relay
        self._tracked: dict[Channel, tuple[str, Meta]] = {}
        self._there: defaultdict[str, dict[ChannelKey, Present]] = defaultdict(dict)
        self._untold: dict[ChannelKey, tuple[Present, Present]] = {}

    def track(self, channel: Channel, payload: Mapping[str, Any]) -> None:
        """One thing for each join: tracking again replaces what was tracked."""
        before = self._tracked.get(channel)
        ref = uuid4().hex[:16]
        meta = {**payload, "phx_ref": ref}
        self._tracked[channel] = ref, meta
        key = channel.presence_key
        self._changed(channel.place, {key: {ref: meta}}, {} if before is None else {key: dict([before])})

    def untrack(self, channel: Channel) -> None:
        before = self._tracked.pop(channel, None)
        if before is not None:
            self._changed(channel.place, {}, {channel.presence_key: dict([before])})

    def state(self, place: ChannelKey) -> dict[str, Any]:
        everyone: Present = {}
        for places in self._there.values():
            _add(everyone, places.get(place, {}))
        return _shape(everyone)

    def hear(self, process: str, kind: str, told: Mapping[str, Any]) -> None:
        if kind == "hello":
            own = self._there.get(self._relay.process, {})
            self._relay.say("present", places=[[list(place), present] for place, present in own.items()])
        elif kind == "presence":
            topic, private = told["place"]
            self._apply(process, (topic, private), told["joins"], told["leaves"])
        elif kind == "present":
            self._replace(process, {(topic, private): present for (topic, private), present in told["places"]})

    def lose(self, process: str) -> None:
        self._replace(process, {})
        self._there.pop(process, None)

    def _changed(self, place: ChannelKey, joins: Present, leaves: Present) -> None:
        self._apply(self._relay.process, place, joins, leaves)
        self._relay.say("presence", place=place, joins=joins, leaves=leaves)

    def _replace(self, process: str, places: Mapping[ChannelKey, Present]) -> None:
        known = self._there[process]
        for place in {*known, *places}:
            before, after = known.get(place, {}), places.get(place, {})
            self._apply(process, place, _without(after, before), _without(before, after))

    def _apply(self, process: str, place: ChannelKey, joins: Present, leaves: Present) -> None:
        present = self._there[process].setdefault(place, {})
        _add(present, joins)
        _remove(present, leaves)
        # Places are named by clients, and there is no end of names.
        if not present:
            del self._there[process][place]
        self._tell_later(place, joins, leaves)

    def _tell_later(self, place: ChannelKey, joins: Present, leaves: Present) -> None:
        if not (joins or leaves) or not self._channels.members(place):
            return
        if place not in self._untold:
            self._untold[place] = {}, {}
            asyncio.get_running_loop().call_later(_GATHER_SECONDS, self._tell, place)
        come, gone = self._untold[place]
        _add(come, joins)
        # Who came and went in between was never there.
        _add(gone, _without(leaves, come))
        _remove(come, leaves)

    def _tell(self, place: ChannelKey) -> None:
        come, gone = self._untold.pop(place)
        if not (come or gone):
            return
        diff = {"joins": _shape(come), "leaves": _shape(gone)}
        for member in self._channels.members(place):
            if member.config.presence.enabled and member.may.receives_presence:
                member.push("presence_diff", diff)


def _each(present: Present) -> Iterator[tuple[str, str, Meta]]:
    return ((key, ref, meta) for key, metas in present.items() for ref, meta in metas.items())


def _add(present: Present, more: Present) -> None:
    for key, ref, meta in _each(more):
        present.setdefault(key, {})[ref] = meta


def _remove(present: Present, less: Present) -> None:
    for key, ref, _ in _each(less):
        metas = present.get(key, {})
        metas.pop(ref, None)
        if not metas:
            present.pop(key, None)


def _without(present: Present, others: Present) -> Present:
    left: Present = {}
    for key, ref, meta in _each(present):
        if ref not in others.get(key, {}):
            left.setdefault(key, {})[ref] = meta
    return left


def _shape(present: Present) -> dict[str, Any]:
    """As the wire has it."""
    return {key: {"metas": list(metas.values())} for key, metas in present.items()}
