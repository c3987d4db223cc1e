"""What we say to people and through whom: emails and the notifications of the bell.

Floor 4. It never learns what a waiver is. Asking for a mail is writing a row (`add_email`); a job sends it through the
configured provider and writes down what became of it: delivered, kept (no mail server is set up), or failed and why.
"""

from cairn.messaging.email import Attachment, Email, Mailer, Receipt
from cairn.messaging.errors import MailNotSent, MailRefused
from cairn.messaging.jobs import choose_mailer, jobs
from cairn.messaging.send import AttachmentSources, send_patient_emails
from cairn.messaging.settings import MessagingSettings, SmtpSettings
from cairn.messaging.store import EmailState, add_email, add_notification, email_state

__all__ = [
    "Attachment",
    "AttachmentSources",
    "Email",
    "EmailState",
    "MailNotSent",
    "MailRefused",
    "Mailer",
    "MessagingSettings",
    "Receipt",
    "SmtpSettings",
    "add_email",
    "add_notification",
    "choose_mailer",
    "email_state",
    "jobs",
    "send_patient_emails",
]
