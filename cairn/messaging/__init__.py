"""Sends emails, text messages and push messages, and stores the notifications of the dashboard.

`add_email` only inserts a row. A job then sends the email through the company's provider or the server's own and
records the outcome: delivered, kept (stored in the local mailbox, not delivered), cancelled (no longer needed) or
failed. Each mail provider is one file in `mailers`. This package does not know what a waiver is.
"""

from cairn.messaging.allowance import CountedEmail, SendingStatus, next_day, sending_status, take_copy, take_email
from cairn.messaging.configuration import PROVIDERS, ConfigurationSummary, Provider
from cairn.messaging.configuration_store import configuration_summary
from cairn.messaging.email import Attachment, Email, Mailer, Receipt
from cairn.messaging.errors import (
    ConfigurationInvalid,
    MailLimitReached,
    MailNotSent,
    MailRefused,
    PushFailed,
    SubscriptionGone,
    TextNotSent,
    TextRefused,
)
from cairn.messaging.greeting import email_body, greeting
from cairn.messaging.jobs import choose_sms_gateway, jobs
from cairn.messaging.mail_limits import DailyQuota, MailLimits
from cairn.messaging.mailers import server_mailer
from cairn.messaging.neutral_name import neutral_name, neutral_sender_name
from cairn.messaging.push import PushSender, PushSettings, Subscription, new_push_key
from cairn.messaging.queue_guest_text import queue_guest_text
from cairn.messaging.queues import PROVIDERS_QUEUE
from cairn.messaging.retry_emails import retry_emails
from cairn.messaging.save_configuration import save_configuration
from cairn.messaging.sender import AttachmentSources, CancellationChecks, MailSender, provider_key_box
from cairn.messaging.settings import MessagingSettings, SmtpSettings
from cairn.messaging.sms import GuestText, TextLimits, TwilioSettings, parse_phone_number, with_sender_name
from cairn.messaging.store import (
    EmailState,
    KeptEmail,
    add_email,
    add_notification,
    count_recent_tests,
    email_exists,
    email_state,
    kept_emails,
    lock_email,
)
from cairn.messaging.suppression import REPORT_PATH, ReportSettings, report_service
from cairn.messaging.sweep import sweep
from cairn.messaging.text_store import TextState, add_text_message, newest_code_failed, newest_text_id, text_state
from cairn.messaging.without_links import without_links

__all__ = [
    "PROVIDERS",
    "PROVIDERS_QUEUE",
    "REPORT_PATH",
    "Attachment",
    "AttachmentSources",
    "CancellationChecks",
    "ConfigurationInvalid",
    "ConfigurationSummary",
    "CountedEmail",
    "DailyQuota",
    "Email",
    "EmailState",
    "GuestText",
    "KeptEmail",
    "MailLimitReached",
    "MailLimits",
    "MailNotSent",
    "MailRefused",
    "MailSender",
    "Mailer",
    "MessagingSettings",
    "Provider",
    "PushFailed",
    "PushSender",
    "PushSettings",
    "Receipt",
    "ReportSettings",
    "SendingStatus",
    "SmtpSettings",
    "Subscription",
    "SubscriptionGone",
    "TextLimits",
    "TextNotSent",
    "TextRefused",
    "TextState",
    "TwilioSettings",
    "add_email",
    "add_notification",
    "add_text_message",
    "choose_sms_gateway",
    "configuration_summary",
    "count_recent_tests",
    "email_body",
    "email_exists",
    "email_state",
    "greeting",
    "jobs",
    "kept_emails",
    "lock_email",
    "neutral_name",
    "neutral_sender_name",
    "new_push_key",
    "newest_code_failed",
    "newest_text_id",
    "next_day",
    "parse_phone_number",
    "provider_key_box",
    "queue_guest_text",
    "report_service",
    "retry_emails",
    "save_configuration",
    "sending_status",
    "server_mailer",
    "sweep",
    "take_copy",
    "take_email",
    "text_state",
    "with_sender_name",
    "without_links",
]
