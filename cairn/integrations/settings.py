from ipaddress import IPv4Network, IPv6Network
from pathlib import Path

from pydantic import BaseModel


class IntegrationSettings(BaseModel, frozen=True):
    # Besides the public internet: networks of the operator's own to which an endpoint may lead.
    allowed_networks: tuple[IPv4Network | IPv6Network, ...] = ()
    # Besides the usual authorities: a file of certificates (PEM) whose servers are believed.
    ca_file: Path | None = None
    # Where hooks of Zapier are; another address for tests.
    zapier_url: str = "https://hooks.zapier.com"
    timeout_seconds: float = 10.0
