"""Queues the reminders that are due by the companies' schedules."""

from datetime import datetime

from cairn.db import SERVICE, Database
from cairn.waivers.reminders import store
from cairn.waivers.reminders.rules import is_sensible_hour


async def queue_scheduled_reminders(database: Database, now: datetime) -> int:
    """Idempotent: each reminder is queued once, however often and in however many workers this runs."""
    async with database.acting_as(SERVICE, read_only=True) as connection:
        companies = await store.companies_with_reminders(connection)
    queued = 0
    for company in companies:
        if not is_sensible_hour(now, company.time_zone):
            continue
        # Each company has its own transaction, so that a company with many reminders does not delay the others.
        async with database.acting_as(SERVICE) as connection:
            queued += await store.queue_scheduled(connection, company, now)
    return queued
