"""Handles the `track` and `untrack` messages of a client."""

import json
from typing import Any

from cairn.kit import Problem
from cairn.realtime import replies
from cairn.realtime.channels import Channel
from cairn.realtime.context import RealtimeContext
from cairn.realtime.errors import NotPermittedToTrack, PresenceNotAMap, PresenceTooLarge
from cairn.realtime.frame import Message
from cairn.realtime.kept_bytes import kept_size


def handle_presence(context: RealtimeContext, channel: Channel, message: Message) -> None:
    assert isinstance(message.payload, dict)
    event = str(message.payload.get("event", "")).lower()
    if event == "untrack":
        context.presence.untrack(channel)
        context.kept.set_presence(channel, 0)
    elif event == "track":
        try:
            context.presence.track(channel, _validate(context, channel, message.payload.get("payload")))
        except Problem as problem:
            channel.send_queue.put(replies.error(message, str(problem)))
            return
    else:
        channel.send_queue.put(replies.error(message, "unmatched event"))
        return
    channel.send_queue.put(replies.ok(message))


def _validate(context: RealtimeContext, channel: Channel, payload: Any) -> dict[str, Any]:
    if not channel.permissions.tracks_presence:
        raise NotPermittedToTrack(topic=channel.name)
    if not isinstance(payload, dict):
        raise PresenceNotAMap
    text = json.dumps(payload)
    byte_count = len(text)
    if byte_count > context.settings.max_presence_bytes:
        raise PresenceTooLarge
    context.limits.take_presence(
        channel.network,
        channel.principal,
        byte_count,
        len(context.channels.members(channel.key)),
        is_first=not context.presence.has_pending_diff(channel.key),
        private=channel.config.private,
    )
    # This check comes last, because it already counts the new entry instead of the previous one.
    context.kept.set_presence(channel, kept_size(text))
    return payload
