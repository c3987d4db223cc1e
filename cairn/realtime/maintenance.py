"""Regularly reads the catalog again and deletes old messages that were stored for replay."""

import asyncio
import logging
from datetime import timedelta

from cairn.db import Database, RetryPolicy, run_in_batches
from cairn.jobs import claim
from cairn.realtime import store
from cairn.realtime.change_feed import ChangeFeed
from cairn.realtime.resume import RESUME_WITHIN

log = logging.getLogger(__name__)

_INTERVAL = timedelta(minutes=1)
_REPLAY_RETENTION = timedelta(days=3)


async def run_maintenance(database: Database, feed: ChangeFeed) -> None:
    retry = RetryPolicy(log, "the maintenance of realtime", delay_seconds=_INTERVAL.total_seconds())
    while True:
        await asyncio.sleep(_INTERVAL.total_seconds())
        try:
            await feed.read_tables()
            # In each interval, only one of all servers deletes.
            if await claim(database, "deleting realtime messages", _INTERVAL.total_seconds()) > 0:
                continue
            await delete_old_messages(database)
            await delete_old_closed_channels(database)
        except Exception as error:
            retry.record_failure(error)


async def delete_old_messages(database: Database) -> None:
    await run_in_batches(database, store.DELETE_OLD_MESSAGES, _REPLAY_RETENTION)


async def delete_old_closed_channels(database: Database) -> None:
    await run_in_batches(database, store.DELETE_OLD_CLOSED_CHANNELS, RESUME_WITHIN)
