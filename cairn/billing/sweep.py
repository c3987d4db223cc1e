from datetime import datetime

from cairn.billing import store
from cairn.billing.context import BillingContext
from cairn.billing.provider import Sandbox
from cairn.db import run_in_batches


async def sweep(billing: BillingContext, now: datetime) -> None:
    """Deletes old unpaid checkouts, IP networks and recipients, and renews the subscriptions of the sandbox.

    If a real provider is configured, the subscriptions of the sandbox end.
    """
    await run_in_batches(billing.database, store.DELETE_NETWORKS)
    await run_in_batches(billing.database, store.DELETE_UNPAID_CHECKOUTS)
    if not isinstance(billing.provider, Sandbox):
        await run_in_batches(billing.database, store.END_SANDBOX_SUBSCRIPTIONS)
    retention = billing.settings.sending_retention
    await run_in_batches(billing.database, "select billing.delete_old_sendings($1, $2)", retention)
    if isinstance(billing.provider, Sandbox):
        await billing.provider.renew(now)
