from cairn.db import Database, run_in_batches
from cairn.trips.settings import TripSettings

# A trip has up to 500 bookings, so only a few trips are handled at once.
_BATCH_SIZE = 20


async def sweep(database: Database, settings: TripSettings) -> int:
    """Erases the contacts of old trips, and returns the number of trips. The worker runs this regularly."""
    return await run_in_batches(
        database, "select trips.erase_old_contacts($1, $2)", settings.contact_retention, batch_size=_BATCH_SIZE
    )
