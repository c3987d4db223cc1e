"""Sends email through an SMTP server."""

import aiosmtplib

from cairn.messaging.email import Email, Receipt
from cairn.messaging.errors import AddressRejected, MailNotSent, MailRefused, MailUnanswered
from cairn.messaging.failure_reasons import failed_with_status, no_response
from cairn.messaging.mailers.smtp_reply import rejects_address
from cairn.messaging.render_email import message_id, mime_message
from cairn.messaging.settings import SmtpSettings

_LOGIN_FAILED = (530, 534, 535, 538)
"""With these replies the server demands a login, or rejects the user name, the password or the method of the login."""


class SmtpMailer:
    def __init__(self, settings: SmtpSettings, sender: str) -> None:
        self._settings = settings
        self._sender = sender

    async def send(self, email: Email) -> Receipt:
        server = self._settings
        try:
            await aiosmtplib.send(
                mime_message(email, self._sender),
                # Without this, the recipients would be parsed from the header.
                recipients=[email.recipient],
                hostname=server.host,
                port=server.port,
                username=server.username,
                password=server.password.get_secret_value() if server.password else None,
                use_tls=server.security == "tls",
                start_tls=server.security == "starttls",
                timeout=server.timeout_seconds,
            )
        except aiosmtplib.SMTPRecipientsRefused as refused:
            reply = refused.recipients[0]
            raise _problem(reply.code, reply.message, is_about_recipient=True) from refused
        except aiosmtplib.SMTPResponseException as refused:
            raise _problem(refused.code, refused.message) from refused
        except (aiosmtplib.SMTPConnectError, aiosmtplib.SMTPConnectTimeoutError, ConnectionRefusedError) as error:
            raise MailNotSent(reason=no_response("The mail server could not be reached.")) from error
        except (aiosmtplib.SMTPException, OSError) as error:
            raise MailUnanswered(reason=no_response("The mail server could not be reached.")) from error
        return Receipt("delivered", message_id(email, self._sender))


def _problem(code: int, text: str, *, is_about_recipient: bool = False) -> MailNotSent:
    """Returns the error for an SMTP reply: 4xx replies are temporary, and 5xx replies are permanent.

    A reply about the login is temporary too: the operator can correct the password, and the email is not at fault.
    `is_about_recipient` says that the server replied to the command that names the recipient.
    """
    reason = failed_with_status(code, text)
    if rejects_address(code, text, is_about_recipient=is_about_recipient):
        return AddressRejected(reason=reason, reply=f"{code} {text}")
    problem_type = MailRefused if code >= 500 and code not in _LOGIN_FAILED else MailNotSent
    return problem_type(reason=reason)
