"""Passes messages between the members of a channel. Messages are neither changed nor stored."""

import base64
import json
from collections.abc import Iterable, Mapping
from typing import Any

from cairn.realtime import replies
from cairn.realtime.channels import Channel, ChannelKey, Channels
from cairn.realtime.frame import Json, Message
from cairn.realtime.message_bus import MessageBus


def handle_broadcast(channels: Channels, bus: MessageBus, sender: Channel, message: Message) -> None:
    """The sender receives its own message only with the option `self`, and a reply only with the option `ack`."""
    assert isinstance(message.payload, dict)
    # The protocol requires that a broadcast without permission is dropped silently and gets no reply.
    if not sender.permissions.sends_broadcasts:
        return
    to_self = sender.config.broadcast.to_self
    receivers = [member for member in channels.members(sender.key) if to_self or member is not sender]
    deliver(receivers, message.payload)
    bus.send("broadcast", channel=sender.key, **_encode_for_bus(message.payload))
    if sender.config.broadcast.ack:
        sender.send_queue.put(replies.ok(message))


def publish(channels: Channels, bus: MessageBus, key: ChannelKey, message: Mapping[str, Any]) -> None:
    """Delivers a message that was not sent by a member to all members, in all processes."""
    deliver(channels.members(key), message)
    bus.send("broadcast", channel=key, **_encode_for_bus(message))


def deliver_from_bus(channels: Channels, payload: Mapping[str, Any]) -> None:
    message = dict(payload["message"])
    if payload["is_binary"]:
        message["payload"] = base64.b64decode(message["payload"])
    topic, private = payload["channel"]
    deliver(channels.members((topic, private)), message)


def deliver(members: Iterable[Channel], message: Mapping[str, Any]) -> None:
    is_binary = isinstance(message.get("payload"), bytes)
    payload = message if is_binary else Json(json.dumps(message))
    for member in members:
        if member.permissions.receives_broadcasts and (member.send_queue.accepts_binary() or not is_binary):
            member.send_queue.put(Message(member.topic, "broadcast", payload))


def _encode_for_bus(message: Mapping[str, Any]) -> dict[str, Any]:
    payload = message.get("payload")
    if not isinstance(payload, bytes):
        return {"message": message, "is_binary": False}
    return {"message": {**message, "payload": base64.b64encode(payload).decode()}, "is_binary": True}
