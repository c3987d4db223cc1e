from cairn.db import SERVICE, Database
from cairn.inquiries import store


async def sweep(database: Database) -> None:
    """Deletes the IP networks of inquiries after a day, because only the hourly limit needs them."""
    async with database.acting_as(SERVICE) as connection:
        await store.delete_networks(connection)
