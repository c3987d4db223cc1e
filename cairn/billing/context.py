"""Holds everything the billing functions need."""

from cairn.billing.provider import Provider, choose_provider
from cairn.billing.settings import BillingSettings
from cairn.db import Database
from cairn.kit import frozen_dataclass


@frozen_dataclass
class BillingContext:
    database: Database
    provider: Provider
    settings: BillingSettings


def open_billing(database: Database, settings: BillingSettings, *, secret: str, site_url: str) -> BillingContext:
    """`secret` is used only by the sandbox, which derives its signing key from it."""
    return BillingContext(database, choose_provider(database, settings, secret=secret, site_url=site_url), settings)
