from datetime import timedelta
from typing import Self

from pydantic import BaseModel, Field, SecretStr, model_validator


class StripeSettings(BaseModel, frozen=True):
    """If these keys are set, payments are made at Stripe, and otherwise in a sandbox that charges nothing."""

    secret_key: SecretStr | None = None
    # Stripe signs its events with this secret, and shows it next to the webhook endpoint `/billing/webhook/stripe`.
    webhook_secret: SecretStr | None = None
    url: str = "https://api.stripe.com"
    timeout_seconds: float = 10.0

    @model_validator(mode="after")
    def _require_both_or_neither(self) -> Self:
        if (self.secret_key is None) != (self.webhook_secret is None):
            raise ValueError("secret_key and webhook_secret belong together: set both or neither")
        return self


class BillingSettings(BaseModel, frozen=True):
    stripe: StripeSettings = StripeSettings()
    # A public server without Stripe starts only if this is set. Everyone can then have every plan for free.
    allow_sandbox: bool = False
    # How many checkouts one IP network may start per hour.
    rate_limit_checkouts: int = 30
    # How many payment pages, portals and lists of cards one account, and one IP network, may request per hour.
    rate_limit_provider_calls_per_account: int = Field(default=60, ge=1)
    rate_limit_provider_calls_per_network: int = Field(default=300, ge=1)
    # The recipients of each waiver are stored, so that each one counts once. They are deleted after this time, and the
    # counts stay.
    sending_retention: timedelta = Field(default=timedelta(days=730), ge=timedelta(days=1))
