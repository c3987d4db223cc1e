"""Delivers a broadcast to the members of a channel in this process."""

import asyncio
import json
from collections.abc import Collection, Mapping
from typing import Any

from cairn.realtime.channels import PUSHES_BEFORE_YIELDING, Channel
from cairn.realtime.frame import Json, Message, encode


class EncodedBroadcast:
    """A broadcast that is encoded once for all receivers. `content` is the part whose length counts for the limits."""

    def __init__(self, topic: str, message: Mapping[str, Any]) -> None:
        self.is_binary = isinstance(message.get("payload"), bytes)
        self.frame: Message | str | bytes
        self.content: str | bytes
        if self.is_binary:
            self.frame = self.content = encode(Message(topic, "broadcast", message), "2.0.0")
        else:
            self.content = Json(json.dumps(message))
            self.frame = Message(topic, "broadcast", self.content)


async def deliver(members: Collection[Channel], broadcast: EncodedBroadcast) -> None:
    """Delivers to all members. Other tasks can run in between, because a channel can have thousands of members."""
    for number, member in enumerate(members, start=1):
        if (
            member.is_open
            and member.permissions.receives_broadcasts
            and (member.send_queue.accepts_binary() or not broadcast.is_binary)
        ):
            member.send_queue.put_frame(broadcast.frame)
        if number % PUSHES_BEFORE_YIELDING == 0:
            await asyncio.sleep(0)
