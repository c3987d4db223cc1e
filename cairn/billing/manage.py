"""Opens the provider's portal, where a user changes the card or ends the subscription."""

from cairn.billing import store
from cairn.billing.context import BillingContext
from cairn.billing.errors import NothingToManage
from cairn.billing.limits import count_provider_call
from cairn.billing.model import BillingUser
from cairn.db import SERVICE


async def open_portal(billing: BillingContext, user: BillingUser, network: str) -> str:
    async with billing.database.acting_as(SERVICE, read_only=True) as connection:
        customers = await store.customers_of(connection, user.owner_id, billing.provider.name)
    if not customers:
        raise NothingToManage
    await count_provider_call(billing, user, network)
    return_path = "/guest-dashboard" if user.company_id is None else "/dashboard/settings/billing"
    return await billing.provider.open_portal(customers[0], return_path)
