"""A real SMTP server that receives what we send."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage

from aiosmtpd.smtp import SMTP, Envelope, Session

from cairn.messaging import SmtpSettings


class MailServer:
    """Delivered mail in `letters`; `answer` is what it says to the next ones."""

    def __init__(self) -> None:
        self.letters: list[EmailMessage] = []
        self.answer = "250 OK"
        self.port = 0

    @property
    def settings(self) -> SmtpSettings:
        return SmtpSettings(host="127.0.0.1", port=self.port, security="none", timeout_seconds=5)

    async def next_letter(self, seconds: float = 15.0) -> EmailMessage:
        """The first that has arrived, or waits for it."""
        async with asyncio.timeout(seconds):
            while not self.letters:  # noqa: ASYNC110 - the server appends from its own callback
                await asyncio.sleep(0.02)
        return self.letters[0]

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's name
        if self.answer.startswith("250"):
            content = envelope.content
            assert isinstance(content, bytes)
            letter = message_from_bytes(content, policy=policy.default)
            assert isinstance(letter, EmailMessage)
            self.letters.append(letter)
        return self.answer


@asynccontextmanager
async def running_mail_server() -> AsyncIterator[MailServer]:
    office = MailServer()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(office, loop=loop), "127.0.0.1", 0)
    office.port = server.sockets[0].getsockname()[1]
    try:
        yield office
    finally:
        server.close()
        await server.wait_closed()


def plain(letter: EmailMessage) -> str:
    part = letter.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def html(letter: EmailMessage) -> str:
    part = letter.get_body(("html",))
    assert part is not None
    return str(part.get_content())
