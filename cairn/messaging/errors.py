"""Why a mail or a text message did not go out, in words somebody can act on."""

from cairn.kit import Problem


class MailNotSent(Problem):
    status, code = 502, "mail_not_sent"
    message = "{reason}"


class MailRefused(MailNotSent):
    code = "mail_refused"


class MailMisconfigured(MailNotSent):
    """The company can mend it. Trying again at once is of no use, and later it is."""

    code = "mail_misconfigured"


class AttachmentMissing(MailNotSent):
    """Nobody was asked to carry it, because something of ours is not there yet."""

    message = "The attachment is not available."


class MailUnanswered(MailNotSent):
    """It was given away and no answer came, so it may have arrived."""


class ConfigurationInvalid(Problem):
    status, code = 400, "email_configuration_invalid"
    message = "Please check your email service settings"

    def __init__(self, *, field: str, reason: str) -> None:
        super().__init__(field=field, reason=reason)


class TextNotSent(Problem):
    status, code = 502, "text_not_sent"
    message = "{reason}"


class TextRefused(TextNotSent):
    code = "text_refused"


class TextUnanswered(TextNotSent):
    """It was given away and no answer came, so it may have arrived."""

    message = "The SMS gateway did not answer. The message may have arrived; it is not sent a second time."
