from cairn.db import Database, delete_old_rows, run_in_batches
from cairn.inquiries import store
from cairn.inquiries.settings import InquirySettings


async def sweep(database: Database, settings: InquirySettings) -> None:
    """Deletes old inquiries, and all IP networks after a day, because only the hourly limit needs them."""
    await run_in_batches(database, store.DELETE_NETWORKS)
    await run_in_batches(database, delete_old_rows("inquiries.messages"), settings.retention)
