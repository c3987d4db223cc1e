"""Runs a real SMTP server that receives the emails of a test."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage

from aiosmtpd.smtp import SMTP, Envelope, Session

from cairn.messaging import SmtpSettings
from tests.waiting import PATIENCE_SECONDS


class MailServer:
    """Records each accepted email in `emails`, and the addresses to which it was sent in `recipients`.

    Tests set `reply` to make the server reject emails, or `recipient_reply` to make it reject their recipients. While
    `is_silent`, the server accepts connections and says nothing.
    """

    def __init__(self) -> None:
        self.emails: list[EmailMessage] = []
        self.recipients: list[list[str]] = []
        self.reply = "250 OK"
        self.recipient_reply = "250 OK"
        self.is_silent = False
        self.port = 0

    @property
    def settings(self) -> SmtpSettings:
        return SmtpSettings(host="127.0.0.1", port=self.port, security="none", timeout_seconds=5)

    async def first_email(self, timeout_seconds: float = PATIENCE_SECONDS) -> EmailMessage:
        """Waits until an email has arrived and returns the first one."""
        async with asyncio.timeout(timeout_seconds):
            while not self.emails:  # noqa: ASYNC110 - the server appends from its own callback
                await asyncio.sleep(0.02)
        return self.emails[0]

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if self.recipient_reply.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.recipient_reply

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's name
        if self.reply.startswith("250"):
            content = envelope.content
            assert isinstance(content, bytes)
            email = message_from_bytes(content, policy=policy.default)
            assert isinstance(email, EmailMessage)
            self.emails.append(email)
            self.recipients.append([str(address) for address in envelope.rcpt_tos])
        return self.reply


@asynccontextmanager
async def running_mail_server() -> AsyncIterator[MailServer]:
    mail_server = MailServer()
    loop = asyncio.get_running_loop()

    def accept() -> asyncio.BaseProtocol:
        return asyncio.Protocol() if mail_server.is_silent else SMTP(mail_server, loop=loop, enable_SMTPUTF8=True)

    server = await loop.create_server(accept, "127.0.0.1", 0)
    mail_server.port = server.sockets[0].getsockname()[1]
    try:
        yield mail_server
    finally:
        server.close()
        await server.wait_closed()


def plain_body(email: EmailMessage) -> str:
    part = email.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def html_body(email: EmailMessage) -> str:
    part = email.get_body(("html",))
    assert part is not None
    return str(part.get_content())
