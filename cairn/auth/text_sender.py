from typing import Protocol

from cairn.db import Connection


class TextSender(Protocol):
    async def send(self, conn: Connection, phone: str, text: str) -> None:
        """Queues the message in the caller's transaction. The worker sends it after the commit."""
