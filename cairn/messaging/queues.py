"""Defines the queues of messages. An outside server that does not respond delays only the messages of its own queue."""

from cairn.jobs import Queue
from cairn.messaging.configuration import Provider

SIGN_IN_QUEUE = Queue("sign-in", 8)
"""Links and codes for signing in, which no other message may delay."""
MESSAGES_QUEUE = Queue("messages", 8, concurrency_per_company=4)
"""Messages through the mail server and the SMS gateway of the operator. Other emails are moved to their own queue."""
PROVIDERS_QUEUE = Queue("providers", 8, concurrency_per_company=4)
"""Messages through public services: Resend, SendGrid and the push services of browsers."""
ENDPOINTS_QUEUE = Queue("endpoints", 32, concurrency_per_company=2)
"""Emails through endpoints of companies. An endpoint may not respond, but waiting for it costs us little."""

_QUEUES: dict[Provider, Queue] = {
    "resend": PROVIDERS_QUEUE,
    "sendgrid": PROVIDERS_QUEUE,
    "custom": ENDPOINTS_QUEUE,
}


def queue_of(provider: Provider) -> Queue | None:
    """Returns the queue in which emails through this provider must run, or None if they may run in any queue."""
    return _QUEUES.get(provider)
