"""What webhooks do after a signature, and what they forget."""

from typing import Any
from uuid import UUID, uuid5

from cairn.db import SERVICE, Database
from cairn.integrations import delivery_store
from cairn.integrations.model import PAUSES
from cairn.jobs import Job


def jobs(database: Database) -> list[Job]:
    async def announce(facts: dict[str, Any], _last_try: bool) -> None:
        waiver_id = UUID(facts["waiver_id"])
        async with database.acting_as(SERVICE) as connection:
            await delivery_store.add_deliveries(connection, waiver_id, _event_id(waiver_id), retries=len(PAUSES))

    return [Job("integrations.announce", on="waiver.signed", run=announce)]


def _event_id(waiver_id: UUID) -> UUID:
    """A waiver is signed once, so whoever hears of it twice hears the same id."""
    return uuid5(waiver_id, "waiver.signed")


async def sweep(database: Database) -> None:
    async with database.acting_as(SERVICE) as connection:
        await delivery_store.forget_old_deliveries(connection)
