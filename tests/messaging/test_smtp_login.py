"""A wrong password for the mail server is a mistake of the operator, so emails wait until it is corrected."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from pydantic import SecretStr

from cairn.messaging import MailNotSent, MailRefused, SmtpSettings
from cairn.messaging.mailers.smtp import SmtpMailer
from tests.mail_server import MailServer
from tests.messaging.test_emails import make_email

PASSWORD = "the right password"


@pytest_asyncio.fixture
async def server_with_login() -> AsyncIterator[MailServer]:
    mail_server, loop = MailServer(), asyncio.get_running_loop()

    def authenticate(
        _server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, login: LoginPassword
    ) -> AuthResult:
        return AuthResult(success=login.password == PASSWORD.encode(), handled=False)

    def create_protocol() -> SMTP:
        return SMTP(mail_server, loop=loop, authenticator=authenticate, auth_require_tls=False)

    server = await loop.create_server(create_protocol, "127.0.0.1", 0)
    mail_server.port = server.sockets[0].getsockname()[1]
    yield mail_server
    server.close()
    await server.wait_closed()


def mailer_with(mail_server: MailServer, password: str) -> SmtpMailer:
    login = {"username": "cairn", "password": SecretStr(password)}
    settings: SmtpSettings = mail_server.settings.model_copy(update=login)
    return SmtpMailer(settings, "waivers@cairn.example")


async def test_a_failed_login_does_not_count_as_a_refused_email(server_with_login: MailServer) -> None:
    with pytest.raises(MailNotSent) as error:
        await mailer_with(server_with_login, "mistyped").send(make_email())

    # An email is given up only after the error MailRefused. After any other error, it is tried again.
    assert not isinstance(error.value, MailRefused)
    assert "535" in str(error.value)
    await mailer_with(server_with_login, PASSWORD).send(make_email())
    assert len(server_with_login.emails) == 1


async def test_a_server_that_demands_a_login_does_not_reject_the_email(server_with_login: MailServer) -> None:
    server_with_login.recipient_reply = "530 5.7.0 Authentication required"
    with pytest.raises(MailNotSent) as error:
        await SmtpMailer(server_with_login.settings, "waivers@cairn.example").send(make_email())

    assert not isinstance(error.value, MailRefused)
    assert "530" in str(error.value)
