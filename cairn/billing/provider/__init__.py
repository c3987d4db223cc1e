"""Chooses the payment provider: Stripe if its keys are set, otherwise the sandbox, which charges nothing."""

from collections.abc import Callable

from cairn.billing.provider.protocol import Provider
from cairn.billing.provider.sandbox import SAMPLE_CUSTOMER_PREFIX, Sandbox, sandbox_routes, unavailable_page
from cairn.billing.provider.stripe import Stripe
from cairn.billing.settings import BillingSettings
from cairn.db import Database

ProviderFactory = Callable[[Database, BillingSettings, str, str], Provider]

PROVIDERS: dict[str, ProviderFactory] = {
    "stripe": lambda _database, settings, _secret, site_url: Stripe(settings.stripe, site_url),
    "sandbox": lambda database, _settings, secret, _site_url: Sandbox(database, secret),
}


def choose_provider(database: Database, settings: BillingSettings, *, secret: str, site_url: str) -> Provider:
    name = "sandbox" if settings.stripe.secret_key is None else "stripe"
    return PROVIDERS[name](database, settings, secret, site_url)


__all__ = [
    "PROVIDERS",
    "SAMPLE_CUSTOMER_PREFIX",
    "Provider",
    "Sandbox",
    "Stripe",
    "choose_provider",
    "sandbox_routes",
    "unavailable_page",
]
