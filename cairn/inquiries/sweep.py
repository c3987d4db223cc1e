from cairn.db import SERVICE, Database
from cairn.inquiries import store


async def sweep(database: Database) -> None:
    """Where a message came from matters for an hour, so a day later nobody knows it any more."""
    async with database.acting_as(SERVICE) as connection:
        await store.forget_networks(connection)
