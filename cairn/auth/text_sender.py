"""Text messages, as far as this room is concerned."""

from typing import Protocol

from cairn.db import Connection


class TextSender(Protocol):
    async def send(self, conn: Connection, phone: str, text: str) -> None:
        """In the caller's transaction: the message goes out when that commits, and not otherwise."""
