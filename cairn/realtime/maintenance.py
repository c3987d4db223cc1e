"""What is done now and then: the catalog is read anew, and messages kept for replay are forgotten."""

import asyncio
import logging
from datetime import timedelta

from cairn.db import SERVICE, Database, RetryPolicy
from cairn.realtime import store
from cairn.realtime.change_feed import ChangeFeed

log = logging.getLogger(__name__)

_EVERY = timedelta(minutes=1)
_REPLAYED_FOR = timedelta(days=3)


async def run_maintenance(database: Database, feed: ChangeFeed) -> None:
    retry = RetryPolicy(log, "the cleanup of realtime", seconds=_EVERY.total_seconds())
    while True:
        await asyncio.sleep(_EVERY.total_seconds())
        try:
            await feed.read_tables()
            async with database.acting_as(SERVICE) as connection:
                await store.delete_old_messages(connection, _REPLAYED_FOR)
        except Exception as error:
            retry.failed(error)
