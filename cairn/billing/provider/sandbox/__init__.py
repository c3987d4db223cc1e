"""The payment provider without Stripe. Its page checks a card, charges nothing and stores no card number."""

from cairn.billing.provider.sandbox.responses import unavailable
from cairn.billing.provider.sandbox.routes import sandbox_routes
from cairn.billing.provider.sandbox.sandbox import SAMPLE, Sandbox

__all__ = ["SAMPLE", "Sandbox", "sandbox_routes", "unavailable"]
