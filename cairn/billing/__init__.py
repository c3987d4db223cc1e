"""What the service costs: plans, the trial before them, paying, and how much a plan covers.

Floor 7. The trial (migration 0026), whose payment is whose (0031) and how many waivers a month covers (0032) are kept
by the database, where every sign-in and every sending meets them. `open_billing` chooses who takes the money, Stripe or
the sandbox; what they confirm goes through `confirm`, once. `service()` is what is mounted at `/billing`.
"""

from cairn.billing.allowance import within_allowance
from cairn.billing.checkout import open_checkout
from cairn.billing.context import BillingContext, open_billing
from cairn.billing.errors import NotSignedIn, PlanLimitReached, ProviderFailed
from cairn.billing.manage import open_portal
from cairn.billing.model import LARGEST_AMOUNT, LONGEST_DESCRIPTION, Payer, PaymentMethod
from cairn.billing.payer import known_payer, payer_of
from cairn.billing.payment_methods import payment_methods
from cairn.billing.provider import SAMPLE
from cairn.billing.routes import service
from cairn.billing.settings import BillingSettings, StripeSettings
from cairn.billing.subscription import jobs
from cairn.billing.sweep import sweep

__all__ = [
    "LARGEST_AMOUNT",
    "LONGEST_DESCRIPTION",
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
