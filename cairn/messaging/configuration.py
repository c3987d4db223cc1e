"""Describes the mail provider that a company has chosen."""

from datetime import datetime
from typing import Literal, TypeAlias, get_args

from cairn.kit import frozen_dataclass

Provider: TypeAlias = Literal["service", "mock", "sendgrid", "resend", "custom"]
PROVIDERS: tuple[Provider, ...] = get_args(Provider)
PROVIDERS_WITH_KEY: frozenset[Provider] = frozenset({"sendgrid", "resend"})


@frozen_dataclass
class Configuration:
    """The configuration that is used for sending, with the API key.

    The key is None if it was encrypted with a secret that no longer exists.
    """

    provider: Provider = "service"
    api_key: str | None = None
    custom_endpoint: str | None = None
    sender_email: str | None = None


@frozen_dataclass
class ConfigurationSummary:
    """The configuration that is shown to the company, without the API key."""

    provider: Provider = "service"
    has_api_key: bool = False
    custom_endpoint: str | None = None
    sender_email: str | None = None
    failing_since: datetime | None = None
    last_error: str | None = None
    has_report_key: bool = False
