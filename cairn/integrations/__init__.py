"""What a company connects: addresses of its own, or of Zapier, that are told of each newly signed waiver.

Floor 8. A signature becomes one delivery for each endpoint, and the worker carries them out until they arrive or a day
is over. Who may see and pause endpoints is in `integrations/sql/policies.sql`; what needs the server's
key goes through the functions.
"""

from cairn.integrations.settings import IntegrationSettings
from cairn.integrations.webhooks import (
    DeliveryState,
    Kind,
    Registered,
    WebhookSender,
    carry_for_ever,
    change,
    delivery_state,
    jobs,
    open_webhook_sender,
    register,
    renew_secret,
    send_again,
    send_test,
    sweep,
)

__all__ = [
    "DeliveryState",
    "IntegrationSettings",
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
