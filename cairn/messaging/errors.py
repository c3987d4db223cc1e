"""Why a mail did not go out, in words a company can act on."""

from cairn.kit import Problem


class MailNotSent(Problem):
    status, code = 502, "mail_not_sent"
    message = "{reason}"


class MailRefused(MailNotSent):
    code = "mail_refused"
