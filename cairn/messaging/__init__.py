"""What we say to people and through whom: emails, text messages and the notifications of the notifier.

Floor 4. It never learns what a waiver is. Asking for a mail is writing a row (`add_email`); a job sends it through the
company's provider, or the server's own, and writes down what became of it: delivered, kept (it went to nobody),
cancelled (it was not needed any more), or failed and why. Who carries mail is in `mailers`, one file each.
"""

from cairn.messaging.configuration import PROVIDERS, Provider, ShownConfiguration
from cairn.messaging.configuration_store import shown_configuration
from cairn.messaging.email import Attachment, Email, Mailer, Receipt
from cairn.messaging.errors import ConfigurationInvalid, MailNotSent, MailRefused, TextNotSent, TextRefused
from cairn.messaging.jobs import choose_texter, jobs
from cairn.messaging.mailers import choose_mailer
from cairn.messaging.push import Pusher, PushFailed, PushSettings, Subscription, SubscriptionGone, new_push_key
from cairn.messaging.save_configuration import save_configuration
from cairn.messaging.send import send_patient_emails
from cairn.messaging.sender import AttachmentSources, MailSender, Objections, mail_key_box
from cairn.messaging.settings import MessagingSettings, SmtpSettings
from cairn.messaging.sms import GuestText, TextLimits, TwilioSettings, from_sender, read_number
from cairn.messaging.store import (
    EmailState,
    KeptEmail,
    add_email,
    add_notification,
    email_state,
    kept_emails,
    recent_tests,
)
from cairn.messaging.text_guest import text_guest
from cairn.messaging.text_store import TextState, add_text_message, text_state

__all__ = [
    "PROVIDERS",
    "Attachment",
    "AttachmentSources",
    "ConfigurationInvalid",
    "Email",
    "EmailState",
    "GuestText",
    "KeptEmail",
    "MailNotSent",
    "MailRefused",
    "MailSender",
    "Mailer",
    "MessagingSettings",
    "Objections",
    "Provider",
    "PushFailed",
    "PushSettings",
    "Pusher",
    "Receipt",
    "ShownConfiguration",
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
    "choose_mailer",
    "choose_texter",
    "email_state",
    "from_sender",
    "jobs",
    "kept_emails",
    "mail_key_box",
    "new_push_key",
    "read_number",
    "recent_tests",
    "save_configuration",
    "send_patient_emails",
    "shown_configuration",
    "text_guest",
    "text_state",
]
