"""Everything the billing functions need."""

from dataclasses import dataclass

from cairn.billing.provider import Provider, choose
from cairn.billing.settings import BillingSettings
from cairn.db import Database


@dataclass(frozen=True, slots=True)
class BillingContext:
    database: Database
    provider: Provider
    settings: BillingSettings


def open_billing(database: Database, settings: BillingSettings, *, secret: str, site_url: str) -> BillingContext:
    """The sandbox derives its signing key from `secret`."""
    return BillingContext(database, choose(database, settings, secret=secret, site_url=site_url), settings)
