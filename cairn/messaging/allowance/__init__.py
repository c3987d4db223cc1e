"""Limits how many emails a company sends to guests, so that no one uses Cairn to send spam.

If the server has no mail server and the company has no provider, everything stays in the local mailbox, and nothing is
limited. If the company has chosen the provider `mock`, its emails stay on the server too. They count for the company
and its network, but not for their recipients; copies of signed documents then do not count at all. An email is counted
when it is queued.
"""

from cairn.messaging.allowance.status import SendingStatus, leaves_the_server, next_day, sending_status
from cairn.messaging.allowance.take import CountedEmail, take_copy, take_email

__all__ = [
    "CountedEmail",
    "SendingStatus",
    "leaves_the_server",
    "next_day",
    "sending_status",
    "take_copy",
    "take_email",
]
