"""Through whom a company's mail goes, as the company has decided."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias, get_args

Provider: TypeAlias = Literal["service", "mock", "sendgrid", "resend", "custom"]
PROVIDERS: tuple[Provider, ...] = get_args(Provider)
NEED_A_KEY: frozenset[Provider] = frozenset({"sendgrid", "resend"})


@dataclass(frozen=True, slots=True)
class Configuration:
    """With its key, for whoever sends. `api_key` is also empty when it was sealed under a secret that is gone."""

    provider: Provider = "service"
    api_key: str | None = None
    custom_endpoint: str | None = None
    sender_email: str | None = None


@dataclass(frozen=True, slots=True)
class ConfigurationSummary:
    """Without its key, for everybody else."""

    provider: Provider = "service"
    has_api_key: bool = False
    custom_endpoint: str | None = None
    sender_email: str | None = None
    failing_since: datetime | None = None
    last_error: str | None = None
