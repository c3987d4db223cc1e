from typing import Self

from pydantic import BaseModel, SecretStr, model_validator


class StripeSettings(BaseModel, frozen=True):
    """In use when there is a key; without one the sandbox takes its place, which charges nothing."""

    secret_key: SecretStr | None = None
    # Of the endpoint `/billing/webhook/stripe`, as Stripe shows it: without it no payment could be believed.
    webhook_secret: SecretStr | None = None
    url: str = "https://api.stripe.com"
    timeout_seconds: float = 10.0

    @model_validator(mode="after")
    def _both_or_none(self) -> Self:
        if (self.secret_key is None) != (self.webhook_secret is None):
            raise ValueError("secret_key and webhook_secret belong together: set both, or none")
        return self


class BillingSettings(BaseModel, frozen=True):
    stripe: StripeSettings = StripeSettings()
    # An hour, from one network.
    rate_limit_checkouts: int = 30
