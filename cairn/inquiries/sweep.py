from cairn.db import SERVICE, Database
from cairn.inquiries import store


async def sweep(database: Database) -> None:
    """The network is needed for the hourly limit only, so it is deleted after a day."""
    async with database.acting_as(SERVICE) as connection:
        await store.delete_networks(connection)
