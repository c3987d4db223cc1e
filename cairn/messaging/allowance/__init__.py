"""Limits how many emails a company sends to guests, so that no one uses the service to send spam.

An email that cannot leave the server is not limited: without a mail server everything stays in the local mailbox.
Messages and reminders are counted when they are queued, and copies of signed documents when they are sent.
"""

from cairn.messaging.allowance.status import SendingStatus, leaves_the_server, next_day, sending_status
from cairn.messaging.allowance.take import Sending, take_copy, take_sending

__all__ = [
    "Sending",
    "SendingStatus",
    "leaves_the_server",
    "next_day",
    "sending_status",
    "take_copy",
    "take_sending",
]
