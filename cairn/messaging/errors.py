"""Defines the errors of sending. The company sees the message of each error."""

from cairn.kit import Problem


class MailNotSent(Problem):
    status, code = 502, "mail_not_sent"
    message = "{reason}"


class MailRefused(MailNotSent):
    """The email itself is at fault, so it is never retried."""

    code = "mail_refused"


class MailMisconfigured(MailNotSent):
    """The mail provider is misconfigured. A retry can succeed only after the company has fixed it."""

    code = "mail_misconfigured"


class AttachmentMissing(MailNotSent):
    """No provider was called, because the attachment could not be fetched."""

    message = "The attachment is not available."


class MailUnanswered(MailNotSent):
    """The provider did not respond after it received the email, so the email may have been delivered."""


class ConfigurationInvalid(Problem):
    status, code = 400, "email_configuration_invalid"
    message = "Please check your email service settings"

    def __init__(self, *, field: str, reason: str) -> None:
        super().__init__(field=field, reason=reason)


class TextNotSent(Problem):
    status, code = 502, "text_not_sent"
    message = "{reason}"


class TextRefused(TextNotSent):
    """The gateway will never accept this message, so it is not retried."""

    code = "text_refused"


class TextUnanswered(TextNotSent):
    """The gateway did not respond after it received the message, so the message may have been delivered."""

    message = "The SMS gateway did not answer. The message may have arrived, so it is not sent again."
