"""Passes messages between the members of a channel. Messages are neither changed nor stored."""

import base64
from collections.abc import Mapping
from typing import Any

from cairn.db import Principal
from cairn.realtime import replies
from cairn.realtime.channels import Channel, ChannelKey, Channels
from cairn.realtime.context import RealtimeContext
from cairn.realtime.delivery import EncodedBroadcast, deliver
from cairn.realtime.frame import Message


async def handle_broadcast(context: RealtimeContext, sender: Channel, message: Message) -> None:
    """The sender receives its own message only with the option `self`, and a reply only with the option `ack`."""
    assert isinstance(message.payload, dict)
    # The protocol requires that a broadcast without permission is dropped silently and gets no reply.
    if not sender.permissions.sends_broadcasts:
        return
    to_self = sender.config.broadcast.to_self
    receivers = [member for member in context.channels.members(sender.key) if to_self or member is not sender]
    encoded = EncodedBroadcast(sender.topic, message.payload)
    context.limits.take_deliveries(
        sender.network, sender.principal, len(encoded.content), len(receivers), private=sender.config.private
    )
    context.bus.send("broadcast", channel=sender.key, **_encode_for_bus(message.payload))
    await deliver(receivers, encoded)
    if sender.config.broadcast.ack:
        sender.send_queue.put(replies.ok(message))


async def publish(
    context: RealtimeContext, caller: Principal, network: str, key: ChannelKey, message: Mapping[str, Any]
) -> None:
    """Delivers a message to all members of the channel, in all processes. The caller is not a member."""
    topic, private = key
    receivers = context.channels.members(key)
    encoded = EncodedBroadcast(topic, message)
    context.limits.take_deliveries(network, caller, len(encoded.content), len(receivers), private=private)
    context.bus.send("broadcast", channel=key, **_encode_for_bus(message))
    await deliver(receivers, encoded)


async def deliver_from_bus(channels: Channels, payload: Mapping[str, Any]) -> None:
    message = dict(payload["message"])
    if payload["is_binary"]:
        message["payload"] = base64.b64decode(message["payload"])
    topic, private = payload["channel"]
    await deliver(channels.members((topic, private)), EncodedBroadcast(topic, message))


def _encode_for_bus(message: Mapping[str, Any]) -> dict[str, Any]:
    payload = message.get("payload")
    if not isinstance(payload, bytes):
        return {"message": message, "is_binary": False}
    return {"message": {**message, "payload": base64.b64encode(payload).decode()}, "is_binary": True}
