"""What we say to people and through whom: emails, text messages and the notifications of the bell.

Floor 4. It never learns what a waiver is. Asking for a mail is writing a row (`add_email`); a job sends it through the
configured provider and writes down what became of it: delivered, kept (no mail server is set up), or failed and why.
"""

from cairn.messaging.email import Attachment, Email, Mailer, Receipt
from cairn.messaging.errors import MailNotSent, MailRefused, TextNotSent, TextRefused
from cairn.messaging.jobs import choose_mailer, choose_texter, jobs
from cairn.messaging.push import Pusher, PushFailed, PushSettings, Subscription, SubscriptionGone, new_push_key
from cairn.messaging.send import AttachmentSources, send_patient_emails
from cairn.messaging.settings import MessagingSettings, SmtpSettings
from cairn.messaging.sms import TwilioSettings
from cairn.messaging.store import (
    EmailState,
    KeptEmail,
    add_email,
    add_notification,
    add_text_message,
    email_state,
    kept_emails,
)

__all__ = [
    "Attachment",
    "AttachmentSources",
    "Email",
    "EmailState",
    "KeptEmail",
    "MailNotSent",
    "MailRefused",
    "Mailer",
    "MessagingSettings",
    "PushFailed",
    "PushSettings",
    "Pusher",
    "Receipt",
    "SmtpSettings",
    "Subscription",
    "SubscriptionGone",
    "TextNotSent",
    "TextRefused",
    "TwilioSettings",
    "add_email",
    "add_notification",
    "add_text_message",
    "choose_mailer",
    "choose_texter",
    "email_state",
    "jobs",
    "kept_emails",
    "new_push_key",
    "send_patient_emails",
]
