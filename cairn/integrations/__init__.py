"""Webhooks: a signed POST for each newly signed waiver, to the endpoints of a company or to its Zapier hooks.

Each signature becomes one delivery per endpoint, which is a row with the time of its next attempt. The job in `jobs`
adds them, `delivery_loop` claims those that are due, and `deliver` makes one attempt and records the outcome. `model`
has the rules: when to retry, how to sign (in the format of Standard Webhooks), and when to pause an endpoint.
"""

from cairn.integrations.delivery_loop import deliver_forever
from cairn.integrations.delivery_store import DeliveryState, delivery_state
from cairn.integrations.jobs import jobs, sweep
from cairn.integrations.manage_endpoints import RegisteredEndpoint, change_endpoint, register_endpoint, renew_secret
from cairn.integrations.manual_deliveries import resend_delivery, send_test
from cairn.integrations.model import Kind
from cairn.integrations.sender import WebhookSender, open_webhook_sender
from cairn.integrations.settings import IntegrationSettings

__all__ = [
    "DeliveryState",
    "IntegrationSettings",
    "Kind",
    "RegisteredEndpoint",
    "WebhookSender",
    "change_endpoint",
    "deliver_forever",
    "delivery_state",
    "jobs",
    "open_webhook_sender",
    "register_endpoint",
    "renew_secret",
    "resend_delivery",
    "send_test",
    "sweep",
]
