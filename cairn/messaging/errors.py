"""Why a mail or a text message did not go out, in words somebody can act on."""

from cairn.kit import Problem


class MailNotSent(Problem):
    status, code = 502, "mail_not_sent"
    message = "{reason}"


class MailRefused(MailNotSent):
    code = "mail_refused"


class TextNotSent(Problem):
    status, code = 502, "text_not_sent"
    message = "{reason}"


class TextRefused(TextNotSent):
    code = "text_refused"
