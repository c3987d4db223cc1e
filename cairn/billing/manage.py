"""Opens the provider's portal, where a payer changes the card or ends the subscription."""

from cairn.billing import store
from cairn.billing.context import BillingContext
from cairn.billing.errors import NothingToManage
from cairn.billing.model import Payer
from cairn.db import SERVICE


async def open_portal(billing: BillingContext, payer: Payer) -> str:
    async with billing.database.acting_as(SERVICE, read_only=True) as connection:
        customers = await store.customers_of(connection, payer.owner, billing.provider.name)
    if not customers:
        raise NothingToManage
    back = "/guest-dashboard" if payer.company_id is None else "/dashboard/settings/billing"
    return await billing.provider.open_portal(customers[0], back)
