"""Defines the errors of this package. The company sees the message of each error about its emails and text messages."""

from cairn.kit import Problem
from cairn.messaging.failure_reasons import no_response


class NotSent(Problem):
    status, message = 502, "{reason}"


class MailNotSent(NotSent):
    code = "mail_not_sent"


class MailRefused(MailNotSent):
    """The email itself is at fault, so it is never retried."""

    code = "mail_refused"


class AddressRejected(MailRefused):
    """The mail server says that there is no such mailbox, so the address gets no more emails."""

    def __init__(self, *, reason: str, reply: str) -> None:
        super().__init__(reason=reason)
        self.reply = reply


class AddressNotSingle(MailRefused):
    """The recipient was stored before addresses were checked, and a mail server could read it as several addresses."""

    message = "{address} is not one email address, so nothing was sent. Please correct the address and send again."


class MailMisconfigured(MailNotSent):
    """The mail provider is misconfigured. A retry can succeed only after the company has fixed it."""

    code = "mail_misconfigured"


class AttachmentMissing(MailNotSent):
    """No provider was called, because the attachment could not be fetched."""

    message = no_response("The attachment is not available.")


class MailUnanswered(MailNotSent):
    """The provider did not respond after it received the email, so the email may have been delivered."""


class ConfigurationInvalid(Problem):
    status, code = 400, "email_configuration_invalid"
    message = "Please check your email service settings"

    def __init__(self, *, field: str, reason: str) -> None:
        super().__init__(field=field, reason=reason)


class ReportUnsigned(Problem):
    status, code = 401, "report_unsigned"
    message = "The signature of this report is missing or wrong. Please check the signing key in the email settings."


class ReportTooOld(Problem):
    status, code = 401, "report_too_old"
    message = "This report was signed too long ago, or in the future. Please check the clock of the server."


class ReportMalformed(Problem):
    status, code = 400, "report_malformed"
    message = "This report is not in the format of the provider."


class ReportTooLong(Problem):
    status, code = 413, "report_too_long"
    message = "A report has at most {limit} events."


class ReportProviderUnknown(Problem):
    status, code = 404, "report_provider_unknown"
    message = "Only Resend and SendGrid send reports."


class TooManyReports(Problem):
    status, code = 429, "too_many_reports"
    message = "Too many reports came from this network. Please send this one again later."


class TextNotSent(NotSent):
    code = "text_not_sent"


class TextRefused(TextNotSent):
    """The gateway will never accept this message, so it is not retried."""

    code = "text_refused"


class TextUnconfirmed(TextNotSent):
    """The gateway received the message but confirmed nothing, so the message may have been delivered."""

    message = "The SMS gateway did not confirm the message. It may have arrived, so it is not sent again."


class PushFailed(NotSent):
    code = "push_failed"


class SubscriptionGone(Problem):
    """The browser has ended the subscription, or the subscription was never valid. The caller should delete it."""

    status, code = 410, "subscription_gone"
    message = "This push subscription no longer exists."


class MailLimitReached(Problem):
    """The email is not queued. After `retry_after_seconds`, another email may be queued."""

    status = 429

    def __init__(self, *, limit: int, retry_after_seconds: int) -> None:
        super().__init__(limit=limit, wait=_spoken_wait(retry_after_seconds), retry_after_seconds=retry_after_seconds)


class UnconfirmedLimitReached(MailLimitReached):
    code = "unconfirmed_limit_reached"
    message = (
        "Until you confirm your email address you can send {limit} emails a day. Please open the link in the email "
        "that we sent you when you signed up, or try again in {wait}."
    )


class DailyLimitReached(MailLimitReached):
    code = "daily_limit_reached"
    message = "Your company has sent {limit} emails today, which is the most in a day. Please try again in {wait}."


class RecipientLimitReached(MailLimitReached):
    code = "recipient_limit_reached"
    message = "This address has received {limit} emails within a day. Please try again in {wait}."


class NetworkLimitReached(MailLimitReached):
    code = "network_limit_reached"
    message = "Too many emails were sent from your network today. Please try again in {wait}."


class NetworkLimitWithoutPlanReached(NetworkLimitReached):
    message = (
        "Too many emails were sent from your network today. Please try again in {wait}, or choose a plan: companies "
        "with a plan can send more."
    )


class SignersNetworkLimitReached(NetworkLimitReached):
    """The company reads this text in Email History. The signer reads a text of the signing page."""

    message = (
        "Too many copies were sent to signers in the same network today. The signer can download the document from "
        "the signing page, and you can download it from Waiver Management."
    )


def _spoken_wait(seconds: int) -> str:
    if seconds < 5400:
        minutes = max(1, round(seconds / 60))
        return f"{minutes} minute{'' if minutes == 1 else 's'}"
    return f"{round(seconds / 3600)} hours"
