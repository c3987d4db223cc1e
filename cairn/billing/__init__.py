"""Sells plans, and limits how many waivers a company can send per month.

The rules for the trial, for payments and for the monthly allowance are triggers in `sql/`. They run on every sign-in
and on every sent message. `open_billing` chooses the payment provider: Stripe or the sandbox. `confirm` applies each
event of the provider exactly once. `service()` is mounted at `/billing`.
"""

from cairn.billing.allowance import copy_quota, covered_waivers, exempt_session, message_quota, within_allowance
from cairn.billing.checkout import open_checkout
from cairn.billing.context import BillingContext, open_billing
from cairn.billing.errors import NotSignedIn, PlanLimitReached, ProviderFailed
from cairn.billing.manage import open_portal
from cairn.billing.model import MAX_AMOUNT_CENTS, MAX_DESCRIPTION_LENGTH, BillingUser, PaymentMethod
from cairn.billing.payment_methods import list_payment_methods
from cairn.billing.provider import SAMPLE_CUSTOMER_PREFIX
from cairn.billing.routes import service
from cairn.billing.settings import BillingSettings, StripeSettings
from cairn.billing.subscription import end_subscriptions_of, jobs, stop_renewals
from cairn.billing.sweep import sweep
from cairn.billing.user import billing_user, require_billing_user

__all__ = [
    "MAX_AMOUNT_CENTS",
    "MAX_DESCRIPTION_LENGTH",
    "SAMPLE_CUSTOMER_PREFIX",
    "BillingContext",
    "BillingSettings",
    "BillingUser",
    "NotSignedIn",
    "PaymentMethod",
    "PlanLimitReached",
    "ProviderFailed",
    "StripeSettings",
    "billing_user",
    "copy_quota",
    "covered_waivers",
    "end_subscriptions_of",
    "exempt_session",
    "jobs",
    "list_payment_methods",
    "message_quota",
    "open_billing",
    "open_checkout",
    "open_portal",
    "require_billing_user",
    "service",
    "stop_renewals",
    "sweep",
    "within_allowance",
]
