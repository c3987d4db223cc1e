"""Finds out who pays."""

from cairn.billing import store
from cairn.billing.errors import NotSignedIn
from cairn.billing.model import Payer
from cairn.db import Database, Principal


async def payer_of(database: Database, principal: Principal) -> Payer | None:
    """None for a visitor, and for a user who has not passed the second factor yet."""
    if principal.user_id is None:
        return None
    async with database.acting_as(principal, read_only=True) as connection:
        return await store.payer(connection)


async def known_payer(database: Database, principal: Principal) -> Payer:
    payer = await payer_of(database, principal)
    if payer is None:
        raise NotSignedIn
    return payer
