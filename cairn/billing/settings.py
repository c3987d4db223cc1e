from typing import Self

from pydantic import BaseModel, SecretStr, model_validator


class StripeSettings(BaseModel, frozen=True):
    """Used if there is a key; otherwise plans are sold in a sandbox that charges nothing."""

    secret_key: SecretStr | None = None
    # The signing secret of the endpoint `/billing/webhook/stripe`, as Stripe shows it. It authenticates payments.
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
    # Per hour and network.
    rate_limit_checkouts: int = 30
