"""Regularly reads the catalog again and deletes old messages that were stored for replay."""

import asyncio
import logging
from datetime import timedelta

from cairn.db import SERVICE, Database, RetryPolicy
from cairn.realtime import store
from cairn.realtime.change_feed import ChangeFeed

log = logging.getLogger(__name__)

_INTERVAL = timedelta(minutes=1)
_REPLAY_RETENTION = timedelta(days=3)


async def run_maintenance(database: Database, feed: ChangeFeed) -> None:
    retry = RetryPolicy(log, "the maintenance of realtime", delay_seconds=_INTERVAL.total_seconds())
    while True:
        await asyncio.sleep(_INTERVAL.total_seconds())
        try:
            await feed.read_tables()
            async with database.acting_as(SERVICE) as connection:
                await store.delete_old_messages(connection, _REPLAY_RETENTION)
        except Exception as error:
            retry.record_failure(error)
