"""What a company connects: addresses of its own, or of Zapier, that are told of each newly signed waiver.

Floor 8. A signature becomes one delivery for each endpoint, and the worker carries them out until they arrive or a day
is over. Who may see and pause endpoints is in `integrations/sql/policies.sql`; what needs the server's
key goes through the functions.
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
