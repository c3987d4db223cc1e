"""The cards of a payer. Only the provider stores them."""

from cairn.billing import store
from cairn.billing.context import BillingContext
from cairn.billing.model import Payer, PaymentMethod
from cairn.db import SERVICE


async def payment_methods(billing: BillingContext, payer: Payer) -> list[PaymentMethod]:
    """Empty if nothing was paid yet. If there are several customers, the first one's default card is charged."""
    async with billing.database.acting_as(SERVICE, read_only=True) as connection:
        customers = await store.customers_of(connection, payer.owner, billing.provider.name)
    if not customers:
        return []
    first, *others = [await billing.provider.payment_methods(customer) for customer in customers]
    return [*first, *(_not_default(card) for cards in others for card in cards)]


def _not_default(card: PaymentMethod) -> PaymentMethod:
    return PaymentMethod(card.id, card.brand, card.last4, card.exp_month, card.exp_year, is_default=False)
