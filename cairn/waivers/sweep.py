from cairn.db import Database, run_in_batches
from cairn.waivers.settings import WaiverSettings

# Erasing a session also erases its messages and its history, so fewer of them are handled at once.
_BATCH_SIZE = 100


async def sweep(database: Database, settings: WaiverSettings) -> int:
    """Erases old waivers that were never signed, and returns their number. The worker runs this regularly."""
    return await run_in_batches(
        database, "select waivers.erase_unsigned($1, $2)", settings.unsigned_retention, batch_size=_BATCH_SIZE
    )
