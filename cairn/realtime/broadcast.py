"""Messages from one member of a topic to the others, passed on as they are and kept nowhere.

Within this process only: members connected to another server process are not reached yet.
"""

from typing import Any

from cairn.realtime import replies
from cairn.realtime.channels import Channel, Channels
from cairn.realtime.frame import Message


def broadcast(channels: Channels, sender: Channel, asked: Message) -> None:
    """The sender hears itself only if it said so, and is answered only if it asked for that."""
    assert isinstance(asked.payload, dict)
    spread(channels, sender.topic, asked.payload, without=None if sender.config.broadcast.to_self else sender)
    if sender.config.broadcast.ack:
        sender.outgoing.put(replies.ok(asked))


def spread(channels: Channels, topic: str, payload: dict[str, Any], *, without: Channel | None = None) -> None:
    is_binary = isinstance(payload.get("payload"), bytes)
    for member in channels.members(topic):
        if member is without or (is_binary and not member.outgoing.takes_binary()):
            continue
        member.outgoing.put(Message(topic, "broadcast", payload))
