"""The provider where none is set up: a page of our own that looks at a card, charges nothing and keeps no number."""

from cairn.billing.provider.sandbox.answer import unavailable
from cairn.billing.provider.sandbox.routes import sandbox_routes
from cairn.billing.provider.sandbox.sandbox import SAMPLE, Sandbox

__all__ = ["SAMPLE", "Sandbox", "sandbox_routes", "unavailable"]
