"""Finds the signed-in user who pays."""

from cairn.billing import store
from cairn.billing.errors import NotSignedIn
from cairn.billing.model import BillingUser
from cairn.db import Database, Principal


async def billing_user(database: Database, principal: Principal) -> BillingUser | None:
    """Returns None for a visitor, and for a user who has not passed the second factor yet."""
    if principal.user_id is None:
        return None
    async with database.acting_as(principal, read_only=True) as connection:
        return await store.signed_in_user(connection)


async def require_billing_user(database: Database, principal: Principal) -> BillingUser:
    user = await billing_user(database, principal)
    if user is None:
        raise NotSignedIn
    return user
