"""Plans, the trial, payments, and how many waivers a plan covers.

The rules of the trial, of payments and of the monthly allowance are in `sql/`, so that they apply to every sign-in and
every sending. `open_billing` chooses the payment provider, Stripe or the sandbox; `confirm` processes each of its
events exactly once. `service()` is mounted at `/billing`.
"""

from cairn.billing.allowance import within_allowance
from cairn.billing.checkout import open_checkout
from cairn.billing.context import BillingContext, open_billing
from cairn.billing.errors import NotSignedIn, PlanLimitReached, ProviderFailed
from cairn.billing.manage import open_portal
from cairn.billing.model import MAX_AMOUNT_CENTS, MAX_DESCRIPTION_LENGTH, Payer, PaymentMethod
from cairn.billing.payer import known_payer, payer_of
from cairn.billing.payment_methods import payment_methods
from cairn.billing.provider import SAMPLE
from cairn.billing.routes import service
from cairn.billing.settings import BillingSettings, StripeSettings
from cairn.billing.subscription import jobs
from cairn.billing.sweep import sweep

__all__ = [
    "MAX_AMOUNT_CENTS",
    "MAX_DESCRIPTION_LENGTH",
    "SAMPLE",
    "BillingContext",
    "BillingSettings",
    "NotSignedIn",
    "Payer",
    "PaymentMethod",
    "PlanLimitReached",
    "ProviderFailed",
    "StripeSettings",
    "jobs",
    "known_payer",
    "open_billing",
    "open_checkout",
    "open_portal",
    "payer_of",
    "payment_methods",
    "service",
    "sweep",
    "within_allowance",
]
