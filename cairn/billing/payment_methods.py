"""Lists the cards of a user. Only the provider stores them."""

from cairn.billing import store
from cairn.billing.context import BillingContext
from cairn.billing.limits import count_provider_call
from cairn.billing.model import BillingUser, PaymentMethod
from cairn.db import SERVICE


async def list_payment_methods(billing: BillingContext, user: BillingUser, network: str) -> list[PaymentMethod]:
    """Returns no cards for a user who is not a customer of the provider yet.

    A user can own several customers at the provider. Only the default card of the first one is charged.
    """
    async with billing.database.acting_as(SERVICE, read_only=True) as connection:
        customers = await store.customers_of(connection, user.owner_id, billing.provider.name)
    if not customers:
        return []
    await count_provider_call(billing, user, network)
    first, *others = [await billing.provider.payment_methods(customer) for customer in customers]
    return [*first, *(_not_default(card) for cards in others for card in cards)]


def _not_default(card: PaymentMethod) -> PaymentMethod:
    return PaymentMethod(card.id, card.brand, card.last4, card.exp_month, card.exp_year, is_default=False)
