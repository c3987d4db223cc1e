"""What every act of paying needs."""

from dataclasses import dataclass

from cairn.billing.provider import Provider, choose
from cairn.billing.settings import BillingSettings
from cairn.db import Database


@dataclass(frozen=True, slots=True)
class Till:
    database: Database
    provider: Provider
    settings: BillingSettings


def open_till(database: Database, settings: BillingSettings, *, secret: str, site_url: str) -> Till:
    """`secret`: the sandbox signs with a key drawn from it."""
    return Till(database, choose(database, settings, secret=secret, site_url=site_url), settings)
