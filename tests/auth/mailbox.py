"""Reads the emails and text messages that the service has queued for the worker."""

import re
from urllib.parse import parse_qs, urlsplit

from cairn.db import SERVICE, Database
from cairn.kit import frozen_dataclass


@frozen_dataclass
class Message:
    recipient: str
    subject: str
    body: str

    @property
    def code(self) -> str:
        match = re.search(r"^(\d{6,10})\b", self.body, re.MULTILINE)
        assert match is not None, self.body
        return match[1]

    @property
    def link(self) -> str:
        match = re.search(r"https?://\S+", self.body)
        assert match is not None, self.body
        return match[0]

    @property
    def path(self) -> str:
        """Returns the part of the link after `/auth/v1`."""
        return self.link.partition("/auth/v1")[2]

    @property
    def token_hash(self) -> str:
        return parse_qs(urlsplit(self.link).query)["token"][0]


@frozen_dataclass
class Mailbox:
    database: Database

    async def emails(self, recipient: str | None = None) -> list[Message]:
        """Returns the queued emails, oldest first."""
        async with self.database.acting_as(SERVICE) as connection:
            rows = await connection.fetch(
                """
                select recipient, subject, body
                  from emails
                 where recipient = coalesce($1, recipient)
                 order by created_at
                """,
                recipient,
            )
        return [Message(**row) for row in rows]

    async def newest(self, recipient: str) -> Message:
        return (await self.emails(recipient))[-1]

    async def text_messages(self) -> list[Message]:
        async with self.database.acting_as(SERVICE) as connection:
            rows = await connection.fetch("select recipient, body from text_messages order by created_at")
        return [Message(row["recipient"], "", row["body"]) for row in rows]
