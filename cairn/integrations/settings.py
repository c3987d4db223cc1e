from datetime import timedelta
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path

from pydantic import BaseModel, Field


class IntegrationSettings(BaseModel, frozen=True):
    # Private networks, besides the public internet, in which an endpoint may be.
    allowed_networks: tuple[IPv4Network | IPv6Network, ...] = ()
    # A PEM file with certificate authorities that are trusted besides the public ones.
    ca_file: Path | None = None
    # The origin of Zapier's hooks; tests set another one.
    zapier_url: str = "https://hooks.zapier.com"
    timeout_seconds: float = 10.0
    # Deliveries are deleted from their list after this time.
    delivery_retention: timedelta = Field(default=timedelta(days=30), ge=timedelta(days=1))
