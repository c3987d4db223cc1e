"""The payment provider that is used if no other is configured.

Its payment page checks a card, charges nothing and does not store the card number.
"""

from cairn.billing.provider.sandbox.responses import unavailable_page
from cairn.billing.provider.sandbox.routes import sandbox_routes
from cairn.billing.provider.sandbox.sandbox import SAMPLE_CUSTOMER_PREFIX, Sandbox

__all__ = ["SAMPLE_CUSTOMER_PREFIX", "Sandbox", "sandbox_routes", "unavailable_page"]
