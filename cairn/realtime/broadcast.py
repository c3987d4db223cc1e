"""Messages from one member of a topic to the others, passed on as they are and kept nowhere."""

import base64
import json
from collections.abc import Iterable, Mapping
from typing import Any

from cairn.realtime import replies
from cairn.realtime.channels import Channel, ChannelKey, Channels
from cairn.realtime.frame import Json, Message
from cairn.realtime.message_bus import MessageBus


def broadcast(channels: Channels, relay: MessageBus, sender: Channel, asked: Message) -> None:
    """The sender hears itself only if it said so, and is answered only if it asked for that."""
    assert isinstance(asked.payload, dict)
    # As the wire has it: without a word, and without the answer that would say it was passed on.
    if not sender.may.broadcasts:
        return
    others = (member for member in channels.members(sender.place) if member is not sender)
    spread(others if not sender.config.broadcast.to_self else channels.members(sender.place), asked.payload)
    relay.say("broadcast", place=sender.place, **_carried(asked.payload))
    if sender.config.broadcast.ack:
        sender.outgoing.put(replies.ok(asked))


def publish(channels: Channels, relay: MessageBus, place: ChannelKey, message: Mapping[str, Any]) -> None:
    """To every member everywhere: nobody of them sent it."""
    spread(channels.members(place), message)
    relay.say("broadcast", place=place, **_carried(message))


def hear(channels: Channels, told: Mapping[str, Any]) -> None:
    """What members of another process said."""
    message = dict(told["message"])
    if told["is_binary"]:
        message["payload"] = base64.b64decode(message["payload"])
    topic, private = told["place"]
    spread(channels.members((topic, private)), message)


def spread(members: Iterable[Channel], message: Mapping[str, Any]) -> None:
    is_binary = isinstance(message.get("payload"), bytes)
    payload = message if is_binary else Json(json.dumps(message))
    for member in members:
        if member.may.receives_broadcasts and (member.outgoing.takes_binary() or not is_binary):
            member.outgoing.put(Message(member.topic, "broadcast", payload))


def _carried(message: Mapping[str, Any]) -> dict[str, Any]:
    payload = message.get("payload")
    if not isinstance(payload, bytes):
        return {"message": message, "is_binary": False}
    return {"message": {**message, "payload": base64.b64encode(payload).decode()}, "is_binary": True}
