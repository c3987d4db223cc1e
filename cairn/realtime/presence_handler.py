"""A client says that it is there, or no longer."""

import json
from typing import Any

from cairn.kit import Problem
from cairn.realtime import replies
from cairn.realtime.channels import Channel
from cairn.realtime.context import RealtimeContext
from cairn.realtime.errors import NotPermittedToTrack, PresenceNotAMap, PresenceTooLarge
from cairn.realtime.frame import Message


def handle_presence(context: RealtimeContext, channel: Channel, asked: Message) -> None:
    assert isinstance(asked.payload, dict)
    event = str(asked.payload.get("event", "")).lower()
    if event == "untrack":
        context.presences.untrack(channel)
    elif event == "track":
        try:
            context.presences.track(channel, _payload(context, channel, asked.payload.get("payload")))
        except Problem as refused:
            channel.outgoing.put(replies.refused(asked, str(refused)))
            return
    else:
        channel.outgoing.put(replies.refused(asked, "unmatched event"))
        return
    channel.outgoing.put(replies.ok(asked))


def _payload(context: RealtimeContext, channel: Channel, payload: Any) -> dict[str, Any]:
    if not channel.may.tracks:
        raise NotPermittedToTrack(topic=channel.name)
    if not isinstance(payload, dict):
        raise PresenceNotAMap
    if len(json.dumps(payload)) > context.settings.max_presence_bytes:
        raise PresenceTooLarge
    return payload
