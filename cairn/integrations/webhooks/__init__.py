"""Webhooks: a signed POST for each newly signed waiver, in the form of Standard Webhooks.

A delivery is a row with its next try. `announce` writes them, `carry` takes those that are due, `deliver` posts one and
notes what became of it. `model` has the rules: when to try again, how to sign, when to give up on an endpoint.
"""

from cairn.integrations.webhooks.ask import send_again, send_test
from cairn.integrations.webhooks.carry import carry_for_ever
from cairn.integrations.webhooks.jobs import jobs, sweep
from cairn.integrations.webhooks.model import Kind
from cairn.integrations.webhooks.register import Registered, change, register, renew_secret
from cairn.integrations.webhooks.sender import WebhookSender, open_webhook_sender
from cairn.integrations.webhooks.store import DeliveryState, delivery_state

__all__ = [
    "DeliveryState",
    "Kind",
    "Registered",
    "WebhookSender",
    "carry_for_ever",
    "change",
    "delivery_state",
    "jobs",
    "open_webhook_sender",
    "register",
    "renew_secret",
    "send_again",
    "send_test",
    "sweep",
]
