"""Sends webhooks: a POST request for each newly signed waiver to every endpoint of the company.

An endpoint can also be a Zapier hook. For each endpoint there is one delivery per waiver. A delivery is a row with the
time of its next attempt. The job in `jobs` adds deliveries, `delivery_loop` claims those that are due, and `deliver`
makes one attempt and records the outcome. `model` contains the rules: when to retry, how to sign, and when to pause an
endpoint. Signatures have the format of the Standard Webhooks specification.
"""

from cairn.integrations.delivery_loop import deliver_forever
from cairn.integrations.delivery_store import DeliveryState, delivery_state
from cairn.integrations.jobs import jobs, sweep
from cairn.integrations.manage_endpoints import EndpointWithSecret, change_endpoint, register_endpoint, renew_secret
from cairn.integrations.manual_deliveries import resend_delivery, send_test
from cairn.integrations.model import Kind
from cairn.integrations.sender import WebhookSender, open_webhook_sender
from cairn.integrations.settings import IntegrationSettings

__all__ = [
    "DeliveryState",
    "EndpointWithSecret",
    "IntegrationSettings",
    "Kind",
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
