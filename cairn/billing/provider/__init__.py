"""Payment providers: Stripe if there are keys, otherwise the sandbox, which charges nothing."""

from collections.abc import Callable

from cairn.billing.provider.protocol import Provider
from cairn.billing.provider.sandbox import SAMPLE, Sandbox, sandbox_routes, unavailable
from cairn.billing.provider.stripe import Stripe
from cairn.billing.settings import BillingSettings
from cairn.db import Database

Maker = Callable[[Database, BillingSettings, str, str], Provider]

PROVIDERS: dict[str, Maker] = {
    "stripe": lambda _database, settings, _secret, site_url: Stripe(settings.stripe, site_url),
    "sandbox": lambda database, _settings, secret, _site_url: Sandbox(database, secret),
}


def choose(database: Database, settings: BillingSettings, *, secret: str, site_url: str) -> Provider:
    name = "sandbox" if settings.stripe.secret_key is None else "stripe"
    return PROVIDERS[name](database, settings, secret, site_url)


__all__ = ["PROVIDERS", "SAMPLE", "Provider", "Sandbox", "Stripe", "choose", "sandbox_routes", "unavailable"]
