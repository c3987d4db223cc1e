"""Reminders without a click."""

from datetime import datetime

from cairn.db import SERVICE, Database
from cairn.waivers.reminders import store
from cairn.waivers.reminders.model import is_sensible_hour


async def remind_by_schedule(database: Database, now: datetime) -> int:
    """Queues what is due; as often and by as many workers as you like, each reminder is queued once."""
    async with database.acting_as(SERVICE, read_only=True) as connection:
        companies = await store.reminding_companies(connection)
    queued = 0
    for company in companies:
        if not is_sensible_hour(now, company.time_zone):
            continue
        # A transaction each: one company's many do not keep the others waiting.
        async with database.acting_as(SERVICE) as connection:
            queued += await store.queue_scheduled(connection, company, now)
    return queued
