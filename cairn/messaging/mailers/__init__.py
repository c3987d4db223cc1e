"""Mail providers: one file each, with one method. To add one, copy a file and add a line to `MAILERS`."""

from collections.abc import Callable

from cairn.messaging.configuration import Configuration, Provider
from cairn.messaging.email import Mailer
from cairn.messaging.mailers.custom import CustomMailer
from cairn.messaging.mailers.mailbox import MailboxMailer
from cairn.messaging.mailers.mock import MockMailer
from cairn.messaging.mailers.resend import ResendMailer
from cairn.messaging.mailers.sendgrid import SendgridMailer
from cairn.messaging.mailers.smtp import SmtpMailer
from cairn.messaging.settings import MessagingSettings

__all__ = ["MAILERS", "choose_mailer", "company_mailer"]


def choose_mailer(settings: MessagingSettings) -> Mailer:
    """The server's own mailer, for companies that have not chosen a provider."""
    if settings.smtp is None:
        return MailboxMailer()
    return SmtpMailer(settings.smtp, settings.sender)


MAILERS: dict[Provider, Callable[[Configuration, MessagingSettings], Mailer]] = {
    "service": lambda _, settings: choose_mailer(settings),
    "mock": lambda _, __: MockMailer(),
    "resend": ResendMailer,
    "sendgrid": SendgridMailer,
    "custom": CustomMailer,
}


def company_mailer(configuration: Configuration, settings: MessagingSettings) -> Mailer:
    return MAILERS[configuration.provider](configuration, settings)
