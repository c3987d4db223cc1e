"""Limits the calls to the payment provider, which refuses all calls from this server if there are too many."""

import math
from datetime import timedelta

from cairn import limits
from cairn.billing.context import BillingContext
from cairn.billing.errors import TooManyPaymentRequests
from cairn.billing.model import BillingUser

_HOUR = timedelta(hours=1)


async def count_provider_call(billing: BillingContext, user: BillingUser | None, network: str) -> None:
    """Counts a call for the account and for the IP network. Raises TooManyPaymentRequests if there were too many.

    The account is counted first, so that its refused calls do not use up the limit of the network, which others share.
    """
    settings = billing.settings
    account_limit = settings.rate_limit_provider_calls_per_account
    checked = [limits.Limit(f"payment provider for {user.user_id}", account_limit, _HOUR)] if user else []
    checked.append(
        limits.Limit(f"payment provider from {network}", settings.rate_limit_provider_calls_per_network, _HOUR)
    )
    for limit in checked:
        wait_seconds = await limits.take_now(billing.database, limit)
        if wait_seconds is not None:
            raise TooManyPaymentRequests(
                minutes=math.ceil(wait_seconds / 60), retry_after_seconds=math.ceil(wait_seconds)
            )
